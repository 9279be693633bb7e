"""The deployed functions over the tables, the secret and the audit log of the template, as the gateway calls them."""

import json
from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import boto3
import pytest
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.audit_lines.line import GENESIS, parse
from groundwire.adapters.aws.tenants import DynamoTenants, TenantTables
from groundwire.domain.credentials import Tenant
from groundwire.domain.errors import Invalid
from groundwire.entry.gateway.events import Request, authorizer_event, function_event
from groundwire.entry.gateway.invocation import load
from groundwire.entry.gateway.template import read_routes
from groundwire.services.keys import KeyCare
from tests.engines import dynamodb, tables
from tests.orders import agents_key

ROUTE: Final = "ANY /mcp"
GROUP: Final = "audit"
_TEMPLATE = Path(__file__).parents[2] / "template.yaml"
_VARIABLES = {
    "KeysTable": "KEYS_TABLE",
    "UsersTable": "USERS_TABLE",
    "DocumentsTable": "DOCUMENTS_TABLE",
    "SessionsTable": "SESSIONS_TABLE",
}


class Deployment:
    """What a stack makes, in this process; `key` is one that acts for others."""

    def __init__(self, made: Mapping[str, str]) -> None:
        places = TenantTables(made["KeysTable"], made["UsersTable"], made["DocumentsTable"], made["SessionsTable"])
        self.tenants = DynamoTenants(dynamodb.client(None), places)
        self.tenants.add(Tenant("t_acme", "acme", 6_000, 1_000, 0.0))
        services = wiring.calls()
        care = KeyCare(services.keys, self.tenants, services.secrets.pepper, "live", _ones, lambda: 1_000.0)
        order = replace(agents_key("t_acme"), expires_in_days="never")
        self.key = care.create(order).text.reveal()
        route = next(route for route in read_routes(_TEMPLATE) if route.key == ROUTE)
        assert route.authorizer is not None
        self._authorizer, self._mcp = load(route.authorizer), load(route.function)

    def answer(
        self, body: object, user: str = "maria", session: str | None = None, method: str = "POST"
    ) -> dict[str, Any]:
        """What the gateway gets for a call."""
        told = {"authorization": f"Bearer {self.key}", "x-user-id": user, "content-type": "application/json"}
        headers = (*told.items(), *(() if session is None else (("mcp-session-id", session),)))
        request = Request(method, "/mcp", "", headers, json.dumps(body).encode() if body else b"", "127.0.0.1")
        event = function_event(request, ROUTE, {})
        decided: Any = self._authorizer.invoke(authorizer_event(event))
        context: Any = event["requestContext"]
        answer: Any = self._mcp.invoke(
            {**event, "requestContext": {**context, "authorizer": {"lambda": decided["context"]}}}
        )
        return dict(answer)

    def audit_lines(self) -> list[bytes]:
        """All of them, stream by stream."""
        logs = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
        names = [one.get("logStreamName", "") for one in logs.describe_log_streams(logGroupName=GROUP)["logStreams"]]
        events = [
            event for name in names for event in logs.get_log_events(logGroupName=GROUP, logStreamName=name)["events"]
        ]
        return [f"{event.get('message')}\n".encode() for event in events]


def _ones(count: int) -> bytes:
    return b"\x01" * count


def message(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.fixture
def deployment(monkeypatch: pytest.MonkeyPatch) -> Generator[Deployment]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "mcp")
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.delenv("GROUNDWIRE_HOME", raising=False)
    with mock_aws():
        made = tables.create(dynamodb.client(None))
        for logical_id, variable in _VARIABLES.items():
            monkeypatch.setenv(f"GROUNDWIRE_{variable}", made[logical_id])
        boto3.client("logs").create_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
        secret = boto3.client("secretsmanager").create_secret(  # pyright: ignore[reportUnknownMemberType]
            Name="secret", SecretString=json.dumps({"root": "r" * 43})
        )
        monkeypatch.setenv("GROUNDWIRE_AUDIT_LOG_GROUP", GROUP)
        monkeypatch.setenv("GROUNDWIRE_SECRET", secret["ARN"])
        wiring.reset()
        yield Deployment(made)
    wiring.reset()


def test_a_client_shakes_hands_lists_and_leaves_and_each_call_is_a_line_of_one_chain(deployment: Deployment) -> None:
    begun = deployment.answer(message("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={}))
    session = begun["headers"]["mcp-session-id"]

    listed = deployment.answer(message("tools/list"), session=session)
    ended = deployment.answer(None, session=session, method="DELETE")
    gone = deployment.answer(message("tools/list"), session=session)

    assert "rag_search" in {tool["name"] for tool in json.loads(listed["body"])["result"]["tools"]}
    assert (begun["statusCode"], ended["statusCode"], gone["statusCode"]) == (200, 204, 404)
    lines = [parse(line) for line in deployment.audit_lines()]
    told = [json.loads(line) for line in deployment.audit_lines()]
    assert [one["sequence"] for one in told] == [1, 2, 3, 4]
    assert {one["tenant"] for one in told} == {"t_acme"}
    chain = [(line.prev, line.hash) for line in lines if line is not None]
    assert [before for before, _ in chain] == [GENESIS, *(after for _, after in chain[:-1])]


def test_a_session_is_unknown_to_another_user_of_the_same_key(deployment: Deployment) -> None:
    begun = deployment.answer(message("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={}))

    answer = deployment.answer(message("ping"), user="joe", session=begun["headers"]["mcp-session-id"])

    assert answer["statusCode"] == 404


def test_a_citation_is_verified_from_the_registry_alone(deployment: Deployment) -> None:
    arguments = {"segment_uid": "doc_0123456789abcdef.0123456789abcdef"}
    answer = deployment.answer(message("tools/call", name="verify_document_access", arguments=arguments))

    assert json.loads(answer["body"])["result"]["has_access"] is False


def test_a_search_without_an_index_is_worth_another_try_and_does_not_describe_the_deployment(
    deployment: Deployment,
) -> None:
    answer = deployment.answer(message("tools/call", name="rag_search", arguments={"search_phrases": ["pumps"]}))

    error = json.loads(answer["body"])["error"]
    assert (error["code"], error["data"]["retryable"]) == (-32000, True)
    assert "home folder" not in answer["body"]


def test_a_wrong_secret_is_answered_like_an_unknown_key(deployment: Deployment) -> None:
    deployment.key = deployment.key[:-10] + "0" * 10

    assert deployment.answer(message("ping"))["statusCode"] == 401


def test_an_answer_whose_audit_line_is_not_taken_is_not_given_and_the_next_begins_another_chain(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert deployment.answer(message("ping"))["statusCode"] == 200
    logs = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
    logs.delete_log_group(logGroupName=GROUP)
    lost = deployment.answer(message("ping"))
    logs.create_log_group(logGroupName=GROUP)

    again = deployment.answer(message("ping"))

    assert (lost["statusCode"], again["statusCode"]) == (503, 200)
    assert int(lost["headers"]["retry-after"]) > 0
    (line,) = deployment.audit_lines()
    assert json.loads(line)["sequence"] == 1
    assert json.loads(line)["stream"].endswith("/2")


def test_a_function_that_was_not_told_its_table_says_which(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDWIRE_USERS_TABLE")
    wiring.reset()

    with pytest.raises(Invalid, match="GROUNDWIRE_USERS_TABLE"):
        _ = wiring.calls().users
