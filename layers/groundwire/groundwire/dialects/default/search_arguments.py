"""Arguments of the `rag_search` tool of the `default` dialect."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeGuard, cast

from groundwire.dialects.mindset.rag_search import parse_phrases
from groundwire.domain import limits
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.parser import parse_filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind

_NAMES: Final = ("search_phrases", "collections", "top_n", "filter", "max_tokens")
_MAX_COLLECTIONS: Final = 100


class SearchArguments(NamedTuple):
    """The search that a call asks for, and the estimated tokens that its answer may have."""

    request: SearchRequest
    max_tokens: int


def read_search_arguments(caller: Caller, arguments: Mapping[str, object]) -> SearchArguments:
    """Return the request of a call; what it leaves out is the key's default.

    Raises:
        ToolError: an argument is missing, unknown, of another type or outside its bounds.
    """
    if unknown := sorted(set(arguments) - set(_NAMES)):
        raise _wrong(f"Unknown argument {unknown[0]!r}: the tool takes {', '.join(_NAMES)}.")
    if "search_phrases" not in arguments:
        raise _wrong("search_phrases is missing: call the tool again with it.")
    request = SearchRequest.for_caller(
        caller,
        parse_phrases(arguments["search_phrases"]),
        collections=_read_collections(arguments.get("collections")),
        documents=ALL_DOCUMENTS,
        where=_read_filter(arguments.get("filter")),
        top_n=_read_integer("top_n", arguments.get("top_n"), 1, limits.MAX_TOP_N),
    )
    max_tokens = _read_integer(
        "max_tokens", arguments.get("max_tokens"), limits.MIN_ANSWER_TOKENS, limits.MAX_ANSWER_TOKENS
    )
    return SearchArguments(request, caller.max_tokens if max_tokens is None else max_tokens)


# Some clients send null for an argument that the model leaves out.


def _read_collections(value: object) -> CollectionGrant:
    """Return the names; all collections where there is no list, and none for an empty one."""
    if value is None:
        return ALL_COLLECTIONS
    if not _is_list_of_texts(value) or len(value) > _MAX_COLLECTIONS:
        raise _wrong(f"collections must be an array of at most {_MAX_COLLECTIONS} names: list_collections gives them.")
    return frozenset(value)


def _read_filter(value: object) -> Filter | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong("filter must be a text such as: year >= 2024 and department in (sales, legal).")
    try:
        return parse_filter(value)
    except InvalidInput as error:
        raise _wrong(f"filter: {error}") from error


def _read_integer(name: str, value: object, least: int, most: int) -> int | None:
    if value is None:
        return None
    # A number such as 8.0 is an integer of JSON Schema.
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if not isinstance(whole, int) or isinstance(whole, bool) or not least <= whole <= most:
        raise _wrong(f"{name} must be a whole number from {least} to {most}.")
    return whole


def _is_list_of_texts(value: object) -> TypeGuard[Sequence[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))


def _wrong(message: str) -> ToolError:
    return ToolError(ToolErrorKind.ARGUMENTS, message)
