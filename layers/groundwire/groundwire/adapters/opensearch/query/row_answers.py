"""Answers to catalogue queries, each by one request to the engine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

from groundwire.adapters.opensearch.query.request_bodies import documents_excluded, scope_filters
from groundwire.adapters.opensearch.query.row_reader import RowReader
from groundwire.domain.documents.indexed_fields import is_indexed_name
from groundwire.domain.passages.value_counts import NO_VALUE_COUNTS
from groundwire.ports import (
    DocumentsByCollection,
    DocumentsByField,
    FirstRows,
    RowListing,
    RowQuery,
    RowsByCollection,
    RowsByValue,
)

A = TypeVar("A")


def is_void(query: RowQuery[object]) -> bool:
    """Return whether no row can be selected, or has the field of the query."""
    rows = query.rows
    return not (rows.collections and rows.documents) or (
        isinstance(query, RowsByValue) and not is_indexed_name(query.field)
    )


def no_rows(query: RowQuery[A]) -> A:
    """Return the answer to the query where no row is selected."""
    return cast("A", _nothing(query))


def answer(query: RowQuery[A], reader: RowReader) -> A:
    """Return the answer to the query about the rows that it selects."""
    # The class of the query fixes the type of its answer.
    return cast("A", _found(query, reader))


def _nothing(query: RowQuery[object]) -> object:
    match query:
        case FirstRows():
            return RowListing([], 0)
        case RowsByValue():
            return NO_VALUE_COUNTS
        case _:
            return {}


def _found(query: RowQuery[object], reader: RowReader) -> object:
    match query:
        case FirstRows(rows=rows, most=most):
            return reader.first_segments(scope_filters(rows), most)
        case RowsByCollection(rows=rows):
            return reader.count_by_collection(scope_filters(rows), len(rows.collections))
        case RowsByValue(rows=rows, field=field, most=most):
            return reader.count_values(scope_filters(rows), field, most)
        case DocumentsByCollection():
            return _documents_by_collection(query, reader)
        case DocumentsByField(rows=rows, most=most):
            return reader.fields(scope_filters(rows), most)
        case _:
            raise TypeError(f"No answer to {type(query).__name__}.")


def _documents_by_collection(query: DocumentsByCollection, reader: RowReader) -> dict[str, Sequence[str]]:
    names = sorted(set(query.rows.collections))
    excluded = documents_excluded(query.excluded)
    scopes = [[*scope_filters(replace(query.rows, collections=[name])), *excluded] for name in names]
    found = reader.documents_for_each(scopes, query.most)
    return {name: doc_ids for name, doc_ids in zip(names, found, strict=True) if doc_ids}
