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
        f"The tenant's next index is being built with the model {_describe(building)}, not {_describe(wanted)}.",
        remedy="end_model_change",
    )


def file_replaced(file: Path) -> errors.Unavailable:
    """Return the error for a write to a replaced file."""
    return errors.Unavailable(
        f"{file} was replaced or removed at the same time: try again in a moment.", retry_after_s=1
    )


def _describe(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"


def _damaged(file: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{file} is damaged, and nothing was deleted. Restore it from a backup, or move it away.",
        remedy="ingest_again",
    )


def _outdated(file: Path) -> errors.Conflict:
    return errors.Conflict(
        f"{file} was written by an earlier release, which stored less of each passage. Move the file away.",
        remedy="ingest_again",
    )


def _foreign_uid() -> errors.Conflict:
    return errors.Conflict("A segment of this uid and version belongs to another document: give it another id.")


INDEX_KIND: Final = DatabaseKind(_damaged, {sqlite3.SQLITE_CONSTRAINT_UNIQUE: _foreign_uid}, _outdated)
