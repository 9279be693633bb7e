"""Ingestions that began and have no end, found in the lines of the log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from groundwire.domain.audit.ingestion import IngestionPhase
from groundwire.domain.audit.lines import INGEST_ACTION


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """Run without a last line: it was killed, or it still runs.

    Attributes:
        started_at: epoch seconds.
        files: number of files that it was to read.
        documents: number of changed documents that its lines name.
        os_user: user of the operating system that ran it; None where the line names none.
    """

    run: str
    tenant: str
    collection: str
    started_at: float
    files: int
    documents: int
    os_user: str | None


def unfinished_runs(records: Iterable[Mapping[str, object]]) -> list[UnfinishedRun]:
    """Return the runs that begin and do not end in these records, oldest first; lines of other actions are skipped."""
    open_runs: dict[str, UnfinishedRun] = {}
    for record in records:
        run = record.get("run")
        if record.get("action") != INGEST_ACTION or not isinstance(run, str):
            continue
        phase, known = record.get("phase"), open_runs.get(run)
        if phase == IngestionPhase.BEGIN:
            open_runs[run] = _started(run, record)
        elif phase == IngestionPhase.END:
            # The records may begin in the middle of a run.
            open_runs.pop(run, None)
        elif known is not None and isinstance(documents := record.get("documents"), list):
            count = len(cast("list[object]", documents))
            open_runs[run] = replace(known, documents=known.documents + count)
    return list(open_runs.values())


def _started(run: str, record: Mapping[str, object]) -> UnfinishedRun:
    time, files, user = record.get("time"), record.get("files"), record.get("os_user")
    return UnfinishedRun(
        run,
        tenant=str(record.get("tenant")),
        collection=str(record.get("collection")),
        # Lines are read from files, so no member's type is certain.
        started_at=float(time) if isinstance(time, int | float) else 0.0,
        files=files if isinstance(files, int) else 0,
        documents=0,
        os_user=user if isinstance(user, str) else None,
    )
