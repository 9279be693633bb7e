"""Requests of sessions to DynamoDB: their number, and that the function's role allows no others."""

from collections.abc import Generator
from typing import Any

import pytest
from moto import mock_aws

from groundwire.adapters.aws.dynamodb.sessions import key_slots
from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions
from groundwire_mcp.definitions.sessions import UNUSED_SESSION_SECONDS
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


def test_every_method_sends_one_request_and_a_new_session_two_more(
    sessions: DynamoSessions, requests: Requests
) -> None:
    use_everything(sessions)
    opening, used = [name for name, _ in requests[:3]], [name for name, _ in requests[3:]]
    assert opening == ["PutItem", "UpdateItem", "UpdateItem"]
    assert used == ["GetItem", "UpdateItem", "UpdateItem", "DeleteItem"]


def test_a_session_beyond_the_number_of_its_key_costs_two_requests_more(
    sessions: DynamoSessions, requests: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_slots, "MAX_KEY_SESSIONS", 2)
    for number in range(3):
        requests.clear()
        unused = SESSION._replace(id=f"{number}", created_at=NOW, expires_at=NOW + UNUSED_SESSION_SECONDS)
        sessions.add(unused)
    assert [name for name, _ in requests] == ["PutItem", "UpdateItem", "UpdateItem", "DeleteItem", "UpdateItem"]


def test_every_write_has_a_condition_and_every_read_sees_the_last_write(
    sessions: DynamoSessions, requests: Requests
) -> None:
    use_everything(sessions)
    for name, parameters in requests:
        assert (parameters["ConsistentRead"] is True) if name == "GetItem" else parameters["ConditionExpression"]


def test_the_role_of_the_function_allows_exactly_these(sessions: DynamoSessions, requests: Requests) -> None:
    use_everything(sessions)
    assert {f"dynamodb:{name}" for name, _ in requests} == granted("McpRole")[TABLE]


def session_row(sessions: DynamoSessions) -> dict[str, Any]:
    rows = client(None).scan(TableName=sessions._table.name)["Items"]
    (row,) = (row for row in rows if "ends_at" in row)
    return row


def test_the_table_forgets_a_session_no_sooner_than_it_ends(sessions: DynamoSessions) -> None:
    sessions.add(SESSION)
    row = session_row(sessions)
    assert END <= int(row["expires_at"].get("N", "")) < END + 1
    sessions.extend(ANN, SESSION.id, NOW, END + 3_600)
    row = session_row(sessions)
    assert END + 3_600 <= int(row["expires_at"].get("N", "")) < END + 3_601
