"""The event that a function gets is the one that API Gateway makes, payload format 2.0."""

import base64
import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event, merged_headers
from tests.support.plugins.draws import examples


def echoed(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    return response.json()["event"]


def test_header_names_are_lower_case_and_repeats_are_joined_by_commas_in_order(http: httpx.Client) -> None:
    event = echoed(http.get("/echo", headers=[("X-User-Id", "evil"), ("X-Other", "1"), ("x-USER-id", "good")]))
    assert event["headers"]["x-user-id"] == "evil,good"
    assert event["headers"]["x-other"] == "1"


def test_header_values_are_read_as_utf_8_and_what_is_none_cannot_pass_for_a_name(http: httpx.Client) -> None:
    headers = [(b"x-user-id", "zoë@weirhaven.example".encode()), (b"x-damaged", "zoë".encode("latin-1"))]
    received = echoed(http.post("/echo", headers=headers))["headers"]
    assert received["x-user-id"] == "zoë@weirhaven.example"
    assert received["x-damaged"] == "zo\N{REPLACEMENT CHARACTER}"


def test_cookies_have_a_list_of_their_own(http: httpx.Client) -> None:
    event = echoed(http.get("/echo", headers=[("Cookie", "a=1; b=2"), ("Cookie", "c=3")]))
    assert event["cookies"] == ["a=1", "b=2", "c=3"]
    assert "cookie" not in event["headers"]


def test_the_query_is_there_raw_and_decoded(http: httpx.Client) -> None:
    event = echoed(http.get("/echo?tag=a%20b&tag=c&empty="))
    assert event["rawQueryString"] == "tag=a%20b&tag=c&empty="
    assert event["queryStringParameters"] == {"tag": "a b,c", "empty": ""}
    assert "queryStringParameters" not in echoed(http.get("/echo"))


def test_path_and_path_parameters_are_decoded(http: httpx.Client) -> None:
    event = echoed(http.get("/items/caf%C3%A9%20au%20lait"))
    assert event["rawPath"] == "/items/café au lait"
    assert event["pathParameters"] == {"item": "café au lait"}
    assert event["routeKey"] == event["requestContext"]["routeKey"] == "GET /items/{item}"


@pytest.mark.parametrize(
    ("content_type", "as_text"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("text/plain", True),
        ("text/csv; header=present", True),
        ("application/xml", True),
        ("application/javascript", True),
        ("application/x-www-form-urlencoded", False),
        ("application/octet-stream", False),
        ("application/vnd.api+json", False),
        (None, False),
    ],
)
def test_a_body_is_text_or_base64_by_its_content_type(
    http: httpx.Client, content_type: str | None, *, as_text: bool
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    event = echoed(http.post("/echo", content="größe".encode(), headers=headers))
    assert event["isBase64Encoded"] is not as_text
    assert (event["body"] if as_text else base64.b64decode(event["body"]).decode()) == "größe"


def test_text_that_is_not_utf_8_arrives_as_base64_with_every_byte(http: httpx.Client) -> None:
    event = echoed(http.post("/echo", content=b'{"a": "\xff"}', headers={"content-type": "application/json"}))
    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == b'{"a": "\xff"}'


def test_a_request_without_a_body_gives_an_event_without_one(http: httpx.Client) -> None:
    event = echoed(http.get("/echo"))
    assert "body" not in event
    assert event["isBase64Encoded"] is False


def test_the_source_address_is_the_sockets_whatever_the_headers_claim(http: httpx.Client) -> None:
    claims = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "forwarded": "for=203.0.113.9"}
    event = echoed(http.get("/echo", headers=claims))
    assert event["requestContext"]["http"]["sourceIp"] == "127.0.0.1"
    assert event["headers"]["x-forwarded-for"] == "203.0.113.9, 127.0.0.1"
    assert event["headers"]["x-forwarded-proto"] == "http"


def test_the_request_context_holds_what_api_gateways_does(http: httpx.Client) -> None:
    event = echoed(http.request("PATCH", "/echo", headers={"user-agent": "probe/1"}))
    context = event["requestContext"]
    assert event["version"] == "2.0"
    assert context["stage"] == "$default"
    assert context["domainName"] == "127.0.0.1"
    expected = {
        "method": "PATCH",
        "path": "/echo",
        "protocol": "HTTP/1.1",
        "sourceIp": "127.0.0.1",
        "userAgent": "probe/1",
    }
    assert context["http"] == expected
    assert {"accountId", "apiId", "requestId", "time", "timeEpoch"} <= context.keys()
    assert "authorizer" not in context


@pytest.mark.parametrize(
    ("host", "domain", "port"),
    [("localhost", "localhost", "80"), ("localhost:9000", "localhost", "9000"), ("[::1]", "[::1]", "80")],
)
def test_domain_and_port_come_from_the_allowed_host_header(
    http: httpx.Client, host: str, domain: str, port: str
) -> None:
    event = echoed(http.get("/echo", headers={"host": host}))
    assert event["requestContext"]["domainName"] == domain
    assert event["headers"]["x-forwarded-port"] == port


def test_each_call_has_an_id_of_its_own(http: httpx.Client) -> None:
    first, second = (http.get("/echo").json() for _ in range(2))
    assert first["event"]["requestContext"]["requestId"] != second["event"]["requestContext"]["requestId"]
    assert first["context"]["aws_request_id"] != second["context"]["aws_request_id"]


def test_the_lambda_context_names_the_function_its_memory_and_what_is_left_of_its_time(http: httpx.Client) -> None:
    context = http.get("/echo").json()["context"]
    assert context["function_name"] == "EchoFunction"
    assert context["invoked_function_arn"].endswith(":function:EchoFunction")
    assert context["memory_limit_in_mb"] == "256"
    assert 0 < context["remaining"] <= 20_000


TOKENS = st.text(st.sampled_from("abcXYZ-019"), min_size=1, max_size=6)
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=12)


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.tuples(TOKENS, VALUES), max_size=8))
def test_merging_headers_keeps_every_value_in_order(headers: list[tuple[str, str]]) -> None:
    merged = merged_headers(headers)
    for name in {name.lower() for name, _ in headers}:
        assert merged[name] == ",".join(value for other, value in headers if other.lower() == name)
    assert len(merged) == len({name.lower() for name, _ in headers})


@settings(deadline=None, max_examples=examples(60))
@given(
    path=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20),
    query=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20),
    headers=st.lists(st.tuples(TOKENS, VALUES), max_size=4),
    body=st.binary(max_size=40),
)
def test_every_request_becomes_events_that_travel_as_json(
    path: str, query: str, headers: list[tuple[str, str]], body: bytes
) -> None:
    event = function_event(GatewayRequest("POST", f"/{path}", query, tuple(headers), body, "127.0.0.1"), "$default", {})
    sent = event.get("body", "")
    assert isinstance(sent, str)
    assert (base64.b64decode(sent) if event["isBase64Encoded"] else sent.encode()) == body
    assert json.loads(json.dumps(event)) == event
    requested = authorizer_event(event)
    assert json.loads(json.dumps(requested)) == requested
