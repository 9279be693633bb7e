"""Request metadata of a stateless revision, in `_meta` and mirrored in HTTP headers.

A gateway decides by the headers without reading the body, so both must agree. Otherwise the gateway would decide about
another request.
"""

from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Iterator, Mapping
from typing import Final, cast

from groundwire_mcp.definitions.log_levels import LOG_LEVELS, parse_log_level
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.jsonrpc.messages import JsonRpcRequest
from groundwire_mcp.versions import (
    CLIENT_CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    LOG_LEVEL_KEY,
    METHOD_HEADER,
    NAME_HEADER,
    PARAM_HEADER_PREFIX,
    PROTOCOL_VERSION_KEY,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_HEADER,
)

_NAME_PARAMETERS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that `Mcp-Name` mirrors, by method."""
_BASE64_START: Final = "=?base64?"
_BASE64_END: Final = "?="
_SHOWN_CHARACTERS: Final = 32
_NUMERIC_CHARACTERS: Final = frozenset("+-.0123456789eE")


def check_request_metadata(request: JsonRpcRequest, headers: Mapping[str, str]) -> None:
    """Check that the metadata is complete, of a supported version, and equal to its headers.

    Raises:
        ProtocolError: a member is missing or invalid, the version is not supported, or a header differs.
    """
    version = request.meta.get(PROTOCOL_VERSION_KEY)
    if not isinstance(version, str) or not isinstance(request.meta.get(CLIENT_CAPABILITIES_KEY), dict):
        required = f"`{PROTOCOL_VERSION_KEY}` (a string) and `{CLIENT_CAPABILITIES_KEY}` (an object)"
        exception = f"unless {VERSION_HEADER} is one of {', '.join(HANDSHAKE_VERSIONS)}"
        problem = f"{_unknown_version(headers)}`_meta` must hold {required}, {exception}."
        raise ProtocolError(ResultCode.INVALID_ENVELOPE, f"Invalid params: {problem}")
    _check_mirrored_header(headers, VERSION_HEADER, version)
    if version not in STATELESS_VERSIONS:
        data = {"supported": list(SUPPORTED_VERSIONS), "requested": version}
        raise ProtocolError(ResultCode.UNSUPPORTED_VERSION, "Unsupported protocol version.", data=data)
    level = request.meta.get(LOG_LEVEL_KEY)
    if level is not None and parse_log_level(level) is None:
        raise ProtocolError(
            ResultCode.INVALID_ENVELOPE, f"Invalid params: `{LOG_LEVEL_KEY}` is one of {', '.join(LOG_LEVELS)}."
        )
    _check_mirrored_header(headers, METHOD_HEADER, request.method)
    name = request.params.get(_NAME_PARAMETERS.get(request.method, ""))
    if isinstance(name, str):
        _check_mirrored_header(headers, NAME_HEADER, name)


def check_mirrored_arguments(schema: Mapping[str, object], arguments: JsonObject, headers: Mapping[str, str]) -> None:
    """Check that each property marked with `x-mcp-header` has the same value in its header and in the body.

    Raises:
        ProtocolError: a header is missing, differs, or has no value in the body.
    """
    for name, value in _mirrored_properties(schema, arguments):
        header = headers.get(PARAM_HEADER_PREFIX + name.lower())
        # MCP mirrors values of primitive types alone, so an object or a list has no header.
        if isinstance(value, list | dict):
            continue
        if value is None and header is None:
            continue
        if value is None or header is None or not _header_equals(header, value):
            raise _mismatch(f"{PARAM_HEADER_PREFIX}{name}")


def decode_header(header: str) -> str | None:
    """Return the header's text: trimmed, decoded from `=?base64?…?=`; None when it is malformed."""
    text = header.strip(" \t")
    if not (text.isascii() and text.isprintable()):
        return None
    if not (text.startswith(_BASE64_START) and text.endswith(_BASE64_END)):
        return text
    try:
        # Without strict mode, foreign characters are skipped, and two different headers would have one value.
        return a2b_base64(text[len(_BASE64_START) : -len(_BASE64_END)], strict_mode=True).decode()
    except (Base64Error, UnicodeDecodeError):
        return None


def _unknown_version(headers: Mapping[str, str]) -> str:
    """Return words for a version in the header that no revision has; an empty text where it is known or missing."""
    sent = headers.get(VERSION_HEADER, "")
    if not sent or sent in SUPPORTED_VERSIONS:
        return ""
    return f"the protocol version {sent[:_SHOWN_CHARACTERS]!a} is unknown. "


def _check_mirrored_header(headers: Mapping[str, str], name: str, expected: str) -> None:
    header = headers.get(name)
    if header is None or decode_header(header) != expected:
        raise _mismatch(name)


def _mismatch(name: str) -> ProtocolError:
    message = f"Header mismatch: {name} must be sent, with the same value as in the body."
    return ProtocolError(ResultCode.HEADER_MISMATCH, message)


def _mirrored_properties(schema: Mapping[str, object], arguments: Json) -> Iterator[tuple[str, Json]]:
    """Yield header name and argument of each marked property, including those of nested objects."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return
    for key, value_schema in cast("Mapping[str, object]", properties).items():
        if not isinstance(value_schema, Mapping):
            continue
        property_schema = cast("Mapping[str, object]", value_schema)
        value = arguments.get(key) if isinstance(arguments, dict) else None
        name = property_schema.get("x-mcp-header")
        if isinstance(name, str):
            yield name, value
        yield from _mirrored_properties(property_schema, value)


def _header_equals(header: str, value: str | float) -> bool:
    text = decode_header(header)
    if text is None or isinstance(value, str):
        return text == value
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    try:
        # `float` also reads blanks, underscores, `nan` and `infinity`, which JSON does not have.
        return _NUMERIC_CHARACTERS.issuperset(text) and float(text) == value
    except ValueError:
        return False
