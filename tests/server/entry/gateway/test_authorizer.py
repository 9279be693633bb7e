"""The authorizer runs first, and the function receives its context in the form of API Gateway."""

import json

import httpx
import pytest

from tests.server.entry.gateway.probe import ProbeStack

ADMITS = {"isAuthorized": True}


def ask(http: httpx.Client, decision: object, **headers: str) -> httpx.Response:
    text = decision if isinstance(decision, str) else json.dumps(decision)
    return http.post("/guarded", content=b"{}", headers={"x-verdict": text, **headers})


def test_the_authorizer_gets_a_request_event_of_payload_2_without_the_body(
    http: httpx.Client, stack: ProbeStack
) -> None:
    http.post("/guarded?a=1", content=b'{"secret": 1}', headers={"content-type": "application/json", "X-Key": "k"})
    event = json.loads(stack.authorizer_calls[-1])
    assert (event["version"], event["type"], event["identitySource"]) == ("2.0", "REQUEST", None)
    assert event["routeArn"].endswith("/$default/POST/guarded")
    assert event["headers"]["x-key"] == "k"
    assert event["queryStringParameters"] == {"a": "1"}
    assert "body" not in event


def test_the_context_is_where_api_gateway_puts_it(http: httpx.Client) -> None:
    context = {"tenant": "t1", "headerUser": "maria", "topN": 8, "scopes": ["search"]}
    event = ask(http, {**ADMITS, "context": context}).json()["event"]
    assert event["requestContext"]["authorizer"] == {"lambda": context}


def test_the_mapped_header_is_the_contexts_whatever_the_client_sent(http: httpx.Client) -> None:
    decision = {**ADMITS, "context": {"headerUser": "maria"}}
    spoofed = ask(http, decision, **{"X-User-Id": "chief-executive"}).json()["event"]
    assert spoofed["headers"]["x-user-id"] == "maria"
    assert ask(http, decision).json()["event"]["headers"]["x-user-id"] == "maria"


@pytest.mark.parametrize("context", [{}, {"headerUser": ""}, {"headerUser": None}])
def test_a_mapping_without_a_value_keeps_the_clients_header_as_in_the_cloud(
    http: httpx.Client, context: dict[str, object]
) -> None:
    event = ask(http, {**ADMITS, "context": context}, **{"x-user-id": "from-the-client"}).json()["event"]
    assert event["headers"]["x-user-id"] == "from-the-client"


def test_a_call_that_is_not_authorized_gets_the_fixed_403_and_never_reaches_the_function(http: httpx.Client) -> None:
    answer = ask(http, {"isAuthorized": False, "context": {"headerUser": "maria"}})
    assert (answer.status_code, answer.json()) == (403, {"message": "Forbidden"})


@pytest.mark.parametrize(
    "decision", ["crash", {}, [], "null", {"isAuthorized": "true"}, {"isAuthorized": 1}, {**ADMITS, "context": [1]}]
)
def test_a_failing_authorizer_or_an_invalid_answer_admits_no_call(http: httpx.Client, decision: object) -> None:
    answer = ask(http, decision)
    assert (answer.status_code, answer.json()) == (500, {"message": "Internal Server Error"})


def test_a_route_without_authorizer_calls_no_authorizer(http: httpx.Client, stack: ProbeStack) -> None:
    before = len(stack.authorizer_calls)
    assert http.get("/echo").status_code == 200
    assert len(stack.authorizer_calls) == before


def test_every_call_is_authorized_again(http: httpx.Client, stack: ProbeStack) -> None:
    before = len(stack.authorizer_calls)
    for user in ("alice", "bob"):
        event = ask(http, {**ADMITS, "context": {"headerUser": user}}, authorization="Bearer same").json()["event"]
        assert event["headers"]["x-user-id"] == user
    assert len(stack.authorizer_calls) == before + 2
