"""Orders that put a tenant on another embedding model, a stretch at a time: no call lasts longer than a connection."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.services.reindex import ReindexResult, ReindexStatus
    from groundwire.wiring.cloud.services import CloudServices

MAX_RUN_SECONDS: Final = 60.0
"""After so long a run pauses behind the document that it is at; idle connections are cut after some minutes."""


class _RunPaused(Exception):
    """The stretch is over; the next one goes on."""


@dataclass
class _RunProgress:
    """How far a run is, and when it pauses: never where it began."""

    deadline: float
    after: str
    segments_done: int = 0
    segments_total: int = 0

    def report(self, done: int, total: int) -> None:
        """So many segments are in the new index."""
        self.segments_done, self.segments_total = done, total

    def check_deadline(self, doc_id: str) -> None:
        """Raises _Paused behind a document when the time is over."""
        self.after = max(self.after, doc_id)
        if time.monotonic() > self.deadline:
            raise _RunPaused


def run(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A stretch of the way; to be ordered again, with the answer's `after`, until its `state` is `done`."""
    from groundwire.services.reindex import ReindexOptions

    tenant, name = services.tenant_admin.find(fields.text("tenant")).tenant, fields.text("model")
    after = fields.optional_text("after") or ""
    fields.reject_unread()
    pace = _RunProgress(time.monotonic() + MAX_RUN_SECONDS, after)
    try:
        done = services.reindexer(
            tenant, services.find_model(name), ReindexOptions(pace.report, pace.check_deadline, after)
        )
    except _RunPaused:
        # What the next stretch does not see yet it would embed again.
        time.sleep(services.visibility_delay_seconds)
        facts: dict[str, object] = {
            "tenant": tenant,
            "state": "running",
            "done": pace.segments_done,
            "total": pace.segments_total,
        }
        return ActionResult({**facts, "after": pace.after}, facts)
    facts = {"tenant": tenant, "state": "done", **_result_json(done)}
    return ActionResult(facts, facts)


def status(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """Which model answers, and how far the change to another is."""
    tenant = services.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    return ActionResult({"tenant": tenant, **_status_json(services.reindexer.status(tenant))}, {"tenant": tenant})


def abandon(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """No change of model is under way any more."""
    tenant = services.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    services.reindexer.abandon(tenant)
    return ActionResult({"tenant": tenant, "abandoned": True}, {"tenant": tenant})


def _result_json(result: "ReindexResult") -> dict[str, object]:
    return {
        "before": result.previous_model.name,
        "model": result.current_model.name,
        "dimension": result.current_model.dimension,
        "documents": result.documents,
        "segments": result.segments,
        "embedded": result.embedded_count,
    }


def _status_json(status: "ReindexStatus") -> dict[str, object]:
    return {
        "answering": status.live_model.name,
        "begun": None if status.next_model is None else status.next_model.name,
        "done": status.next_rows,
        "total": status.live_rows,
    }
