"""Re-index actions of the operator function: a change of the embedding model, in runs of limited time."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.audit.facts import AuditFacts
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.services.reindex import ReindexResult, ReindexStatus
    from groundwire.wiring.services import ApiServices

MAX_RUN_SECONDS: Final = 60.0
"""Time after which a run pauses at the end of a document; idle connections are cut after some minutes."""


class _RunPaused(Exception):
    """Signal that the run's time is over; the next run continues."""


@dataclass
class _RunProgress:
    """Progress of a run, and the time at which it pauses.

    Attributes:
        deadline: seconds on the monotonic clock.
        after: id of the last finished document.
    """

    deadline: float
    after: str
    segments_done: int = 0
    segments_total: int = 0

    def report(self, done: int, total: int) -> None:
        """Record the number of segments in the new index."""
        self.segments_done, self.segments_total = done, total

    def check_deadline(self, doc_id: str) -> None:
        """Record a finished document.

        Raises:
            _RunPaused: the time is over.
        """
        self.after = max(self.after, doc_id)
        if time.monotonic() > self.deadline:
            raise _RunPaused


def run(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Run the re-index for a limited time; the caller repeats it with `after` until `state` is `done`."""
    from groundwire.services.reindex import ReindexOptions

    tenant, name = services.administration.tenant_admin.find(fields.text("tenant")).tenant, fields.text("model")
    after = fields.text_or_empty("after")
    fields.reject_unread()
    progress = _RunProgress(time.monotonic() + MAX_RUN_SECONDS, after)
    try:
        result = services.administration.reindexer(
            tenant, services.models.find(name), ReindexOptions(progress.report, progress.check_deadline, after)
        )
    except _RunPaused:
        # The next run would embed again what it does not see yet.
        time.sleep(services.administration.visibility_delay_seconds)
        facts: AuditFacts = {
            "tenant": tenant,
            "state": "running",
            "done": progress.segments_done,
            "total": progress.segments_total,
        }
        return ActionResult({**facts, "after": progress.after}, facts)
    facts = {"tenant": tenant, "state": "done", **result_facts(result)}
    return ActionResult({"tenant": tenant, "state": "done", **_result_json(result)}, facts)


def status(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return the live model and the progress of the change to another one."""
    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    return ActionResult(
        {"tenant": tenant, **_status_json(services.administration.reindexer.status(tenant))}, {"tenant": tenant}
    )


def abandon(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Abandon the change to another model."""
    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    services.administration.reindexer.abandon(tenant)
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


def result_facts(result: "ReindexResult") -> AuditFacts:
    """Return the models and the counts of a change of model."""
    return {
        "before": result.previous_model.name,
        "model": result.current_model.name,
        "dimension": result.current_model.dimension,
        "counts": {"documents": result.documents},
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
