"""Errors of an index's file."""

import sqlite3
from pathlib import Path
from typing import Final

from groundwire.adapters.local.sqlite.errors import DatabaseKind
from groundwire.domain import errors
from groundwire.ports import ModelId


def model_conflict(building: ModelId, wanted: ModelId) -> errors.Conflict:
    """Return the error for a next generation that is already being built for another model."""
    return errors.Conflict(
        f"The tenant's next index is being filled with vectors of the model {_describe(building)}, "
        f"not {_describe(wanted)}: let that end, or give it up with `groundwire reindex TENANT --abandon`."
    )


def file_replaced(file: Path) -> errors.Unavailable:
    """Return the error for a write to a replaced file."""
    return errors.Unavailable(f"{file} was replaced or removed meanwhile: repeat in a moment.", retry_after_s=1)


def _describe(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"


def _damaged(file: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{file} is damaged: restore it from a backup, or move it away and run `groundwire ingest` again. "
        "Nothing was deleted."
    )


def _outdated(file: Path) -> errors.Conflict:
    return errors.Conflict(
        f"{file} was written by an earlier Groundwire, which stored less of each passage: move it away and run "
        "`groundwire ingest` to build it anew."
    )


def _foreign_uid() -> errors.Conflict:
    return errors.Conflict("A segment of this uid and version belongs to another document: give it another id.")


INDEX_KIND: Final = DatabaseKind(_damaged, {sqlite3.SQLITE_CONSTRAINT_UNIQUE: _foreign_uid}, _outdated)
