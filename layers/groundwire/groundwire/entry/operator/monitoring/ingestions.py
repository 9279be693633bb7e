"""Runs of `groundwire ingest`, and documents that wait for their first reading: list, show, cancel."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, NotFound
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.ports.ingestion import IngestionRun
    from groundwire.wiring.services import ApiServices

Row = dict[str, object]
AllowsCollection = Callable[[str], bool]

WAITING_STATES: Final = (*sorted(PENDING_STATES), DocumentState.FAILED)
"""States of documents whose content no reader has read yet."""


def list_runs(services: "ApiServices", tenant: str, allows: AllowsCollection, documents: Iterable[Document]) -> Row:
    """Return the last runs as `ingestions`, the latest first, and the documents that are not read yet as `pending`.

    Args:
        services: services of the call.
        tenant: owner of the runs.
        allows: returns whether the caller may know of a collection.
        documents: those that the caller manages.
    """
    runs = services.installation.ingestion_runs
    rows = [] if runs is None else [_row(each) for each in runs.all(tenant) if allows(each.progress.collection)]
    states = Counter(document.state for document in documents)
    return {"ingestions": rows, "pending": {state.value: states[state] for state in WAITING_STATES}}


def show_run(services: "ApiServices", tenant: str, run: str, allows: AllowsCollection) -> Row:
    """Return a run.

    Raises:
        NotFound: there is none of this id, or the caller may not know of its collection.
    """
    return _row(_find(services, tenant, run, allows))


def cancel_run(services: "ApiServices", tenant: str, run: str, allows: AllowsCollection) -> Row:
    """Request that a run ends after its present file, and return the run.

    Raises:
        NotFound: there is none of this id, or the caller may not know of its collection.
        Conflict: it is not running.
    """
    found = _find(services, tenant, run, allows)
    if not found.is_running:
        raise Conflict(f"The ingestion {run} is not running.")
    if services.installation.ingestion_runs is not None:
        services.installation.ingestion_runs.request_cancel(tenant, run)
    return {**_row(found), "cancel_requested": True}


def execute_list(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the runs of the tenant `tenant`."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    documents = services.stores.documents.all(tenant, None)
    return ActionResult(list_runs(services, tenant, _allows_every, documents), {"tenant": tenant})


def execute_show(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the run `id`."""
    tenant, run = fields.text("tenant"), fields.text("id")
    fields.reject_unread()
    return ActionResult(show_run(services, tenant, run, _allows_every), {"tenant": tenant})


def execute_cancel(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Request that the run `id` ends."""
    tenant, run = fields.text("tenant"), fields.text("id")
    fields.reject_unread()
    return ActionResult(cancel_run(services, tenant, run, _allows_every), {"tenant": tenant, "ingestion": run})


def _allows_every(_collection: str) -> bool:
    # An operator has no bounds.
    return True


def _find(services: "ApiServices", tenant: str, run: str, allows: AllowsCollection) -> "IngestionRun":
    runs = services.installation.ingestion_runs
    found = None if runs is None else runs.find(tenant, run)
    if found is None or not allows(found.progress.collection):
        raise NotFound(f"There is no ingestion {run!r}.", "ingestion")
    return found


def _row(run: "IngestionRun") -> Row:
    progress = run.progress
    # A run without an end that no process has any more was killed.
    state = progress.outcome or ("running" if run.is_running else "killed")
    return {
        "id": run.run,
        "collection": progress.collection,
        "started_at": format_utc(progress.started_at),
        "updated_at": format_utc(progress.updated_at),
        "operator": progress.operator,
        "state": state,
        "files": progress.files,
        "files_done": progress.files_done,
        "counts": dict(progress.counts),
        "cancel_requested": run.is_cancel_requested,
    }
