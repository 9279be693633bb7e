"""A request whose answer is lost is sent again: what it did is not mistaken for somebody else's doing."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
from groundwire.ports import ClaimResult
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

NOW = 1_800_000_000.0


@pytest.fixture
def client(dynamodb_url: str) -> "DynamoDBClient":
    return dynamodb.client(dynamodb_url)


@contextmanager
def a_lost_answer(client: "DynamoDBClient") -> Generator[None]:
    sent: list[int] = []

    def discard(attempts: int, **_: object) -> float | None:
        sent.append(attempts)
        return 0 if len(sent) == 1 else None

    answering: Callable[..., Any] = discard
    client.meta.events.register("needs-retry.dynamodb.UpdateItem", answering)
    yield
    client.meta.events.unregister("needs-retry.dynamodb.UpdateItem", answering)
    assert sent == [1, 2]


def test_each_step_is_answered_as_if_no_answer_had_been_lost(client: "DynamoDBClient", dynamodb_url: str) -> None:
    claims = DynamoEventClaims(client, dynamo_place(dynamodb_url).tables.documents)
    with a_lost_answer(client):
        assert claims.claim("t-acme", "s", "0A", NOW, NOW + 60) is ClaimResult.CLAIMED
    with a_lost_answer(client):
        claims.release("t-acme", "s", "0A")
    assert claims.claim("t-acme", "s", "0A", NOW, NOW + 60) is ClaimResult.CLAIMED
    with a_lost_answer(client):
        assert claims.finish("t-acme", "s", "0A")
    assert claims.claim("t-acme", "s", "0A", NOW + 60, NOW + 120) is ClaimResult.STALE
