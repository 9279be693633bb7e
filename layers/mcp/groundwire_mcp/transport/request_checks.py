"""Checks of the HTTP request before its body is read: origin, method, media types."""

from functools import lru_cache
from typing import Final

from groundwire_mcp.definitions.server import OriginRule
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.transport.http import HttpRequest
from groundwire_mcp.transport.origins import FORBIDDEN_ORIGIN_MESSAGE

_CACHED_ACCEPT_VALUES: Final = 64
"""Number of cached `Accept` values: clients send few, and parsing one takes a tenth of a whole response."""


def check_origin(request: HttpRequest, allowed: OriginRule) -> None:
    """Check that the request has no foreign origin.

    Raises:
        ProtocolError: the origin may not call this server.
    """
    if not allowed.allows(request.headers.get("origin")):
        raise ProtocolError(ResultCode.FORBIDDEN_ORIGIN, FORBIDDEN_ORIGIN_MESSAGE)


def check_method_and_media_types(request: HttpRequest) -> None:
    """Check that the request is a POST with a JSON body that accepts a JSON response.

    Raises:
        ProtocolError: the method, the content type or the accepted types are others.
    """
    if request.method != "POST":
        raise method_not_allowed()
    content_type = request.headers.get("content-type")
    if content_type is not None and _media_type(content_type) != "application/json":
        raise ProtocolError(ResultCode.WRONG_CONTENT_TYPE, "Send the body as Content-Type: application/json.")
    if not accepts_json(request.headers.get("accept", "")):
        raise ProtocolError(ResultCode.NOT_ACCEPTABLE, "Responses are application/json: add it to Accept.")


def method_not_allowed() -> ProtocolError:
    """Return the error for an HTTP method that this server does not support."""
    return ProtocolError(ResultCode.METHOD_NOT_ALLOWED, "Send MCP messages by POST.", headers={"allow": "POST"})


@lru_cache(maxsize=_CACHED_ACCEPT_VALUES)
def accepts_event_stream(accept: str) -> bool:
    """Return whether the header names `text/event-stream`; wildcards do not count, such clients expect JSON."""
    return any(_media_type(part) == "text/event-stream" and _quality(part) > 0 for part in accept.split(","))


@lru_cache(maxsize=_CACHED_ACCEPT_VALUES)
def accepts_json(accept: str) -> bool:
    """Return whether the header accepts JSON: the most specific matching range decides (RFC 9110 §12.5.1)."""
    # RFC 9110 §12.5.1: a request without the header accepts any type.
    if not accept.strip():
        return True
    qualities = {_media_type(part): _quality(part) for part in accept.split(",")}
    for media_range in ("application/json", "application/*", "*/*"):
        if media_range in qualities:
            return qualities[media_range] > 0
    return False


def _media_type(value: str) -> str:
    return value.partition(";")[0].strip().lower()


def _quality(media_range: str) -> float:
    for parameter in media_range.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            return _number(value)
    return 1.0


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0
