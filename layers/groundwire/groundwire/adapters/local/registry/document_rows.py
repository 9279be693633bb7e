"""Document as a row of the table `documents`."""

import sqlite3
from typing import Final

from groundwire.adapters.codecs.document_fields import STORED_PATHS, StoredValue, from_stored, to_stored
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import VERSION_TOKEN_FIELDS, Document

COLUMNS: Final = tuple(STORED_PATHS)
_COLUMN_OF: Final = {path: name for name, path in STORED_PATHS.items()}
VERSION_TOKEN_COLUMNS: Final = tuple(_COLUMN_OF[path] for path in VERSION_TOKEN_FIELDS)
"""Columns of the fields of the version token, in their order."""


def to_row(document: Document) -> list[StoredValue]:
    """Return the values of `COLUMNS`."""
    return list(to_stored(document).values())


def from_row(row: sqlite3.Row) -> Document:
    """Read the record of a row of `COLUMNS`."""
    # A machine recorded no source of a policy before.
    return from_stored(dict(zip(COLUMNS, row, strict=True)), earlier_source=PolicySource.UNKNOWN)
