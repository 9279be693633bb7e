"""Ports of source files, of sidecar files and of object events: the queue, and claims that make events idempotent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import MetadataOverrides


@dataclass(frozen=True, slots=True)
class SourceObject:
    r"""Source file in its current version.

    Attributes:
        path: in a bucket below the tenant's own prefix, as `<collection>/<path>`; on a machine absolute, and bytes of a
            name that are not UTF-8 are written as `\xNN`.
        version: identifies its content.
        metadata: metadata given at the upload, by lower-case name; empty on a machine.
        uploaded_at: time of the upload, epoch seconds: not later than the real one, possibly rounded down to seconds;
            on a machine the start of the run, so that a manual override during the run is younger.
        is_foreign: whether it belongs to another user of the machine than the caller and root.
    """

    path: str
    version: str
    size: int
    metadata: Mapping[str, str]
    uploaded_at: float
    # On a shared machine another user's policy file must not decide who may read.
    is_foreign: bool = False


class SourceObjects(Protocol):
    """Source files of a bucket, or of the folders of a machine, with read-after-write consistency.

    A machine has the same files for each tenant. Links are never followed: a link to a file is found, and refused when
    it is read; linked folders are left out.
    """

    # None deletes documents, so that a doubt has to be an error.
    def find(self, tenant: str, path: str) -> SourceObject | None:
        """Return the current version of the file; None where it certainly does not exist.

        Raises:
            Unavailable: it may exist, but cannot be looked at.
        """
        ...

    def read(self, tenant: str, path: str, version: str) -> bytes:
        """Return the content of this version; of one that is larger than any document at least one byte too many.

        Raises:
            NotFound: the version does not exist.
            DocumentRefused: the file cannot be read, with the reason for its owner.
            InvalidInput: a sidecar file cannot be read, or another user's policy file would decide who may read.
        """
        ...

    # In pages, because a Lambda function has minutes for a folder of any size.
    def list_subtree(self, tenant: str, folder: str, after: str, limit: int) -> Sequence[str]:
        """Return the first `limit` paths that begin with `folder` and follow the path `after`, in order of code points.

        On a machine hidden files and folders are left out, and a folder that cannot be listed is a path with a slash at
        its end.
        """
        ...

    def list_files(self, tenant: str, prefix: str, limit: int) -> Sequence[str]:
        """Return the first `limit` paths that begin with `prefix` and have no further slash, in order of code points.

        Raises:
            NotFound: the folder does not exist; in a bucket, where folders are only names, never.
            InvalidInput: the folder cannot be looked through.
        """
        ...


class DeletableObjects(SourceObjects, Protocol):
    """Source files that ingestion may delete: those of a bucket, never those of a machine."""

    def delete(self, tenant: str, path: str, version: str) -> None:
        """Delete the version permanently; no error when it does not exist."""
        ...


class SidecarParser(Protocol):
    """Parser of sidecar files; `source_name` names the file in messages."""

    def parse_policy(self, text: str, source_name: str) -> Policy:
        """Parse a policy file.

        Raises:
            InvalidInput: the text is no valid policy.
        """
        ...

    def parse_metadata(self, text: str, source_name: str) -> MetadataOverrides:
        """Parse a metadata file.

        Raises:
            InvalidInput: the text is no valid metadata.
        """
        ...


class WorkQueue(Protocol):
    """Queue of messages that this deployment sends to itself."""

    # SQS holds a message back for 15 minutes at most.
    def send(self, messages: Sequence[str], delay_s: int) -> None:
        """Send messages that are delivered at least once, after `delay_s` seconds or later.

        Raises:
            Unavailable: some of the messages may be lost.
        """
        ...


class ClaimResult(StrEnum):
    """Result of claiming an object event."""

    CLAIMED = "taken"
    STALE = "stale"
    BUSY = "busy"


class EventClaims(Protocol):
    """Claims on object events: the last processed change of each stored object.

    Events come twice, delayed and out of order. A change has a sequencer (`adapters.aws.dynamodb.event_claims`): of two
    changes of one object the later has the higher one.
    """

    def claim(self, tenant: str, source: str, sequencer: str, now: float, until: float) -> ClaimResult:
        """Claim a change for processing until `until`, epoch seconds.

        CLAIMED: the caller processes it before `until`. STALE: it, or a later change, was processed or is claimed by a
        process that will see the later state. BUSY: an earlier change is claimed; try again.

        Of callers that race with the same change, one gets CLAIMED. A claim that was not finished can be repeated after
        `until`.
        """
        ...

    def finish(self, tenant: str, source: str, sequencer: str) -> bool:
        """Record that the change was processed; return False when the claim expired and another change replaced it.

        Two callers that processed the same change, one after the other's claim expired, both get True.
        """
        ...

    def release(self, tenant: str, source: str, sequencer: str) -> None:
        """Release a claim without processing, so that the next delivery can claim the change at once."""
        ...

    def drop(self, tenant: str) -> int:
        """Delete all claims of the tenant; return the number of their objects."""
        ...
