"""DynamoDB within the process of a test; apart from the other places, as processes that race have no use for it."""

from collections.abc import Generator
from dataclasses import dataclass

from moto import mock_aws

from groundwire.ports import IndexGenerations
from tests.contract.index_generations.backends import TABLE, DynamoPlace
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client


@dataclass(frozen=True)
class MotoPlace:
    """For one thread."""

    def open(self) -> Generator[IndexGenerations]:
        with mock_aws():
            connected = client(None)
            table = tables.create(connected, [TABLE])[TABLE]
            connected.close()
            yield from DynamoPlace(None, table).open()
