"""A document as a row of the table `documents`, whose columns are named and ordered like the record's fields."""

import json
import sqlite3
from dataclasses import fields
from typing import Any, Final

from groundwire.adapters.local.registry.columns import from_policy, to_policy
from groundwire.domain import metadata
from groundwire.domain.documents import Document, DocumentState

COLUMNS: Final = tuple(field.name for field in fields(Document))
_POLICY: Final = COLUMNS.index("policy")
_STATE: Final = COLUMNS.index("state")
_STALE: Final = COLUMNS.index("index_stale")
_FROM_FILES: Final = COLUMNS.index("policy_from_files")
_METADATA: Final = COLUMNS.index("metadata")
_TIMINGS: Final = COLUMNS.index("timings")


def to_row(document: Document) -> list[object]:
    """The values of `COLUMNS`."""
    values: list[object] = [getattr(document, name) for name in COLUMNS]
    values[_POLICY] = from_policy(document.policy)
    values[_METADATA] = metadata.to_json(document.metadata)
    values[_TIMINGS] = json.dumps(dict(document.timings), separators=(",", ":"))
    return values


def from_row(row: sqlite3.Row) -> Document:
    """The record that `to_row` took apart; by position, as a search decodes up to 100 of them."""
    values: list[Any] = list(row)
    values[_POLICY] = to_policy(values[_POLICY])
    values[_STATE] = DocumentState(values[_STATE])
    values[_STALE] = bool(values[_STALE])
    values[_FROM_FILES] = bool(values[_FROM_FILES])
    values[_METADATA] = metadata.from_json(values[_METADATA])
    values[_TIMINGS] = json.loads(values[_TIMINGS])
    return Document(*values)
