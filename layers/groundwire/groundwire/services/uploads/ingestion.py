"""A file that was brought by an upload ticket: what was decided when the ticket was made holds, whatever came."""

import hashlib
from collections.abc import Callable
from enum import StrEnum

from groundwire.domain.documents.uploads import Upload, UploadState, upload_path
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import IngestLock, Uploads
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus, raise_on_conflict
from groundwire.services.ingest.source_paths import source_path

_CONTENT_MISMATCH = "the file is not the one that the ticket was made for: its SHA-256 is another"


class UploadResult(StrEnum):
    """What became of a file that came with a ticket."""

    DONE = "done"
    REFUSED = "refused"
    NO_TICKET = "no_ticket"


class UploadIngestion:
    """Brings the file in as the ticket says, once."""

    def __init__(self, uploads: Uploads, batch: IngestBatch, lock: IngestLock) -> None:
        self._uploads = uploads
        self._batch = batch
        self._lock = lock

    def __call__(
        self, tenant: str, ticket: str, version: str, arrived_at: float, read: Callable[[], bytes]
    ) -> UploadResult:
        """As `within`, under the tenant's lock."""
        with self._lock.hold(tenant):
            return self.ingest_with_lock_held(tenant, ticket, version, arrived_at, read)

    def ingest_with_lock_held(
        self, tenant: str, ticket: str, version: str, arrived_at: float, read: Callable[[], bytes]
    ) -> UploadResult:
        """The document is that of the file, or its record and the ticket say why not.

        Args:
            tenant: whose ticket it must be.
            ticket: that the file came with.
            version: names this content; the same may come again until it is done, another may not.
            arrived_at: when it came, epoch seconds.
            read: gives the content; Raises DocumentRefused.

        Raises:
            Conflict: somebody else changed the document meanwhile; the same call brings it in again.
            OutOfTime: the same call goes on with it.
        """
        upload = self._claim(tenant, ticket, version, arrived_at)
        if upload is None:
            return UploadResult.NO_TICKET
        if upload.state is UploadState.DONE:
            # It was brought in. Whatever somebody did with the document since then is not to be undone.
            return UploadResult.DONE
        request = _ingest_request(tenant, upload, lambda: _verified_content(upload, read()))
        outcomes = list(self._batch.ingest_with_lock_held(tenant, upload.collection, [request], _ignore_progress))
        reason = _refusal_reason(outcomes)
        self._uploads.finish(tenant, ticket, reason)
        return _result(reason)

    def _claim(self, tenant: str, ticket: str, version: str, arrived_at: float) -> Upload | None:
        """The ticket where it is this content's; one that has ended says so until it ends otherwise."""
        before = self._uploads.get(tenant, ticket)
        if before is not None and before.has_ended and before.object_version == version:
            return before
        return self._uploads.claim(tenant, ticket, version, arrived_at)

    def refuse(self, tenant: str, ticket: str, reason: str) -> None:
        """The ticket and the record say why the file could not be brought in, if it was not; the caller holds the lock.

        An attempt that succeeds after all takes it back.
        """
        upload = self._uploads.get(tenant, ticket)
        if upload is not None and upload.object_version is not None and upload.state is not UploadState.DONE:
            self._uploads.finish(tenant, ticket, reason)
            self._batch.refuse(tenant, upload.collection, _ingest_request(tenant, upload, bytes), reason)


def _result(reason: str | None) -> UploadResult:
    return UploadResult.DONE if reason is None else UploadResult.REFUSED


def _ingest_request(tenant: str, upload: Upload, read: Callable[[], bytes]) -> IngestRequest:
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
        decided_at=upload.created_at,
        unchanged_since=upload.created_at,
    )


def _verified_content(upload: Upload, content: bytes) -> bytes:
    if hashlib.sha256(content).hexdigest() != upload.sha256.lower():
        raise DocumentRefused(_CONTENT_MISMATCH)
    return content


def _refusal_reason(outcomes: list[IngestResult]) -> str | None:
    """Of the file itself, which comes before its attachments."""
    raise_on_conflict(outcomes)
    first = outcomes[0]
    return (first.reason or "it was refused") if first.status is IngestStatus.REFUSED else None


def _ignore_progress(done: int, total: int) -> None:
    """Nobody watches."""
