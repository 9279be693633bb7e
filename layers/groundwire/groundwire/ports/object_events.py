"""Files that owners put where ingestion finds them, those that speak of others, and the work that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import MetadataOverrides


@dataclass(frozen=True, slots=True)
class SourceObject:
    """A file as it stands now.

    Attributes:
        path: below the tenant's own prefix: `<collection>/<path>`. version: names this content of it.
        metadata: what was said of it when it was put there, by lower-case name.
        uploaded_at: when that was, epoch seconds: not later than it really was, and perhaps of whole seconds.
    """

    path: str
    version: str
    size: int
    metadata: Mapping[str, str]
    uploaded_at: float


class SourceObjects(Protocol):
    """The files of each tenant; what was put before is seen by every call after it."""

    def find(self, tenant: str, path: str) -> SourceObject | None:
        """The file as it stands now; None where there is none."""
        ...

    def read(self, tenant: str, path: str, version: str) -> bytes:
        """The content of this version; Raises NotFound when it is gone."""
        ...

    def list_subtree(self, tenant: str, folder: str, after: str, limit: int) -> Sequence[str]:
        """The first `limit` paths that begin with `folder` and come behind the path `after`, in a fixed order."""
        ...

    def list_files(self, tenant: str, prefix: str, limit: int) -> Sequence[str]:
        """The first `limit` paths that begin so and have no slash behind that, in a fixed order."""
        ...

    def delete(self, tenant: str, path: str, version: str) -> None:
        """The version is gone for good; no error when it was before."""
        ...


class SidecarParser(Protocol):
    """What the text of a file that speaks of others says; `where` names the file in messages."""

    def parse_policy(self, text: str, source_name: str) -> Policy:
        """Of a policy file; Raises Invalid."""
        ...

    def parse_metadata(self, text: str, source_name: str) -> MetadataOverrides:
        """Of a metadata file; Raises Invalid."""
        ...


class WorkQueue(Protocol):
    """Messages that this deployment sends to itself."""

    def send(self, messages: Sequence[str], delay_s: int) -> None:
        """Each comes at least once, after so many seconds or later; Raises Unavailable when not all are sure to."""
        ...


class ClaimResult(StrEnum):
    """What becomes of the news that a stored object changed."""

    CLAIMED = "taken"
    STALE = "stale"
    BUSY = "busy"


class EventClaims(Protocol):
    """Which change of each stored object was carried out last: news comes twice, late and out of order.

    A change is known by its sequencer (`adapters.aws.dynamodb.event_claims`): of two changes of one object the later has the higher.
    """

    def claim(self, tenant: str, source: str, sequencer: str, now: float, until: float) -> ClaimResult:
        """TAKEN: the caller carries it out before `until`. STALE: it, or a later one, was carried out or is in hand
        with somebody who will see the later state. BUSY: an earlier one is in hand; try again.

        Of callers that race with the same change, one hears TAKEN; what was taken and never finished can be taken
        again after `until`.
        """
        ...

    def finish(self, tenant: str, source: str, sequencer: str) -> bool:
        """It was carried out; False when its time ran out and another change took its place.

        Two that carried out the same change, one after the other's time, both hear True.
        """
        ...

    def release(self, tenant: str, source: str, sequencer: str) -> None:
        """It was not carried out: whoever hears of it next takes it at once."""
        ...

    def drop(self, tenant: str) -> int:
        """Nothing of the tenant is known any more; returns how many objects were."""
        ...
