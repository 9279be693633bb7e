"""Buffered HTTP requests and responses, without a framework."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from groundwire_mcp.jsonrpc.errors import code_for_version
from groundwire_mcp.jsonrpc.json_codec import JsonError, decode, encode
from groundwire_mcp.jsonrpc.messages import error_message, named_version, readable_id
from groundwire_mcp.versions import VERSION_HEADER

_NOT_FOUND: Final = 404
"""Status as a number: the library's enumeration costs a cold start more than the protocol takes to answer."""


class HttpRequest(NamedTuple):
    """One HTTP request.

    Attributes:
        path: without query, decoded as the gateway decodes it; empty where the event names none.
        headers: by lower-case name; duplicates joined by commas.
        query: as sent, without the question mark.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    query: str = ""


class HttpResponse(NamedTuple):
    """One HTTP response.

    Attributes:
        headers: by lower-case name.
        cookies: values of `Set-Cookie`, the one header that repeats and cannot be joined (RFC 6265, section 3).
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    cookies: tuple[str, ...] = ()


def json_response(status: int, payload: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return `payload` as a JSON response that must not be cached, since it depends on the caller's key."""
    fixed = {"content-type": "application/json", "cache-control": "no-store"}
    return HttpResponse(status, {**fixed, **(headers or {})}, encode(payload))


def no_route_response() -> HttpResponse:
    """Return the response of the gateway to a path that has no route."""
    return json_response(_NOT_FOUND, {"message": "Not Found"})


def error_response(
    http_request: HttpRequest,
    status: int,
    code: int,
    message: str,
    data: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return a JSON-RPC error for a request that is rejected before or after the protocol, with its id if readable."""
    try:
        value = decode(http_request.body)
    except JsonError:
        value = None
    version = requested_version(http_request.headers, named_version(value))
    code = code_for_version(code, status, version)
    return json_response(status, error_message(readable_id(value), code, message, data, version), headers)


def requested_version(headers: Mapping[str, str], named: str | None) -> str | None:
    """Return the revision of the version header, else the one that the body names."""
    return headers.get(VERSION_HEADER, "").strip(" \t") or named


_EVENT_STREAM_HEADERS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    # nginx would otherwise keep the events until its buffer is full.
    "x-accel-buffering": "no",
}


def event_stream_response(messages: Iterable[Mapping[str, object]], headers: Mapping[str, str]) -> HttpResponse:
    """Return the messages as an event stream; compact JSON has no line breaks, so each is one data line."""
    events = (b"event: message\ndata: " + encode(message) + b"\n\n" for message in messages)
    return HttpResponse(200, {**_EVENT_STREAM_HEADERS, **headers}, b"".join(events))
