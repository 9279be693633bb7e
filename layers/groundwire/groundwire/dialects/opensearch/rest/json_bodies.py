"""JSON bodies of administration, with the errors of the engine's parser."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from groundwire.dialects.opensearch.errors import OpenSearchError, parsing_error
from groundwire.dialects.opensearch.query.clauses import START_ARRAY, START_OBJECT, first_token
from groundwire.domain.text.json_values import is_list, is_mapping
from groundwire_mcp.jsonrpc.json_codec import JsonError, JsonTooLarge, decode
from groundwire_mcp.limits import MAX_BODY_BYTES


def read_json(body: bytes) -> object:
    """Return the value of a body.

    Raises:
        OpenSearchError: it is empty, no JSON, or too large.
    """
    if not body.strip():
        raise OpenSearchError(HTTPStatus.BAD_REQUEST, "parse_exception", "request body is required")
    try:
        return decode(body)
    except JsonTooLarge:
        reason = f"The request is larger than {MAX_BODY_BYTES} bytes: send less"
        raise OpenSearchError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "content_too_long_exception", reason) from None
    except JsonError as error:
        raise OpenSearchError(HTTPStatus.BAD_REQUEST, "json_parse_exception", f"Cannot parse: {error}") from None


def expect_object(value: object) -> Mapping[str, Any]:
    """Return an object.

    Raises:
        OpenSearchError: the value is not valid.
    """
    if is_mapping(value):
        return value
    raise _unexpected(START_OBJECT, value)


def expect_array(value: object) -> list[object]:
    """Return an array.

    Raises:
        OpenSearchError: the value is not valid.
    """
    if is_list(value):
        return value
    raise _unexpected(START_ARRAY, value)


def expect_text(value: object) -> str:
    """Return a text; of a number, true or false its JSON text.

    Raises:
        OpenSearchError: the value is an object, an array or null, at which the engine fails with a 500.
    """
    match value:
        case str():
            return value
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case _:
            reason = f"Can't get text on a {first_token(value)} at 1:1"
            raise OpenSearchError(HTTPStatus.INTERNAL_SERVER_ERROR, "illegal_state_exception", reason)


def validation_error(reason: str) -> OpenSearchError:
    """Return the error of a request that is well-formed and asks for something impossible."""
    text = f"Validation Failed: 1: {reason};"
    return OpenSearchError(HTTPStatus.BAD_REQUEST, "action_request_validation_exception", text)


def plugin_failure(reason: str) -> OpenSearchError:
    """Return the error with which the plugin fails although the request is to blame: a 500."""
    return OpenSearchError(HTTPStatus.INTERNAL_SERVER_ERROR, "exception", reason)


def _unexpected(wanted: str, value: object) -> OpenSearchError:
    return parsing_error(f"Failed to parse object: expecting token of type [{wanted}] but found [{first_token(value)}]")
