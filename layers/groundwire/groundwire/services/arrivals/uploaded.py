"""A file that was brought by an upload ticket: what was decided when the ticket was made holds, whatever came."""

import hashlib
from collections.abc import Callable
from enum import StrEnum

from groundwire.domain.errors import DocumentRefused
from groundwire.domain.uploads import Upload, UploadState, upload_path
from groundwire.ports import IngestLock, Uploads
from groundwire.services.arrivals.conflicts import refuse_conflicts
from groundwire.services.arrivals.places import source_path
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus

_OTHER_CONTENT = "the file is not the one that the ticket was made for: its SHA-256 is another"


class UploadEnd(StrEnum):
    """What became of a file that came with a ticket."""

    DONE = "done"
    REFUSED = "refused"
    NO_TICKET = "no_ticket"


class UploadArrival:
    """Brings the file in as the ticket says, once."""

    def __init__(self, uploads: Uploads, batch: IngestBatch, lock: IngestLock) -> None:
        self._uploads = uploads
        self._batch = batch
        self._lock = lock

    def __call__(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> UploadEnd:
        """As `within`, under the tenant's lock."""
        with self._lock.hold(tenant):
            return self.within(tenant, ticket, version, at, read)

    def within(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> UploadEnd:
        """The document is that of the file, or its record and the ticket say why not.

        Args:
            tenant: whose ticket it must be.
            ticket: that the file came with.
            version: names this content; the same may come again until it is done, another may not.
            at: when it came, epoch seconds.
            read: gives the content; Raises DocumentRefused.

        Raises:
            Conflict: somebody else changed the document meanwhile; the same call brings it in again.
            OutOfTime: the same call goes on with it.
        """
        upload = self._claimed(tenant, ticket, version, at)
        if upload is None:
            return UploadEnd.NO_TICKET
        if upload.state is UploadState.DONE:
            # It was brought in. Whatever somebody did with the document since then is not to be undone.
            return UploadEnd.DONE
        request = _asked(tenant, upload, lambda: _checked(upload, read()))
        outcomes = list(self._batch.within(tenant, upload.collection, [request], _quietly))
        reason = _reason(outcomes)
        self._uploads.finish(tenant, ticket, reason)
        return _end(reason)

    def _claimed(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """The ticket where it is this content's; one that has ended says so until it ends otherwise."""
        before = self._uploads.get(tenant, ticket)
        if before is not None and before.has_ended and before.arrived == version:
            return before
        return self._uploads.claim(tenant, ticket, version, at)

    def refuse(self, tenant: str, ticket: str, reason: str) -> None:
        """The ticket and the record say why the file could not be brought in, if it was not; the caller holds the lock.

        An attempt that succeeds after all takes it back.
        """
        upload = self._uploads.get(tenant, ticket)
        if upload is not None and upload.arrived is not None and upload.state is not UploadState.DONE:
            self._uploads.finish(tenant, ticket, reason)
            self._batch.refuse(tenant, upload.collection, _asked(tenant, upload, bytes), reason)


def _end(reason: str | None) -> UploadEnd:
    return UploadEnd.DONE if reason is None else UploadEnd.REFUSED


def _asked(tenant: str, upload: Upload, read: Callable[[], bytes]) -> IngestRequest:
    return IngestRequest(
        tenant=tenant,
        collection=upload.collection,
        source_path=source_path(tenant, upload_path(upload)),
        file_name=upload.file_name,
        read=read,
        policy=upload.policy,
        doc_id=upload.doc_id,
        source_url=upload.source_url,
        metadata=upload.metadata,
        decided_at=upload.made_at,
        unchanged_since=upload.made_at,
    )


def _checked(upload: Upload, content: bytes) -> bytes:
    if hashlib.sha256(content).hexdigest() != upload.sha256.lower():
        raise DocumentRefused(_OTHER_CONTENT)
    return content


def _reason(outcomes: list[IngestOutcome]) -> str | None:
    """Of the file itself, which comes before its attachments."""
    refuse_conflicts(outcomes)
    first = outcomes[0]
    return (first.reason or "it was refused") if first.status is IngestStatus.REFUSED else None


def _quietly(done: int, total: int) -> None:
    """Nobody watches."""
