"""Document as a row of the table `documents`."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.local.sqlite.json_columns import from_policy, to_policy
from groundwire.domain.documents import metadata
from groundwire.domain.documents.record import Document, DocumentState

COLUMN_OF: Final[Mapping[str, str]] = {
    "doc_id": "doc_id",
    "collection": "collection",
    "source_file_name": "source_file_name",
    "source_file_type": "source_file_type",
    "source_path": "source_path",
    "source_url": "source_url",
    "blob": "blob",
    "title": "title",
    "policy": "policy",
    "version": "version",
    "policy_version": "policy_version",
    "state": "state",
    "reason": "reason",
    "content_hash": "content_hash",
    "recipe": "recipe",
    "segments": "segments",
    "pages": "pages",
    "pages_without_text": "pages_without_text",
    "size_bytes": "size_bytes",
    "index_stale": "index_stale",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "language": "language",
    "metadata": "metadata",
    "parent": "parent",
    "windows": "windows",
    "timings": "timings",
    "parser": "parser",
    "model": "model",
    "sketch": "sketch",
    "policy_from_files": "policy_from_files",
    "started_version": "begun_version",
    "rows_written_at": "last_rows_at",
    "policy_overridden_at": "policy_given_at",
    "deleted_source_digest": "deleted_from",
    "deleted_at": "deleted_at",
    "images": "images",
}
"""Column of each field of the record, in the order of the fields."""
COLUMNS: Final = tuple(COLUMN_OF.values())
_POLICY: Final = COLUMNS.index("policy")
_STATE: Final = COLUMNS.index("state")
_INDEX_STALE: Final = COLUMNS.index("index_stale")
_FROM_FILES: Final = COLUMNS.index("policy_from_files")
_METADATA: Final = COLUMNS.index("metadata")
_TIMINGS: Final = COLUMNS.index("timings")


def to_row(document: Document) -> list[object]:
    """Return the values of `COLUMNS`."""
    values: list[object] = [getattr(document, field) for field in COLUMN_OF]
    values[_POLICY] = from_policy(document.policy)
    values[_METADATA] = metadata.to_json(document.metadata)
    values[_TIMINGS] = json.dumps(dict(document.timings), separators=(",", ":"))
    return values


def from_row(row: sqlite3.Row) -> Document:
    """Read the record of a row; by position, because a search decodes up to 100 rows."""
    values: list[Any] = list(row)
    values[_POLICY] = to_policy(values[_POLICY])
    values[_STATE] = DocumentState(values[_STATE])
    values[_INDEX_STALE] = bool(values[_INDEX_STALE])
    values[_FROM_FILES] = bool(values[_FROM_FILES])
    values[_METADATA] = metadata.from_json(values[_METADATA])
    values[_TIMINGS] = json.loads(values[_TIMINGS])
    return Document(*values)
