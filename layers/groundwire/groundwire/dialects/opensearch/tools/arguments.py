"""Arguments of tools as models send them: JSON texts where arrays and objects are expected, or all in one text."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.dialects.opensearch.errors import OpenSearchError, illegal_argument, parsing_error
from groundwire.domain.limits import MAX_ENGINE_ANSWER_BYTES
from groundwire.domain.text.json_values import is_list, require_mapping
from groundwire_mcp.jsonrpc.json_codec import JsonError, decode, encode

_MOST_ECHOED_CHARACTERS: Final = 200
_INPUT: Final = "input"
_OTHER_TOKENS: Final[Mapping[type, str]] = {dict: "BEGIN_OBJECT", bool: "BOOLEAN", int: "NUMBER", float: "NUMBER"}


def unpacked(arguments: Mapping[str, object]) -> Mapping[str, object]:
    """Return the arguments with those that the text `input` holds as a JSON object."""
    # A node takes the arguments from this text, too.
    packed = arguments.get(_INPUT)
    if not isinstance(packed, str):
        return arguments
    try:
        members = decode(packed.encode("utf-8", "surrogatepass"))
    except JsonError:
        return arguments
    return {**members, **arguments} if isinstance(members, dict) else arguments


def as_json(value: object) -> str:
    """Return a value as compact JSON text."""
    return encode(value).decode()


def echoed(value: object) -> str:
    """Return an argument as an answer repeats it."""
    return as_json(value)[:_MOST_ECHOED_CHARACTERS]


def index_list(value: object) -> list[str]:
    """Return the names of an argument that is an array, or the JSON text of one; numbers are names, too.

    Raises:
        OpenSearchError: it is something else.
    """
    if isinstance(value, str):
        try:
            value = decode(value.encode("utf-8", "surrogatepass"))
        except JsonError:
            raise _no_array("STRING") from None
        if isinstance(value, str):
            raise _no_array("STRING")
    if not is_list(value):
        raise _no_array(_OTHER_TOKENS.get(type(value), "NULL"))
    return [_name(each) for each in value]


def index_names(value: object) -> list[str]:
    """Return the names of an argument that is an array, the JSON text of one, or a single name."""
    try:
        return index_list(value)
    except OpenSearchError:
        if isinstance(value, str):
            return [value]
        raise


def query_object(value: object) -> Mapping[str, Any]:
    """Return a query given as an object or as its JSON text; a text inside the text is an error.

    Raises:
        OpenSearchError: it is something else.
    """
    if isinstance(value, str):
        try:
            value = decode(value.encode("utf-8", "surrogatepass"))
        except JsonError as error:
            raise parsing_error(f"Failed to parse the query: {error}") from None
    reason = "query must be a JSON object, or the JSON text of one, not a text in a text"
    return require_mapping(value, illegal_argument(reason))


def checked_answer(text: str) -> str:
    """Return the text of an answer, which is never cut.

    Raises:
        OpenSearchError: it is too large.
    """
    if len(text.encode()) > MAX_ENGINE_ANSWER_BYTES:
        raise illegal_argument(
            f"The answer is larger than {MAX_ENGINE_ANSWER_BYTES} bytes: lower size, or name fewer fields in _source"
        )
    return text


def _name(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise illegal_argument("Expected a string but was another value in the list of index names")


def _no_array(found: str) -> OpenSearchError:
    return illegal_argument(f"Expected BEGIN_ARRAY but was {found} at line 1 column 1 path $")


def names_of(values: Sequence[object]) -> tuple[str, ...]:
    """Return the texts of a list.

    Raises:
        OpenSearchError: an element is neither a text nor a number.
    """
    return tuple(_name(each) for each in values)
