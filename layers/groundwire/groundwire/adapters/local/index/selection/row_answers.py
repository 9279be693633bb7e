"""Answers to catalogue queries, from a snapshot and the mask of the rows that a query selects."""

import sqlite3
from dataclasses import dataclass
from typing import TypeVar, cast

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection import access_mask
from groundwire.adapters.local.index.selection.document_samples import sample_documents, sample_fields
from groundwire.adapters.local.index.selection.field_columns import FieldColumns
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.ports import (
    DocumentsByCollection,
    DocumentsByField,
    FirstRows,
    RowQuery,
    RowsByCollection,
    RowsByValue,
)

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class SelectedRows:
    """The rows that a query selects.

    Attributes:
        connection: connection whose transaction has the state of the snapshot.
        snapshot: all rows.
        columns: columns of the documents' fields.
        mask: True for each selected row.
    """

    connection: sqlite3.Connection
    snapshot: Snapshot
    columns: FieldColumns
    mask: Bools


def answer(query: RowQuery[A], rows: SelectedRows) -> A:
    """Return the answer to the query about these rows."""
    # The class of the query fixes the type of its answer.
    return cast("A", _found(query, rows))


def _found(query: RowQuery[object], rows: SelectedRows) -> object:
    connection, snapshot, columns, mask = rows.connection, rows.snapshot, rows.columns, rows.mask
    match query:
        case FirstRows(most=most):
            return access_mask.list_rows(connection, snapshot, mask, most)
        case RowsByCollection():
            return access_mask.count_by_collection(snapshot, mask)
        case RowsByValue(field=field, most=most):
            return access_mask.count_values(snapshot, columns, mask, field, most)
        case DocumentsByCollection(excluded=excluded, most=most):
            if excluded:
                mask = mask & ~access_mask.document_mask(connection, snapshot, excluded)
            return sample_documents(connection, snapshot, mask, most)
        case DocumentsByField(most=most):
            return sample_fields(connection, snapshot, columns, mask, most)
        case _:
            raise TypeError(f"No answer to {type(query).__name__}.")
