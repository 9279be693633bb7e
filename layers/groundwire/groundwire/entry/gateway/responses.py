"""HTTP responses from function results by the rules of payload format 2.0, and the gateway's own responses."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from groundwire.domain.errors import DomainError
from groundwire.domain.text.json_values import is_list, is_mapping, mapping_or_empty


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """A response; header names in lower case, `set-cookie` may repeat."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def with_header(self, name: str, value: str) -> "GatewayResponse":
        """Return the response with one more header."""
        return replace(self, headers=(*self.headers, (name, value)))

    def with_connection_close(self) -> "GatewayResponse":
        """Return the response with a header that closes the connection."""
        return self.with_header("connection", "close")


_FINAL_STATUSES: Final = range(200, 600)
_FIELD_NAME: Final = re.compile(r"[-!#$%&'*+.^_`|~0-9a-z]+")
_FIELD_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class MalformedResponseError(DomainError):
    """An error for a function result that API Gateway cannot turn into a response."""


def message_response(status: HTTPStatus, message: str | None = None) -> GatewayResponse:
    """Return the gateway's own response `{"message": ...}`, by default with the status's reason phrase."""
    body = json.dumps({"message": message or status.phrase}, separators=(",", ":")).encode()
    return GatewayResponse(status.value, (("content-type", "application/json"),), body)


NOT_FOUND: Final = message_response(HTTPStatus.NOT_FOUND)
FORBIDDEN: Final = message_response(HTTPStatus.FORBIDDEN)
INTERNAL_ERROR: Final = message_response(HTTPStatus.INTERNAL_SERVER_ERROR)
BODY_TOO_LARGE: Final = message_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Request Entity Too Large")
HEADERS_TOO_LARGE: Final = message_response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)


def unavailable(retry_after_s: int) -> GatewayResponse:
    """Return the response of a server that has no room for the call, with the time after which to repeat it."""
    return message_response(HTTPStatus.SERVICE_UNAVAILABLE).with_header("retry-after", str(retry_after_s))


def response_from_result(result: object) -> GatewayResponse:
    """Return the response that API Gateway makes of a function's result.

    A result without `statusCode` is itself the JSON body of a 200.

    Raises:
        MalformedResponseError: the result is neither a response nor JSON.
    """
    members = mapping_or_empty(result)
    if "statusCode" not in members:
        return GatewayResponse(HTTPStatus.OK, (("content-type", "application/json"),), _json(result))
    headers = _headers(members.get("headers"))
    if "content-type" not in headers:
        headers["content-type"] = "text/plain;charset=UTF-8"
    fields = (*headers.items(), *_cookies(members.get("cookies")))
    for name, value in fields:
        if not (_FIELD_NAME.fullmatch(name) and _FIELD_VALUE.fullmatch(value)):
            raise MalformedResponseError("a header cannot be sent as HTTP")
    return GatewayResponse(_status(members["statusCode"]), fields, _body(members))


def _status(value: object) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal() or int(text) not in _FINAL_STATUSES:
        raise MalformedResponseError("statusCode must be a number from 200 to 599")
    return int(text)


def _headers(value: object) -> dict[str, str]:
    """Return headers by lower-case name, without the content length, which the gateway sets."""
    if value is None:
        return {}
    if not is_mapping(value):
        raise MalformedResponseError("headers must be an object")
    headers: dict[str, str] = {}
    for name, item in value.items():
        if not isinstance(item, str | int | float):
            raise MalformedResponseError("a header's value must be a string, a number or a boolean")
        headers[name.lower()] = json.dumps(item) if isinstance(item, bool) else str(item).strip(" \t")
    headers.pop("content-length", None)
    return headers


def _cookies(value: object) -> list[tuple[str, str]]:
    """Return a header for each cookie."""
    if value is None:
        return []
    if not is_list(value):
        raise MalformedResponseError("cookies must be a list")
    return [("set-cookie", str(cookie)) for cookie in value]


def _body(members: Mapping[str, object]) -> bytes:
    body = members.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        # An object is serialised; bytes have no JSON form and fail here as in the cloud.
        return _json(body)
    if members.get("isBase64Encoded") is not True:
        return body.encode()
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise MalformedResponseError("the body is not base64") from error


def _json(value: object) -> bytes:
    try:
        return json.dumps(value, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise MalformedResponseError("the result is not JSON") from error
