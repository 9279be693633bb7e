"""Arguments of the search tools."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.dialects.foundry.kinds import SearchKind
from groundwire.dialects.foundry.schemas import DEFAULT_COLLECTION, DEFAULT_TOP_N
from groundwire.dialects.foundry.strictness import DEFAULT_STRICTNESS, MAX_STRICTNESS
from groundwire.dialects.shared.tool_errors import read_integer
from groundwire.domain.limits import MAX_COLLECTIONS_PER_CALL, MAX_TOP_N_PER_COLLECTION
from groundwire.domain.text.json_values import is_text_list
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

_COMMON: Final = ("query", "collection_names", "top_n", "strictness", "filters")
_MAX_NAME: Final = 1_000
"""Characters of a name: an answer repeats each name, whether or not there is such a collection."""
_OF_MULTIMODAL: Final = ("text_strictness", "image_strictness")
_OF_IMAGES: Final = ("include_images",)


class FoundryArguments(NamedTuple):
    """Arguments of one call.

    Attributes:
        names: names of collections, as the call has them, each once.
        filters: expression; None: no filter.
        include_images: whether the answer has pictures.
    """

    query: str
    names: tuple[str, ...]
    top_n: int
    text_strictness: int
    image_strictness: int
    filters: str | None
    include_images: bool


def read_search_arguments(kind: SearchKind, arguments: Mapping[str, object]) -> FoundryArguments:
    """Return the arguments of a call; one that is absent, or null, has its default.

    Raises:
        ToolError: an argument is missing, unknown, of another type or outside its bounds; the message names it.
    """
    own = (*(_OF_MULTIMODAL if kind.is_multimodal else ()), *(_OF_IMAGES if kind.has_images else ()))
    names = (*_COMMON, *own)
    if unknown := sorted(set(arguments) - set(names)):
        raise wrong_argument(f"Unknown argument {unknown[0]!r}: the tool has {', '.join(names)}.")
    strictness = _read_strictness("strictness", arguments, DEFAULT_STRICTNESS)
    text_strictness = image_strictness = strictness
    if kind.is_multimodal:
        # The page has one strictness for all tools, and the reference two for this one.
        text_strictness, image_strictness = (_read_strictness(name, arguments, strictness) for name in _OF_MULTIMODAL)
    top_n = read_integer("top_n", arguments.get("top_n"), 1, MAX_TOP_N_PER_COLLECTION)
    return FoundryArguments(
        query=_read_query(arguments.get("query")),
        names=_read_names(arguments.get("collection_names")),
        top_n=DEFAULT_TOP_N if top_n is None else top_n,
        text_strictness=text_strictness,
        image_strictness=image_strictness,
        filters=_read_filters(arguments.get("filters")),
        include_images=_read_include_images(arguments.get("include_images")),
    )


def wrong_argument(message: str) -> ToolError:
    """Return the error of an argument."""
    return ToolError(ToolErrorKind.ARGUMENTS, message)


def _read_strictness(name: str, arguments: Mapping[str, object], default: int) -> int:
    strictness = read_integer(name, arguments.get(name), 0, MAX_STRICTNESS)
    return default if strictness is None else strictness


def _read_query(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong_argument("query must be a text to search for.")
    return value


def _read_names(value: object) -> tuple[str, ...]:
    # Some clients send null or an empty list for an argument that the model leaves out.
    if value is None or value == []:
        return (DEFAULT_COLLECTION,)
    if not is_text_list(value):
        raise wrong_argument("collection_names must be an array of names: get_available_collections returns them.")
    names = tuple(dict.fromkeys(value))
    if len(names) > MAX_COLLECTIONS_PER_CALL:
        raise wrong_argument(f"collection_names can have at most {MAX_COLLECTIONS_PER_CALL} names.")
    if any(len(name) > _MAX_NAME for name in names):
        raise wrong_argument(f"collection_names contains a name of more than {_MAX_NAME} characters.")
    return names


def _read_filters(value: object) -> str | None:
    # Milvus servers pass every document at a blank expression.
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if not isinstance(value, str):
        raise wrong_argument('filters must be a text such as: file_path like "%manual%".')
    return value


def _read_include_images(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise wrong_argument("include_images must be true or false.")
