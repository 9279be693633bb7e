"""Tables in this process, and the requests to them in order."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from moto import mock_aws

from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient


class Crash(BaseException):
    """The process ends here."""


@dataclass
class Requests:
    """Requests that were made.

    Attributes:
        left: how many more requests there are before the process crashes; None: any number.
    """

    made: list[str] = field(default_factory=list[str])
    left: int | None = None

    def __call__(self, model: Any, **_: object) -> None:
        if self.left is not None:
            if self.left == 0:
                raise Crash
            self.left -= 1
        self.made.append(model.name)

    def during(self) -> list[str]:
        """Return the requests since the last call."""
        made, self.made = self.made, []
        return made


@dataclass
class Cloud:
    client: "DynamoDBClient"
    names: TenantTables
    requests: Requests

    @property
    def keys(self) -> DynamoKeys:
        return DynamoKeys(self.client, self.names.keys)

    @property
    def tenants(self) -> DynamoTenants:
        return DynamoTenants(self.client, self.names)

    def rows(self) -> list[dict[str, Any]]:
        """Everything in every table."""
        tables = (self.names.keys, self.names.users, self.names.documents, self.names.sessions)
        return [row for table in tables for row in self.client.scan(TableName=table)["Items"]]


@contextmanager
def watched() -> Generator[Cloud]:
    with mock_aws():
        names = dynamo_place(None).tables
        client, requests = dynamodb.client(None), Requests()
        client.meta.events.register("before-call.dynamodb", requests)
        yield Cloud(client, names, requests)
        client.meta.events.unregister("before-call.dynamodb", requests)
        client.close()
