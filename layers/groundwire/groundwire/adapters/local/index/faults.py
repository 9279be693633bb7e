"""What an index's file says of itself when it fails."""

import sqlite3
from pathlib import Path
from typing import Final

from groundwire.adapters.local.sqlite.faults import FileKind
from groundwire.domain import errors
from groundwire.ports import ModelId


def other_model(file: Path, built: ModelId, configured: ModelId) -> errors.Conflict:
    """Vectors of two models must not be compared."""
    return errors.Conflict(
        f"{file} was built with the model {_told(built)}, and {_told(configured)} is configured: configure the "
        "first again, or move the file away and run `groundwire ingest` to build it anew."
    )


def _told(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"


def _damaged(file: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{file} is damaged: restore it from a backup, or move it away and run `groundwire ingest` again. "
        "Nothing was deleted."
    )


def _earlier(file: Path) -> errors.Conflict:
    return errors.Conflict(
        f"{file} was written by an earlier Groundwire, which stored less of each passage: move it away and run "
        "`groundwire ingest` to build it anew."
    )


def _foreign_uid() -> errors.Conflict:
    return errors.Conflict("A segment of this uid and version belongs to another document: give it another id.")


INDEX: Final = FileKind(_damaged, {sqlite3.SQLITE_CONSTRAINT_UNIQUE: _foreign_uid}, _earlier)
