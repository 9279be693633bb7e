"""Samples of documents: of a collection, of a field, and of those whose rows have an earlier form."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection.field_columns import FieldColumns
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import to_json
from groundwire.domain.filters.field_types import FieldType

_CURRENT_FORM: Final = to_json({ROWS_FIELD: ROWS_FORM}).strip("{}")
"""Part of the text of each row's fields of today's form; quotes in values are escaped, so no value looks like it."""


def sample_documents(
    connection: sqlite3.Connection, snapshot: Snapshot, mask: Bools, most: int
) -> dict[str, list[str]]:
    """Return at most `most` documents of each collection, those of rows at equal distances among the rows that pass."""
    rows = np.flatnonzero(mask)
    collection_of = snapshot.collection_of[rows]
    chosen: list[int] = []
    for slot in np.unique(collection_of):
        found = rows[collection_of == slot]
        places = np.linspace(0, len(found) - 1, num=min(most, len(found)), dtype=np.int64)
        chosen += snapshot.ids[found[places]].tolist()
    stored = connection.execute(
        "SELECT DISTINCT collection, doc_id FROM segments WHERE id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(chosen),),
    )
    documents: dict[str, list[str]] = {}
    for collection, doc_id in stored:
        documents.setdefault(collection, []).append(doc_id)
    return documents


def sample_fields(
    connection: sqlite3.Connection, snapshot: Snapshot, columns: FieldColumns, mask: Bools, most: int
) -> dict[str, dict[FieldType, list[str]]]:
    """Return by field and type at most `most` documents, those of the first rows that pass."""
    rows = np.flatnonzero(mask)
    slots, first = np.unique(snapshot.metadata_of[rows], return_index=True)
    row_of = dict(zip(slots.tolist(), snapshot.ids[rows[first]].tolist(), strict=True))
    found = columns.sample(snapshot.metadata, snapshot.epoch, slots, most)
    chosen = {row_of[slot] for types in found.values() for sampled in types.values() for slot in sampled}
    stored = connection.execute(
        "SELECT id, doc_id FROM segments WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(chosen)),)
    )
    doc_ids: Mapping[int, str] = dict(stored.fetchall())
    return {
        name: {kind: [doc_ids[row_of[slot]] for slot in sampled] for kind, sampled in types.items()}
        for name, types in found.items()
    }


def outdated_documents(connection: sqlite3.Connection, after: str, most: int) -> Sequence[str]:
    """Return the first documents after this id with rows of an earlier form."""
    found = connection.execute(
        "SELECT DISTINCT doc_id FROM segments JOIN vectors USING (id) WHERE doc_id > ? AND vectors.metadata IN "
        "(SELECT id FROM metadata WHERE instr(fields, ?) = 0) ORDER BY doc_id LIMIT ?",
        (after, _CURRENT_FORM, most),
    )
    return [row[0] for row in found]
