"""Shape of query clauses: one query in an object, one field in a query, and the options that a query has."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from groundwire.dialects.opensearch.errors import OpenSearchError, illegal_argument, not_served, parsing_error
from groundwire.domain.text.json_values import is_mapping

START_OBJECT: Final = "START_OBJECT"
START_ARRAY: Final = "START_ARRAY"
_MOST_NAME_CHARACTERS: Final = 128
_WITHOUT_EFFECT: Final = frozenset({"boost", "_name"})
"""Options of every query that change no set of passages; scores are relevances here."""


def read_clause(query: object) -> tuple[str, object]:
    """Return kind and body of a query, the only member of an object.

    Raises:
        OpenSearchError: it has another shape.
    """
    members = as_object(query, "query")
    if not members:
        raise illegal_argument("query malformed, empty clause found")
    kind, *others = members
    if others:
        raise parsing_error(f"[{shortened(kind)}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]")
    return kind, members[kind]


def read_field(kind: str, body: object) -> tuple[str, object]:
    """Return the field of a query, and its options or value.

    Raises:
        OpenSearchError: the body names no field, or several.
    """
    members = {name: value for name, value in as_object(body, kind).items() if name not in _WITHOUT_EFFECT}
    if not members:
        raise parsing_error(f"[{kind}] query has no field: write {{{kind!r}: {{field: …}}}}".replace("'", '"'))
    first, *others = members
    if others:
        raise parsing_error(
            f"[{kind}] query doesn't support multiple fields, found [{shortened(first)}] and [{shortened(others[0])}]"
        )
    return first, members[first]


def read_options(kind: str, body: object, known: Sequence[str], refused: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the options of a query.

    Args:
        kind: name of the query.
        body: its options.
        known: options that this server has.
        refused: options that the engine has and this server has not.

    Raises:
        OpenSearchError: an option is none of the known ones.
    """
    options = as_object(body, kind)
    for name in options:
        # An option that is ignored would change the meaning of the query without notice.
        if name in refused:
            raise not_served(f"{kind}.{name}", f"leave it out, options of {kind} here are {', '.join(known)}")
        if name not in known and name not in _WITHOUT_EFFECT:
            raise parsing_error(f"[{kind}] query does not support [{shortened(name)}]")
    return options


def as_object(value: object, name: str) -> Mapping[str, Any]:
    """Return an object.

    Raises:
        OpenSearchError: the value is not valid.
    """
    if is_mapping(value):
        return value
    raise parsing_error(f"[{name}] query malformed, no start_object after query name")


def as_text(value: object, name: str) -> str:
    """Return a text; numbers, true and false are their JSON texts.

    Raises:
        OpenSearchError: the value is none of these.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise illegal_argument(f"[{name}] requires query value")


def unknown_member(kind: str, name: str) -> OpenSearchError:
    """Return the error of a member that an object does not have."""
    return OpenSearchError(
        HTTPStatus.BAD_REQUEST, "x_content_parse_exception", f"[{kind}] unknown field [{shortened(name)}]"
    )


def shortened(name: str) -> str:
    """Return a name that a caller wrote, in a length for messages."""
    return name[:_MOST_NAME_CHARACTERS]


def first_token(value: object) -> str:
    """Return the name of a JSON value's first token as the engine's parser has it."""
    match value:
        case dict():
            return START_OBJECT
        case list():
            return START_ARRAY
        case bool():
            return "VALUE_BOOLEAN"
        case int() | float():
            return "VALUE_NUMBER"
        case None:
            return "VALUE_NULL"
        case _:
            return "VALUE_STRING"
