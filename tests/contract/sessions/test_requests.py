"""What sessions cost in DynamoDB, and that the function's role allows just that."""

from collections.abc import Generator
from typing import Any

import pytest
from moto import mock_aws

from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions
from tests.contract.sessions.in_process import TABLE
from tests.contract.sessions.records import ANN, END, NOW, SESSION
from tests.support.aws.template import tables
from tests.support.aws.template.role_grants import granted
from tests.support.engines.dynamodb import client

Requests = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def requests() -> Requests:
    return []


@pytest.fixture
def sessions(requests: Requests) -> Generator[DynamoSessions]:
    def note(params: dict[str, Any], model: Any, **_: object) -> None:
        requests.append((model.name, params))

    with mock_aws():
        connected = client(None)
        table = tables.create(connected, [TABLE])[TABLE]
        connected.meta.events.register("provide-client-params.dynamodb", note)
        yield DynamoSessions(connected, table)
        connected.meta.events.unregister("provide-client-params.dynamodb", note)


def use_everything(sessions: DynamoSessions) -> None:
    sessions.add(SESSION)
    sessions.get(ANN, SESSION.id, NOW)
    sessions.extend(ANN, SESSION.id, NOW, END)
    sessions.set_log_level(ANN, SESSION.id, NOW, "debug")
    sessions.end(ANN, SESSION.id, NOW)


def test_every_method_is_one_request(sessions: DynamoSessions, requests: Requests) -> None:
    use_everything(sessions)
    assert [name for name, _ in requests] == ["PutItem", "GetItem", "UpdateItem", "UpdateItem", "DeleteItem"]


def test_every_write_has_a_condition_and_every_read_sees_the_last_write(
    sessions: DynamoSessions, requests: Requests
) -> None:
    use_everything(sessions)
    for name, parameters in requests:
        assert (parameters["ConsistentRead"] is True) if name == "GetItem" else parameters["ConditionExpression"]


def test_the_role_of_the_function_allows_exactly_these(sessions: DynamoSessions, requests: Requests) -> None:
    use_everything(sessions)
    assert {f"dynamodb:{name}" for name, _ in requests} == granted("McpRole")[TABLE]


def test_the_table_forgets_a_session_no_sooner_than_it_ends(sessions: DynamoSessions) -> None:
    sessions.add(SESSION)
    (row,) = client(None).scan(TableName=sessions._table.name)["Items"]
    assert END <= int(row["expires_at"].get("N", "")) < END + 1
    sessions.extend(ANN, SESSION.id, NOW, END + 3_600)
    (row,) = client(None).scan(TableName=sessions._table.name)["Items"]
    assert END + 3_600 <= int(row["expires_at"].get("N", "")) < END + 3_601
