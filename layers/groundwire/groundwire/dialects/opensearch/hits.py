"""Hits of a search: passages as documents of an index."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from groundwire.dialects.opensearch.query.fields import CONTENT, METADATA_PREFIX, PAGE, TITLE, URL, IndexField
from groundwire.dialects.opensearch.query.search.sorting import SCORE, SortOrder, shown_value, sort_values
from groundwire.dialects.opensearch.query.search.source_filter import SourceFilter
from groundwire.domain.documents.indexed_fields import searchable_fields
from groundwire.domain.documents.metadata import Value
from groundwire.services.search.results import Passage


def source_of(passage: Passage, url: str | None) -> dict[str, Any]:
    """Return the fields of a passage with its address; those that it does not have are left out."""
    document, segment = passage.document, passage.segment
    fields: dict[str, Any] = {
        TITLE: document.title or document.source_file_name,
        CONTENT: segment.text,
        "source_file_name": document.source_file_name,
        URL: url,
        "language": document.language,
        PAGE: segment.page_first,
        METADATA_PREFIX.rstrip("."): {name: _shown(value) for name, value in document.metadata.items()} or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def hit_of(
    passage: Passage,
    score: float | None,
    source: SourceFilter,
    sort: Sequence[SortOrder],
    address: Callable[[Passage], str],
) -> dict[str, Any]:
    """Return a hit; with an order that is not by score its score is null, as the engine has it.

    Args:
        passage: the document of the index.
        score: its relevance.
        source: the fields that are shown.
        sort: orders of the search.
        address: gives the address at which the caller opens the passage.
    """
    is_scored = not sort or any(order.name == SCORE for order in sort)
    hit: dict[str, Any] = {
        "_index": passage.document.collection,
        "_id": passage.segment.uid,
        "_score": score if is_scored else None,
    }
    if source.is_shown:
        # A search for other fields, of a thousand hits perhaps, makes no links.
        url = address(passage) if source.chooses(URL) else None
        hit["_source"] = source.apply(source_of(passage, url))
    if sort:
        hit["sort"] = sort_values(sort, lambda order: sort_value(passage, score, order))
    return hit


def sort_value(passage: Passage, score: float | None, order: SortOrder) -> Value | None:
    """Return the value of a passage by which an order compares it."""
    if order.name == SCORE:
        return score
    return None if order.field is None else field_value(passage, order.field)


def field_value(passage: Passage, field: IndexField) -> Value | None:
    """Return the value of a field of exact values; None: the passage has none."""
    if field.stored is None:
        return None
    return searchable_fields(passage.document, passage.segment.page_first).get(field.stored)


def _shown(value: Value) -> Any:
    if isinstance(value, tuple):
        return [_shown(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    # `_source` keeps true and false; only sort values and buckets have 1 and 0.
    return value if isinstance(value, bool) else shown_value(value)
