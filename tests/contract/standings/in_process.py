"""DynamoDB within the process of a test; apart from the other places, as processes that race have no use for it."""

from collections.abc import Generator
from dataclasses import dataclass

from moto import mock_aws

from groundwire.ports import IndexGenerations
from tests.contract.standings.places import TABLE, DynamoPlace
from tests.engines import tables
from tests.engines.dynamodb import client


@dataclass(frozen=True)
class MotoPlace:
    """For one thread."""

    def open(self) -> Generator[IndexGenerations]:
        with mock_aws():
            connected = client(None)
            table = tables.create(connected, [TABLE])[TABLE]
            connected.close()
            yield from DynamoPlace(None, table).open()
