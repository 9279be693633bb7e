"""HTTP requests and responses in API Gateway events, payload format 2.0."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.text.json_values import is_text_list, mapping_or_empty
from groundwire.entry.http.event_paths import http_context, request_method, route_path
from groundwire.entry.http.oauth_metadata import with_challenge_copy
from groundwire_mcp.transport.http import HttpRequest, HttpResponse

Event = Mapping[str, object]
LambdaResponse = dict[str, object]

_MAX_ADDRESS_CHARACTERS: Final = 64
"""Length of an address of IPv6 with the name of its network."""
UNREADABLE_BODY: Final = b"\xff"
"""Placeholder for an undecodable body: it is not UTF-8, so it gets the same error as other unreadable bodies."""


def http_request(event: Event) -> HttpRequest:
    """Return the request in an event of any form; members that differ from API Gateway's format are ignored."""
    headers = {
        name.lower(): value for name, value in mapping_or_empty(event.get("headers")).items() if isinstance(value, str)
    }
    # The gateway takes the cookies of a request out of its headers.
    cookies = event.get("cookies")
    if is_text_list(cookies):
        headers["cookie"] = "; ".join(cookies)
    query = event.get("rawQueryString")
    return HttpRequest(
        request_method(event), route_path(event), headers, _body(event), query if isinstance(query, str) else ""
    )


def source_address(event: Event) -> str:
    """Return the address of the gateway's peer; empty where the event names none. Forwarding headers never decide."""
    address = http_context(event).get("sourceIp")
    return address if isinstance(address, str) and len(address) <= _MAX_ADDRESS_CHARACTERS else ""


def lambda_response(response: HttpResponse) -> LambdaResponse:
    """Return the response in API Gateway's format: a body that is no UTF-8 text, such as an original, as Base64."""
    try:
        body, is_encoded = response.body.decode(), False
    except UnicodeDecodeError:
        # Not before: the bodies of MCP are text.
        from base64 import b64encode

        body, is_encoded = b64encode(response.body).decode("ascii"), True
    answer: LambdaResponse = {
        "statusCode": response.status,
        "headers": with_challenge_copy(response.headers),
        "body": body,
        "isBase64Encoded": is_encoded,
    }
    return {**answer, "cookies": list(response.cookies)} if response.cookies else answer


def _body(event: Event) -> bytes:
    body = event.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        return UNREADABLE_BODY
    if not event.get("isBase64Encoded"):
        # JSON can hold a lone surrogate, which must end as a body that is not UTF-8.
        return body.encode("utf-8", "surrogatepass")
    from base64 import b64decode

    try:
        # Without `validate`, foreign characters are skipped without an error.
        return b64decode(body, validate=True)
    except ValueError:
        return UNREADABLE_BODY
