"""Whatever the function is called with, it answers in the protocol's form and leaves one audit line."""

import base64
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire import wiring
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.authorizer_context import to_context
from groundwire.entry.mcp import Event, InvocationContext, handler
from groundwire.wiring.local.services import LocalServices
from tests.support.documents.passages import call
from tests.support.plugins.draws import examples

CONTEXT = cast("InvocationContext", SimpleNamespace(aws_request_id="request-1"))
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
JSON_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
LONG = "\u001b]0;x\u0007" * 200


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServices]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWIRE_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        wiring.reset()
        yield wiring.local_services()
        wiring.reset()


def answered(services: LocalServices, event: object) -> tuple[dict[str, Any], bytes]:
    """The response, and the one line that it left."""
    log = services.settings.home / "audit.jsonl"
    before = log.read_bytes() if log.exists() else b""
    response = handler(cast("Event", event), CONTEXT)
    written = log.read_bytes().removeprefix(before)
    assert written.count(b"\n") == 1
    return response, written


def event(decision: AuthDecision, **members: object) -> dict[str, object]:
    context = {"http": {"method": "POST"}, "authorizer": {"lambda": to_context(decision)}}
    return {"rawPath": "/mcp", "requestContext": context, "headers": JSON_HEADERS, "body": PING.decode(), **members}


ADMITTED = AuthDecision.admit(call().caller)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(
    members=st.fixed_dictionaries(
        {}, optional={"requestContext": ANYTHING, "headers": ANYTHING, "body": ANYTHING, "isBase64Encoded": ANYTHING}
    )
)
@settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_event_of_any_form_is_answered_and_recorded(services: LocalServices, members: dict[str, object]) -> None:
    response, _ = answered(services, members)
    assert response["statusCode"] == 401
    without_context = {name: value for name, value in members.items() if name != "requestContext"}
    admitted, _ = answered(services, event(ADMITTED, **without_context))
    assert json.loads(admitted["body"])["jsonrpc"] == "2.0"


@pytest.mark.parametrize("body", ["no base64!", "e30", "größe", base64.b64encode(b'{"\xff').decode(), 7])
def test_a_body_that_cannot_be_read_is_a_parse_error(services: LocalServices, body: object) -> None:
    response, _ = answered(services, event(ADMITTED, body=body, isBase64Encoded=True))
    assert response["statusCode"] == 400
    assert json.loads(response["body"])["error"]["code"] == -32700


@pytest.mark.parametrize("nothing", [None, 7, [], "text"])
def test_what_is_no_event_at_all_is_an_internal_error_that_is_recorded(
    services: LocalServices, nothing: object
) -> None:
    response, written = answered(services, nothing)
    assert json.loads(response["body"])["error"]["code"] == -32603
    assert json.loads(written)["outcome"] == "internal_error"


REFUSALS = [
    AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL),
    AuthDecision(AuthStatus.CONFLICTING_CREDENTIALS, AuthReason.SEVERAL_CREDENTIALS, header="api-key", message="Once."),
    AuthDecision(AuthStatus.OVER_LIMIT, AuthReason.TENANT_RATE, retry_after_s=9, kid="k" * 12, tenant="t_" + "0" * 16),
]


@pytest.mark.parametrize("decision", REFUSALS, ids=[decision.status.value for decision in REFUSALS])
def test_a_refused_call_leaves_little_whatever_was_sent(services: LocalServices, decision: AuthDecision) -> None:
    headers = JSON_HEADERS | {"x-human-uid": LONG, "x-app-uid": LONG, "user-agent": LONG}
    _, written = answered(services, event(decision, headers=headers))
    assert len(written) < 500
    assert json.loads(written)["decision"] == decision.status.value


def test_a_refused_call_names_its_route_and_the_address_of_the_peer_and_no_other_one(services: LocalServices) -> None:
    from_peer = {"http": {"method": "POST", "sourceIp": "203.0.113.7"}}
    headers = JSON_HEADERS | {"x-forwarded-for": "198.51.100.1"}
    for path, route in (("/mcp", "/mcp"), ("/agents/secret/mcp", None)):
        _, written = answered(services, {"rawPath": path, "requestContext": from_peer, "headers": headers})
        line = json.loads(written)
        assert (line.get("route"), line["address"], line["status"]) == (route, "203.0.113.7", 401)
        assert not any(each in written for each in (b"secret", b"198.51.100.1"))


def test_an_admitted_call_of_an_unknown_path_names_what_was_sent(services: LocalServices) -> None:
    _, written = answered(services, event(ADMITTED, rawPath=f"/nowhere/{'s' * 41}"))
    line = json.loads(written)
    assert (line["path"], line["outcome"], line["status"]) == ("POST /nowhere/…", "unknown_path", 404)
    assert "address" not in line


@pytest.mark.parametrize("sent", ["a" * 300, "é" * 300, "x" + "𐍈" * 300])
def test_the_user_agent_of_an_admitted_caller_is_kept_up_to_256_bytes(services: LocalServices, sent: str) -> None:
    _, written = answered(services, event(ADMITTED, headers=JSON_HEADERS | {"x-human-uid": sent}))
    kept = json.loads(written)["x-human-uid"]
    assert sent.startswith(kept)
    assert 252 < len(kept.encode()) <= 256
