"""What every response to an MCP client is: one message, several, events of them, or nothing; each of its schema."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, cast

from groundwire_mcp.transport.http import HttpRequest, HttpResponse

Payload = dict[str, Any]

_UNVERSIONED: Final = "2025-03-26"
"""What a request without a version header speaks."""
_STATELESS: Final = "2026-07-28"
_EMPTY: Final = frozenset({HTTPStatus.ACCEPTED, HTTPStatus.NO_CONTENT})
_ENGINE_PATHS: Final = frozenset({"/_plugins/_ml/mcp", "/_plugins/_ml/mcp/"})
"""OpenSearch's MCP server reads no version header, and refuses by HTTP in the form of its REST API."""
_ENGINE_REFUSALS: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_ACCEPTABLE})


def check(request: HttpRequest, response: HttpResponse) -> None:
    """Raises AssertionError, KeyError or ValueError unless the response is one that the request may have."""
    if request.path in _ENGINE_PATHS:
        request = request._replace(
            headers={name: value for name, value in request.headers.items() if name != "mcp-protocol-version"}
        )
        if _is_engine_refusal(request, response):
            return
    if not response.body:
        assert response.status in _EMPTY, f"{response.status} without a body"
        return
    assert response.status not in _EMPTY, f"{response.status} with a body"
    if response.headers["content-type"] == "text/event-stream":
        *before, last = _events(response)
        _check_notifications(before, _speaks(request))
    else:
        assert response.headers["content-type"] == "application/json"
        last = json.loads(response.body)
    if request.path != "/mcp" and (response.status, last) == (HTTPStatus.NOT_FOUND, {"message": "Not Found"}):
        # As the gateway answers a path without a route.
        return
    if isinstance(last, list):
        for each in cast("list[Payload]", last):
            _check_response(each, request)
        return
    _check_response(last, request)


def _is_engine_refusal(request: HttpRequest, response: HttpResponse) -> bool:
    """A refusal before a message is read: its form is exact, and no other one is taken for it."""
    if request.method in {"GET", "HEAD"} and response.status == HTTPStatus.METHOD_NOT_ALLOWED:
        assert not response.body
        return True
    if response.headers.get("content-type") != "application/json; charset=UTF-8":
        return False
    payload = json.loads(response.body)
    assert response.status in _ENGINE_REFUSALS
    assert payload.keys() == {"error", "status"}
    assert payload["status"] == response.status
    assert (request.method == "POST") == (response.status != HTTPStatus.METHOD_NOT_ALLOWED)
    return True


def _events(response: HttpResponse) -> list[Payload]:
    assert (response.status, response.headers["x-accel-buffering"]) == (HTTPStatus.OK, "no")
    text = response.body.decode()
    assert text.endswith("\n\n")
    events = text.removesuffix("\n\n").split("\n\n")
    assert all(event.startswith("event: message\ndata: ") and event.count("\n") == 1 for event in events)
    return [json.loads(event.partition("data: ")[2]) for event in events]


def _check_notifications(notifications: list[Payload], version: str) -> None:
    # Late, here and below: half a second that runs without a single response do not pay.
    from mcp_types.jsonrpc import jsonrpc_message_adapter
    from mcp_types.methods import parse_server_notification

    for each in notifications:
        jsonrpc_message_adapter.validate_python(each)
        parse_server_notification(each["method"], version, each["params"])


def _check_response(payload: Payload, request: HttpRequest) -> None:
    from mcp_types.jsonrpc import jsonrpc_message_adapter

    if "id" in payload:
        jsonrpc_message_adapter.validate_python(payload)
    else:
        # The adapter serves all versions at once and wants a null, which the schemas from 2025-11-25 on do not know.
        from mcp_types._v2026_07_28 import JSONRPCErrorResponse

        JSONRPCErrorResponse.model_validate(payload)
    assert set(payload) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}, {"jsonrpc", "error"}), sorted(
        payload
    )
    if "error" in payload:
        _check_error(payload, request)
    else:
        methods = {
            each["method"]
            for each in _requests(request)
            if each.get("id") == payload["id"] and isinstance(each.get("method"), str)
        }
        assert methods, f"nobody sent id {payload['id']!r}"
        _check_result_of_any(payload["result"], sorted(methods), _speaks(request))


def _check_result_of_any(result: Payload, methods: list[str], version: str) -> None:
    """Requests of a batch may share an id: then the result is to be one of theirs."""
    *others, last = methods
    for method in others:
        try:
            return _check_result(result, method, version)
        except (AssertionError, LookupError, ValueError):
            continue
    return _check_result(result, last, version)


def _check_result(result: Payload, method: str, version: str) -> None:
    from mcp_types.methods import SERVER_RESULTS, SPEC_CLIENT_METHODS, validate_server_result

    if method == "initialize":
        version = result["protocolVersion"]
    if (method, version) in SERVER_RESULTS:
        validate_server_result(method, version, result)
        return
    assert method not in SPEC_CLIENT_METHODS, f"{version} has no {method}, which was answered with a result"


def _check_error(payload: Payload, request: HttpRequest) -> None:
    if payload.get("id") is None:
        # The schemas from 2025-11-25 on know no id that is null, those before none that is left out.
        named = request.headers.get("mcp-protocol-version", "").strip(" \t")
        if "id" not in payload:
            assert (named or _named_in_body(request)) >= "2025-11-25", "no id, in a version whose errors have one"
        else:
            assert named < "2025-11-25", "an id of null, in a version that has none"
    else:
        assert any(each.get("id") == payload["id"] for each in _requests(request)), f"nobody sent id {payload['id']!r}"
    model = _error_models().get(payload["error"]["code"])
    if model is not None:
        assert _speaks(request) == _STATELESS or "_meta" in request.body.decode(), "an error code of another era"
        model(payload)


def _error_models() -> Mapping[int, Callable[[object], object]]:
    from mcp_types import _v2026_07_28 as stateless

    return {
        -32020: stateless.HeaderMismatchError.model_validate,
        -32021: stateless.MissingRequiredClientCapabilityError.model_validate,
        -32022: stateless.UnsupportedProtocolVersionError.model_validate,
    }


def _requests(request: HttpRequest) -> list[Payload]:
    """The messages of the body; what is none of them answers to no id."""
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        return []
    return [each for each in (sent if isinstance(sent, list) else [sent]) if isinstance(each, dict)]


def _named_in_body(request: HttpRequest) -> str:
    """The version that a message names in its `_meta` or to begin with; empty where it names none."""
    for each in _requests(request):
        params = each.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        named = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
        begins = params.get("protocolVersion") if isinstance(params, dict) else None
        return str(named or begins or "")
    return ""


def _speaks(request: HttpRequest) -> str:
    return request.headers.get("mcp-protocol-version", _UNVERSIONED).strip(" \t")
