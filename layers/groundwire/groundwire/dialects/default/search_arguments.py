"""Arguments of the `rag_search` tool of the `default` dialect."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from groundwire.dialects.shared.rag_search import parse_phrases
from groundwire.dialects.shared.tool_errors import read_answer_size, read_integer, read_share
from groundwire.domain import limits
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.domain.text.json_values import is_text_list
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

_NAMES: Final = ("search_phrases", "collections", "top_n", "filter", "min_relevance", "max_tokens")
_MAX_COLLECTIONS: Final = 100


class SearchArguments(NamedTuple):
    """The search that a call asks for, and the tokens that its answer may have.

    Attributes:
        named: collections as the call has them, also those beyond its key.
    """

    request: SearchRequest
    named: CollectionGrant
    max_tokens: int


def read_search_arguments(call: CallContext, arguments: Mapping[str, object]) -> SearchArguments:
    """Return the request of a call; what it leaves out is the key's default.

    Raises:
        ToolError: an argument is missing, unknown, of another type or outside its bounds.
    """
    if unknown := sorted(set(arguments) - set(_NAMES)):
        raise _wrong(f"Unknown argument {unknown[0]!r}: the tool has {', '.join(_NAMES)}.")
    if "search_phrases" not in arguments:
        raise _wrong("search_phrases is missing: call the tool again with it.")
    named = _read_collections(arguments.get("collections"))
    request = SearchRequest.for_caller(
        call.caller,
        parse_phrases(arguments["search_phrases"]),
        collections=named,
        documents=ALL_DOCUMENTS,
        where=_read_filter(arguments.get("filter")),
        top_n=read_integer("top_n", arguments.get("top_n"), 1, limits.MAX_TOP_N),
    )
    request = replace(request, min_relevance=read_share("min_relevance", arguments.get("min_relevance")))
    return SearchArguments(request, named, read_answer_size(call, arguments.get("max_tokens")))


# Some clients send null, an empty list or an empty text for an argument that the model leaves out.


def _read_collections(value: object) -> CollectionGrant:
    """Return the names as they are given; without any, every collection. The search narrows both to the key's."""
    if value is None or value == []:
        return ALL_COLLECTIONS
    if not is_text_list(value) or len(value) > _MAX_COLLECTIONS:
        raise _wrong(
            f"collections must be an array of at most {_MAX_COLLECTIONS} names: list_collections returns them."
        )
    return frozenset(value)


def _read_filter(value: object) -> Filter | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if not isinstance(value, str):
        raise _wrong("filter must be a text such as: year >= 2024 and department in (sales, legal).")
    try:
        return parse_filter(value)
    except InvalidInput as error:
        raise _wrong(f"filter: {error}") from error


def _wrong(message: str) -> ToolError:
    return ToolError(ToolErrorKind.ARGUMENTS, message)
