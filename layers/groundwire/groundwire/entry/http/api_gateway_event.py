"""HTTP requests and responses in API Gateway events, payload format 2.0."""

import base64
from collections.abc import Mapping
from typing import Final

from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.protocol.transport.http import HttpRequest, HttpResponse

Event = Mapping[str, object]
LambdaResponse = dict[str, object]

UNREADABLE_BODY: Final = b"\xff"
"""Placeholder for an undecodable body: it is not UTF-8, so it gets the same error as other unreadable bodies."""


def http_request(event: Event) -> HttpRequest:
    """Return the request in an event of any form; members that differ from API Gateway's format are ignored."""
    headers = {
        name.lower(): value for name, value in mapping_or_empty(event.get("headers")).items() if isinstance(value, str)
    }
    query = event.get("rawQueryString")
    return HttpRequest(
        request_method(event), _path(event), headers, _body(event), query if isinstance(query, str) else ""
    )


def request_method(event: Event) -> str:
    """Return the HTTP method; empty where the event names none."""
    method = _http_context(event).get("method")
    return method if isinstance(method, str) else ""


def source_address(event: Event) -> str:
    """Return the address of the gateway's peer; empty where the event names none. Forwarding headers never decide."""
    address = _http_context(event).get("sourceIp")
    return address if isinstance(address, str) else ""


def lambda_response(response: HttpResponse) -> LambdaResponse:
    """Return the response in API Gateway's format; every body of this server is UTF-8 text."""
    return {
        "statusCode": response.status,
        "headers": dict(response.headers),
        "body": response.body.decode(),
        "isBase64Encoded": False,
    }


def _http_context(event: Event) -> Mapping[str, object]:
    # An event of another invoker may be no object at all.
    return mapping_or_empty(mapping_or_empty(mapping_or_empty(event).get("requestContext")).get("http"))


def _path(event: Event) -> str:
    """Return the path as the template's routes have it; empty where the event names none.

    `rawPath` begins with the name of the stage, or with the key of a domain's mapping, where there is one. The route
    that the gateway found tells how many segments at the end belong to the path.
    """
    raw_path, route_key = event.get("rawPath"), event.get("routeKey")
    if not isinstance(raw_path, str):
        return ""
    pattern = route_key.partition(" ")[2] if isinstance(route_key, str) else ""
    if not pattern.startswith("/") or "+}" in pattern:
        return raw_path
    segments = raw_path.removeprefix("/").split("/")
    return "/" + "/".join(segments[-pattern.count("/") :])


def _body(event: Event) -> bytes:
    body = event.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        return UNREADABLE_BODY
    if not event.get("isBase64Encoded"):
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError:
        return UNREADABLE_BODY
