"""HTTP Basic on the routes of the engine: a personal key as password, and on no other route."""

import base64
from typing import Any

import pytest

from groundwire.entry.authorizer import build_handler
from tests.server.dialects.opensearch.node import JSON, MCP, Node, refusal
from tests.support.worlds.world import Answer, caller

COUNT = "/opensearch/handbook/_count"


def basic(pair: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def requested(node: Node, headers: dict[str, str], path: str = COUNT, method: str = "GET") -> Answer:
    return node.world.request(method, path, {**JSON, **headers}, b"")


@pytest.fixture
def personal(node: Node) -> str:
    return node.world.personal_key(node.tenant, "ben", frozenset()).secret.reveal()


@pytest.mark.parametrize("scheme", ["Basic", "basic", "BASIC"])
def test_a_personal_key_is_admitted_with_its_own_rights(node: Node, personal: str, scheme: str) -> None:
    headers = {"Authorization": basic(f"key:{personal}")["authorization"].replace("Basic", scheme)}
    assert requested(node, headers).payload["count"] == 4
    assert requested(node, {"authorization": f"Bearer {personal}"}).payload["count"] == 4
    assert requested(node, headers, "/opensearch/").status == requested(node, headers, "/opensearch").status == 200


def test_every_other_pair_gets_the_same_401_with_a_basic_challenge(node: Node, personal: str) -> None:
    wrong = [
        basic(f"admin:{personal}"),
        basic(f"Key:{personal}"),
        basic(personal),
        basic(f":{personal}"),
        basic("key:"),
        basic("key: "),
        basic(f"key: {personal}"),
        basic("key:\N{LATIN SMALL LETTER U WITH DIAERESIS}"),
        basic(f"key:{personal}x"),
        basic("key:" + "a" * 5000),
        {"authorization": "Basic"},
        {"authorization": "Basic !!!"},
        {"authorization": f"Basic key:{personal}"},
        {},
    ]
    answers = [requested(node, headers) for headers in wrong]
    assert {answer.response.body for answer in answers} == {answers[0].response.body}
    assert refusal(answers[0])[:2] == (401, "security_exception")
    assert {dict(answer.response.headers)["www-authenticate"] for answer in answers} == {
        'Basic realm="groundwire", Bearer'
    }


@pytest.mark.parametrize("path", [MCP, "/mcp", "/v1/documents", "/_cluster/settings", "/_plugins/_ml/tools"])
def test_basic_credentials_are_ignored_on_other_routes(node: Node, personal: str, path: str) -> None:
    method = "POST" if path.endswith("mcp") else "GET"
    answer = requested(node, basic(f"key:{personal}"), path, method)
    assert answer.status == 401
    assert "Basic" not in dict(answer.response.headers)["www-authenticate"]


@pytest.mark.parametrize("extra", [{}, {"x-user-id": "ben"}, {"x-session-tags": '["a"]'}])
def test_a_key_that_acts_for_others_is_refused_whoever_it_names(node: Node, extra: dict[str, str]) -> None:
    answer = requested(node, {**basic(f"key:{node.key.secret.reveal()}"), **extra})
    status, type_, reason = refusal(answer)
    assert (status, type_) == (403, "security_exception")
    assert "Send a delegated key or a token as Bearer" in reason


@pytest.mark.parametrize("name", ["x-user-id", "x-session-tags"])
def test_an_identity_header_beside_a_personal_key_is_refused(node: Node, personal: str, name: str) -> None:
    assert refusal(requested(node, {**basic(f"key:{personal}"), name: "ana"}))[0] == 403


def test_the_header_of_a_model_never_counts_beside_basic(node: Node, personal: str) -> None:
    other = node.world.personal_key(node.tenant, "ana", frozenset()).secret.reveal()
    answer = requested(node, {**basic(f"key:{personal}"), "x-api-key": other})
    assert answer.payload["count"] == 4
    assert requested(node, {**basic("key:wrong"), "api-key": personal}).status == 401


def test_two_headers_of_basic_are_refused(node: Node, personal: str) -> None:
    value = basic(f"key:{personal}")["authorization"]
    answer = requested(node, {"authorization": f"{value},{value}"})
    assert refusal(answer)[0] == 400


@pytest.mark.parametrize("route", ["ANY /mcp", "ANY /v1/{proxy+}", "$default"])
def test_a_path_that_begins_alike_behind_a_mapping_reads_no_basic(node: Node, personal: str, route: str) -> None:
    handle = build_handler(node.world.services.access.authorize)
    headers = basic(f"key:{personal}")
    event = {"routeKey": route, "rawPath": "/opensearch/mcp", "headers": headers}
    assert decision_of(handle(event, None)) == "unauthenticated"
    engine = {**event, "routeKey": "ANY /opensearch/{proxy+}", "rawPath": "/stage/opensearch/_search"}
    assert decision_of(handle(engine, None)) == "admitted"


def decision_of(answer: dict[str, Any]) -> str:
    return answer["context"]["decision"]


def test_no_key_of_basic_is_in_the_answer_or_the_audit_record(node: Node, personal: str) -> None:
    headers = basic(f"key:{personal}")
    answer = requested(node, headers)
    log = (node.world.services.settings.home / "audit.jsonl").read_text()
    assert answer.payload["count"] > 0
    assert "/opensearch/" in log
    for text in (personal, headers["authorization"].partition(" ")[2]):
        assert text.encode() not in answer.bytes
        assert text not in log


def test_bearer_acts_for_others_on_these_routes(node: Node) -> None:
    assert requested(node, caller(node.key, "ana")).payload["count"] == 3
    assert requested(node, caller(node.key, "ben")).payload["count"] == 4
