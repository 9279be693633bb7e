"""A request whose answer is lost is sent again: what it did is not mistaken for somebody else's doing."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
from groundwire.domain import errors
from groundwire.ports.definitions import DefinitionKind, DefinitionWrite, Presence, StoredDefinition
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place
from tests.support.registry.records import NOW

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

KIND = DefinitionKind.AGENT
FIRST = StoredDefinition(KIND, "plan", b"{}", "tag-1", NOW, NOW)
SECOND = FIRST._replace(tag="tag-2", updated_at=NOW + 1)


@contextmanager
def a_lost_answer(client: "DynamoDBClient", operation: str) -> Generator[None]:
    sent: list[int] = []

    def discard(attempts: int, **_: object) -> float | None:
        sent.append(attempts)
        return 0 if len(sent) == 1 else None

    answering: Callable[..., Any] = discard
    client.meta.events.register(f"needs-retry.dynamodb.{operation}", answering)
    yield
    client.meta.events.unregister(f"needs-retry.dynamodb.{operation}", answering)
    assert sent == [1, 2]


def test_each_write_is_answered_as_if_no_answer_had_been_lost(dynamodb_url: str) -> None:
    client = dynamodb.client(dynamodb_url)
    definitions = DynamoDefinitions(client, dynamo_place(dynamodb_url).tables.documents)
    with a_lost_answer(client, "TransactWriteItems"):
        assert definitions.put("t-acme", FIRST, Presence.ABSENT) == DefinitionWrite(FIRST, is_new=True)
    with a_lost_answer(client, "UpdateItem"):
        assert definitions.put("t-acme", SECOND, "tag-1") == DefinitionWrite(SECOND, is_new=False)
    with a_lost_answer(client, "TransactWriteItems"):
        definitions.delete("t-acme", KIND, "plan", "tag-2")
    with pytest.raises(errors.NotFound):
        definitions.delete("t-acme", KIND, "plan", Presence.ANY)
