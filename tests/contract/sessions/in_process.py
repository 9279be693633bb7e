"""DynamoDB within the process of a test; apart from the other places, as processes that race have no use for it."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from moto import mock_aws

from tests.contract.sessions.backends import DynamoPlace, Opened
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client

TABLE = "SessionsTable"


@dataclass(frozen=True)
class MotoPlace:
    """For one thread."""

    @contextmanager
    def open(self) -> Generator[Opened]:
        with mock_aws():
            table = tables.create(client(None), [TABLE])[TABLE]
            with DynamoPlace(None, table).open() as opened:
                yield opened
