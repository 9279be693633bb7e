"""`PUT /_cluster/settings`: the one setting that the documentation has clients send before they use the MCP server."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from groundwire.dialects.opensearch.errors import JSON_TYPE, OpenSearchError, illegal_argument, not_served
from groundwire.dialects.opensearch.http_rules import (
    answered,
    check_parameters,
    content_type_error,
    with_version,
    wrong_method_response,
)
from groundwire.dialects.opensearch.rest.json_bodies import expect_object, read_json, validation_error
from groundwire.domain.text.json_values import is_mapping
from groundwire_mcp.transport.http import HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import RestRequest
    from groundwire.services.call_context import CallContext

_KEY: Final = ("plugins", "ml_commons", "mcp_server_enabled")
_FLAT_KEY: Final = ".".join(_KEY)
_SCOPES: Final = ("persistent", "transient")
_FLAT: Final = "flat_settings"
_PARAMETERS: Final = frozenset({_FLAT, "timeout", "cluster_manager_timeout", "master_timeout"})
_MOST_TEXT_CHARACTERS: Final = 128


def put_settings(call: "CallContext", request: "RestRequest") -> HttpResponse:
    """Return the answer to a change of settings: that the MCP server is on is acknowledged, all else is an error."""
    http = request.http
    if http.method != "PUT":
        return with_version(wrong_method_response(http.path, http.method, ["PUT"]))
    error = content_type_error(http)
    return with_version(error) if error is not None else answered(call, partial(_acknowledge, request))


def _acknowledge(request: "RestRequest") -> HttpResponse:
    check_parameters(request.http.path, request.query, _PARAMETERS)
    body = expect_object(read_json(request.http.body))
    given = {scope: _flat(expect_object(body[scope])) for scope in _SCOPES if body.get(scope) is not None}
    if not any(given.values()):
        raise validation_error("no settings to update")
    for scope, settings in given.items():
        for name, value in settings.items():
            _check(scope, name, value)
    is_flat = parse_qs(request.query, keep_blank_values=True).get(_FLAT, ["false"])[-1] in {"", "true"}
    answer: dict[str, Any] = {"acknowledged": True}
    for scope in _SCOPES:
        answer[scope] = _shown(is_flat=is_flat) if given.get(scope) else {}
    return json_response(HTTPStatus.OK, answer, {"content-type": JSON_TYPE})


def _check(scope: str, name: str, value: object) -> None:
    """Check that a setting is the known one, and that it stays as it is.

    Raises:
        OpenSearchError: it is another one, or has another value than true.
    """
    if name != _FLAT_KEY:
        shown = name[:_MOST_TEXT_CHARACTERS]
        reason = f"{scope} setting [{shown}], not recognized"
        raise OpenSearchError(HTTPStatus.BAD_REQUEST, "settings_exception", reason)
    # A node takes a boolean and its text alike.
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if value is None or text == "false":
        raise not_served(f"{_FLAT_KEY}: {text}", "the MCP server is always on, take the scope search from keys instead")
    if text != "true":
        shown = text[:_MOST_TEXT_CHARACTERS]
        raise illegal_argument(f"Failed to parse value [{shown}] as only [true] or [false] are allowed.")


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    """Return the settings by their full names, in whatever way they are nested."""
    flat: dict[str, object] = {}
    for name, value in settings.items():
        full = f"{prefix}{name}"
        flat |= _flat(value, f"{full}.") if is_mapping(value) else {full: value}
    return flat


def _shown(*, is_flat: bool) -> Mapping[str, object]:
    if is_flat:
        return {_FLAT_KEY: "true"}
    first, second, third = _KEY
    return {first: {second: {third: "true"}}}
