"""Presets of a registered tool: they only narrow what it answers."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.opensearch.errors import OpenSearchError, illegal_argument, index_not_found, not_served
from groundwire.dialects.opensearch.query.fields import IndexFields
from groundwire.dialects.opensearch.query.parsed import EVERY_PASSAGE, ParsedQuery
from groundwire.dialects.opensearch.query.parser import QueryParser
from groundwire.dialects.opensearch.tools.arguments import index_names, names_of, query_object
from groundwire.domain.filters.field_types import FieldType

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.engine import Engine
    from groundwire.services.call_context import CallContext

_INDEX: Final = "index"
_FILTER: Final = "filter"
_MOST_HITS: Final = 200
_MOST_DIGITS: Final = 9
_WITHOUT_FILTER: Final = frozenset({"ListIndexTool", "IndexMappingTool"})
_EVERY_TYPE: Final = frozenset(FieldType)


class Presets(NamedTuple):
    """Preset values of a tool.

    Attributes:
        indexes: names and patterns; None: all that exist for the caller.
        narrowing: query that every hit fulfils, read with fields of any name and type. A field that becomes known later
            has its effect at once.
        source_fields: fields of hits that are shown; None: all.
        embedding_field: field that queries by meaning name; None: the tool's own.
        nearest: number of passages that a query by meaning finds. hits: number of hits shown.
    """

    indexes: tuple[str, ...] | None = None
    narrowing: ParsedQuery = EVERY_PASSAGE
    source_fields: tuple[str, ...] | None = None
    embedding_field: str | None = None
    # These are the plugin's own defaults of `k` and `doc_size`.
    nearest: int = 10
    hits: int = 2


def read_presets(tool_type: str, parameters: Mapping[str, object]) -> Presets:
    """Return the presets of a registration; other parameters, such as `model_id`, change nothing here.

    Raises:
        OpenSearchError: a preset cannot be read, or the type has no such preset.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    narrowing = _read_filter(tool_type, given[_FILTER]) if _FILTER in given else EVERY_PASSAGE
    indexes = _read_indexes(given[_INDEX]) if _INDEX in given else None
    presets = Presets(indexes, narrowing)
    if tool_type != "VectorDBTool":
        return presets
    fields = given.get("source_field")
    return presets._replace(
        source_fields=None if fields is None else tuple(index_names(fields)),
        embedding_field=None if "embedding_field" not in given else names_of([given["embedding_field"]])[0],
        nearest=_number(given, "k", presets.nearest),
        hits=_number(given, "doc_size", presets.hits),
    )


def searched_indexes(
    engine: "Engine", call: "CallContext", presets: Presets, requested: Sequence[str] | None
) -> Sequence[str] | None:
    """Return the indexes that a call reaches; None: all that exist for the caller.

    Raises:
        OpenSearchError: the call names an index that does not exist for the caller, or is outside of the presets.
    """
    if presets.indexes is None:
        return requested
    allowed = _existing(engine, call, presets.indexes)
    if requested is None:
        return allowed
    outside = [name for name in requested if not _is_pattern(name) and name not in allowed]
    if outside:
        raise index_not_found(outside[0])
    if not any(map(_is_pattern, requested)):
        return requested
    return [name for name in engine.names(call, requested) if name in allowed]


def _existing(engine: "Engine", call: "CallContext", names: Sequence[str]) -> list[str]:
    """Return the indexes that exist for the caller; a preset that names others is no error of the caller."""
    patterns = [name for name in names if _is_pattern(name)]
    groups = [*([name] for name in names if not _is_pattern(name)), *([patterns] if patterns else [])]
    found: dict[str, None] = {}
    for group in groups:
        try:
            found |= dict.fromkeys(engine.names(call, group))
        except OpenSearchError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
    return list(found)


def _is_pattern(name: str) -> bool:
    return "*" in name or name == "_all" or name.startswith("-")


def _read_indexes(given: object) -> tuple[str, ...]:
    names = index_names(given)
    if isinstance(given, str) and names == [given]:
        names = [each.strip() for each in given.split(",")]
    if not names or not all(names):
        raise illegal_argument("parameters.index is empty: name an index, or leave it out")
    return tuple(names)


def _read_filter(tool_type: str, given: object) -> ParsedQuery:
    # These types list indexes and fields, which a filter of passages does not narrow.
    if tool_type in _WITHOUT_FILTER:
        raise not_served(f"parameters.filter of {tool_type}", "set parameters.index")
    narrowing = QueryParser(IndexFields(_AnyMetadata())).parse(query_object(given))
    if narrowing.texts:
        raise not_served("a text in parameters.filter", "filter by exact values")
    return narrowing


def _number(given: Mapping[str, object], name: str, default: int) -> int:
    value = given.get(name, default)
    text = str(value)
    is_short = not isinstance(value, bool) and text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    if not is_short or not 0 < int(text) <= _MOST_HITS:
        raise illegal_argument(f"parameters.{name} is a whole number from 1 to {_MOST_HITS}")
    return int(text)


class _AnyMetadata(Mapping[str, frozenset[FieldType]]):
    """Fields by which a filter is read before it is known what callers may read: every name, with every type."""

    def __getitem__(self, name: str) -> frozenset[FieldType]:
        return _EVERY_TYPE

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
