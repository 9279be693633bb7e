"""The validation of all responses finds what it is there to find, and lets pass what the schemas allow."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire_mcp.transport.http import HttpRequest, HttpResponse
from tests.support.plugins.response_schemas import check
from tests.support.plugins.response_watch import Watch

ROOT = Path(__file__).parents[2]
JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream", "x-accel-buffering": "no"}
TWINS = HttpRequest(
    "POST", "/mcp", {}, b'[{"id": 1, "method": {}}, {"id": 1, "method": "ping"}, {"id": 1, "method": "tools/list"}]'
)
TOOLS = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}
CACHED = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
EXTRA = {"status": "success", "segments": [], "content": [], "isError": False}
PROGRESS = {"progressToken": 1, "progress": 1}

A_TEST_WITH_A_BAD_RESPONSE = """
from groundwire_mcp.transport.http import HttpRequest
from groundwire_mcp.definitions.tools import ToolResult
from tests.mcp_core.requests import EVERYTHING, JSON_HEADERS, SERVER, message

class Bare:
    def wire(self):
        return {"type": "text"}

def ask(monkeypatch):
    monkeypatch.setattr("groundwire_mcp.definitions.content.content_to_json", lambda blocks, version: [Bare().wire()])
    body = message(None, "tools/call", {"name": "find", "arguments": {"term": "x"}})
    import json
    SERVER.handle(HttpRequest("POST", "/mcp", JSON_HEADERS, json.dumps(body).encode()), EVERYTHING)

def test_that_looks_at_nothing(monkeypatch):
    ask(monkeypatch)

def test_on_a_thread(monkeypatch):
    from threading import Thread
    thread = Thread(target=ask, args=(monkeypatch,))
    thread.start()
    thread.join()

def test_of_something_else():
    pass
"""


def request(method: str, version: str | None = None, identifier: object = 1) -> HttpRequest:
    headers = {} if version is None else {"mcp-protocol-version": version}
    return HttpRequest("POST", "/mcp", headers, json.dumps({"id": identifier, "method": method}).encode())


def response(payload: object, status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(status, headers or JSON, json.dumps(payload).encode())


def success(result: object, identifier: object = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "result": result}


def failure(code: int, identifier: object = 1, **more: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": "no", **more}}


def events(*messages: object) -> HttpResponse:
    body = "".join(f"event: message\ndata: {json.dumps(each)}\n\n" for each in messages)
    return HttpResponse(200, EVENTS, body.encode())


def reported(method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


VALID = {
    "a list": (request("tools/list"), response(success(TOOLS))),
    "a list with hints": (request("tools/list", "2026-07-28"), response(success(TOOLS | CACHED))),
    "more than the schema asks for": (request("tools/call"), response(success(EXTRA))),
    "a method of nobody's schema": (request("x/echo"), response(success({"a": 1}))),
    "an error without an id": (request("ping"), response(failure(-32700, None), 400)),
    "nothing, taken note of": (request("notifications/x"), HttpResponse(202, {}, b"")),
    "a batch": (HttpRequest("POST", "/mcp", {}, b'[{"id": 1, "method": "ping"}]'), response([success({})])),
    "a batch of one id": (TWINS, response([failure(-32600), success({}), success(TOOLS)])),
    "events": (request("ping"), events(reported("notifications/progress", PROGRESS), success({}))),
}
INVALID = {
    "a tool without a schema": (request("tools/list"), response(success({"tools": [{"name": "a"}]}))),
    "no hints where they are due": (request("tools/list", "2026-07-28"), response(success(TOOLS))),
    "a method of another revision": (request("ping", "2026-07-28"), response(success({"resultType": "complete"}))),
    "a revision that is none": (request("tools/list", "1999-01-01"), response(success(TOOLS))),
    "another id": (request("ping"), response(success({}, 2))),
    "an error with another id": (request("ping"), response(failure(-32600, 2))),
    "a result that is none": (request("tools/list"), response(success([]))),
    "result and error": (request("ping"), response({**success({}), **failure(-32603)})),
    "a code that is no number": (request("ping"), response({**failure(1), "error": {"code": "x", "message": ""}})),
    "an unsupported version without the supported": (request("ping", "2026-07-28"), response(failure(-32022), 400)),
    "a code of another era": (request("ping"), response(failure(-32020), 400)),
    "no JSON": (request("ping"), HttpResponse(200, JSON, b"oops")),
    "another type": (request("ping"), response(success({}), headers={"content-type": "text/plain"})),
    "nothing at all": (request("ping"), HttpResponse(200, {}, b"")),
    "something where nothing is due": (request("ping"), response(success({}), 202)),
    "a notification of no revision": (request("ping"), events(reported("notifications/made_up", {}), success({}))),
    "a bad notification": (request("ping"), events(reported("notifications/progress", {}), success({}))),
    "a result of neither": (
        HttpRequest("POST", "/mcp", {}, TWINS.body.replace(b"ping", b"prompts/list")),
        response([success({})]),
    ),
    "a broken stream": (request("ping"), HttpResponse(200, EVENTS, b"data: {}")),
}


@pytest.mark.parametrize("name", VALID)
def test_a_response_of_its_schema_passes(name: str) -> None:
    check(*VALID[name])


@pytest.mark.parametrize("name", INVALID)
def test_any_other_response_is_reported_once(name: str) -> None:
    watch = Watch()
    watch._see(*INVALID[name])
    with pytest.raises(AssertionError, match="No valid response"):
        watch.report()
    watch.report()


def test_a_test_fails_for_a_bad_response_that_it_does_not_look_at(tmp_path: Path) -> None:
    file = tmp_path / "test_bad.py"
    file.write_text(A_TEST_WITH_A_BAD_RESPONSE)
    options = ("-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", str(ROOT), "-c", "pyproject.toml")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(file)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "2 failed, 1 passed" in run.stdout, run.stdout + run.stderr
    assert run.stdout.count("No valid response") >= 2
