"""Resources: read by those who may, missing for everybody else."""

import pytest

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.limits import MAX_RESOURCE_URI_CHARACTERS
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import INFO, TEMPLATES, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import MODERN, RULES, VERSIONS, ask, body_of, result, status_and_code

EVE = Caller(owner=SessionOwner("t_1", "kid_1", "eve"))
MISSING = ["doc://a/9", "doc://empty", "doc://a/3", "file:///etc/passwd", "../../etc/passwd", "%00", "", "söker"]


@promise("F9", "F18")
@pytest.mark.parametrize("version", VERSIONS)
def test_text_and_bytes_are_read(version: str | None) -> None:
    text = result(version, "resources/read", {"uri": "doc://a/1"})["contents"]
    assert text == [{"uri": "doc://a/1", "mimeType": "text/plain", "text": "one"}]
    blob = result(version, "resources/read", {"uri": "doc://a/2"})["contents"]
    assert blob == [{"uri": "doc://a/2", "mimeType": "application/octet-stream", "blob": "AP8="}]
    listed = result(version, "resources/list")["resources"][0]
    assert listed == {"uri": "doc://a/0", "name": "0.txt", "mimeType": "text/plain"}
    assert result(version, "resources/templates/list")["resourceTemplates"] == [
        {
            "uriTemplate": "doc://{collection}/{id}",
            "name": "document",
            "title": "Document",
            "description": "A document.",
            "mimeType": "text/plain",
        }
    ]


@promise("F9")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("uri", MISSING)
def test_what_is_missing_empty_or_forbidden_gets_one_error(version: str | None, uri: str) -> None:
    sent = {"mcp-name": "=?base64?c8O2a2Vy?="} if uri == "söker" else {}
    answer = ask(version, "resources/read", {"uri": uri}, caller=EVE, more_headers=sent)
    other = ask(version, "resources/read", {"uri": "doc://a/9"}, caller=EVE)
    assert status_and_code(answer) == (200, -32602 if version == MODERN else -32002)
    assert body_of(answer)["error"]["data"] == {"uri": uri}
    assert body_of(answer)["error"]["message"] == body_of(other)["error"]["message"]
    assert answer.result_code == (ResultCode.UNKNOWN_RESOURCE if version == MODERN else ResultCode.MISSING_RESOURCE)


@promise("F9")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("uri", [None, 7, ["doc://a/1"], "x" * (MAX_RESOURCE_URI_CHARACTERS + 1)])
def test_a_uri_that_is_none_is_invalid_params(version: str | None, uri: object) -> None:
    answer = ask(version, "resources/read", {"uri": uri})
    assert status_and_code(answer) == (200, -32602)
    assert answer.result_code == ResultCode.INVALID_PARAMS


@promise("F9")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_resource_that_cannot_be_read_just_now_is_no_missing_one(version: str | None) -> None:
    answer = ask(version, "resources/read", {"uri": "doc://broken"})
    assert status_and_code(answer) == (200, -32603)
    assert "data" not in body_of(answer)["error"]


@promise("F9", "H23")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("uri", ["doc://a/1", "doc://a/9", 7])
def test_reading_needs_the_scope_of_resources(version: str | None, uri: object) -> None:
    answer = ask(version, "resources/read", {"uri": uri}, caller=Caller(lacks={"resources/read": "search"}))
    assert (answer.response.status, answer.result_code) == (403, ResultCode.MISSING_SCOPE)
    assert answer.response.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="search"'


@promise("F2")
def test_templates_without_resources_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="need resources"):
        McpServer(ServerDefinition(INFO, (), templates=TEMPLATES), RULES)


@promise("F2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe", "subscriptions/listen"])
def test_subscribe_is_refused_for_every_caller(version: str | None, method: str) -> None:
    answer = ask(version, method, {"uri": "doc://a/1"})
    assert status_and_code(answer) == (404 if version == MODERN else 200, -32601)
