"""Translation of SQLite errors of `registry.db` to domain errors."""

import sqlite3
from pathlib import Path
from typing import Final

from groundwire.adapters.local.sqlite.errors import DatabaseKind
from groundwire.domain import errors


def _damaged(file: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{file} is damaged or no registry: stop Groundwire and restore {file.name} from a backup, "
        "or move it away to begin with an empty one."
    )


def _no_tenant() -> errors.NotFound:
    return errors.NotFound("There is no such tenant: create it first.")


REGISTRY_KIND: Final = DatabaseKind(_damaged, {sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: _no_tenant})
