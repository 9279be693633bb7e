"""Orders that put a tenant on another embedding model, a stretch at a time: no call lasts longer than a connection."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.entry.fields import Fields
from groundwire.entry.operator.done import Done

if TYPE_CHECKING:
    from groundwire.services.reindex import Reindexed, ReindexStanding
    from groundwire.wiring.cloud import CloudServices

STRETCH_S: Final = 60.0
"""After so long a run pauses behind the document that it is at; idle connections are cut after some minutes."""


class _Paused(Exception):
    """The stretch is over; the next one goes on."""


@dataclass
class _Pace:
    """How far a run is, and when it pauses: never where it began."""

    until: float
    after: str
    done: int = 0
    total: int = 0

    def report(self, done: int, total: int) -> None:
        """So many segments are in the new index."""
        self.done, self.total = done, total

    def between(self, doc_id: str) -> None:
        """Raises _Paused behind a document when the time is over."""
        self.after = max(self.after, doc_id)
        if time.monotonic() > self.until:
            raise _Paused


def run(services: "CloudServices", fields: Fields) -> Done:
    """A stretch of the way; to be ordered again, with the answer's `after`, until its `state` is `done`."""
    from groundwire.services.reindex import Pace

    tenant, name = services.tenant_care.find(fields.text("tenant")).tenant, fields.text("model")
    after = fields.optional_text("after") or ""
    fields.end()
    pace = _Pace(time.monotonic() + STRETCH_S, after)
    try:
        done = services.reindex(tenant, services.model_named(name), Pace(pace.report, pace.between, after))
    except _Paused:
        # What the next stretch does not see yet it would embed again.
        time.sleep(services.visible_after_seconds)
        facts: dict[str, object] = {"tenant": tenant, "state": "running", "done": pace.done, "total": pace.total}
        return Done({**facts, "after": pace.after}, facts)
    facts = {"tenant": tenant, "state": "done", **_done(done)}
    return Done(facts, facts)


def status(services: "CloudServices", fields: Fields) -> Done:
    """Which model answers, and how far the change to another is."""
    tenant = services.tenant_care.find(fields.text("tenant")).tenant
    fields.end()
    return Done({"tenant": tenant, **_standing(services.reindex.standing(tenant))}, {"tenant": tenant})


def abandon(services: "CloudServices", fields: Fields) -> Done:
    """No change of model is under way any more."""
    tenant = services.tenant_care.find(fields.text("tenant")).tenant
    fields.end()
    services.reindex.abandon(tenant)
    return Done({"tenant": tenant, "abandoned": True}, {"tenant": tenant})


def _done(done: "Reindexed") -> dict[str, object]:
    return {
        "before": done.before.name,
        "model": done.after.name,
        "dimension": done.after.dimension,
        "documents": done.documents,
        "segments": done.segments,
        "embedded": done.embedded,
    }


def _standing(standing: "ReindexStanding") -> dict[str, object]:
    return {
        "answering": standing.answering.name,
        "begun": None if standing.begun is None else standing.begun.name,
        "done": standing.filled,
        "total": standing.present,
    }
