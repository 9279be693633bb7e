"""Ingestion of an uploaded file: the decisions made with its ticket apply, whatever the file contains."""

import hashlib
from collections.abc import Callable
from enum import StrEnum

from groundwire.domain.audit.ingestion import IngestionAudit, IngestionOrigin, IngestionScope
from groundwire.domain.documents.record import PARSER_CAUSES, Refusal
from groundwire.domain.documents.uploads import Upload, UploadState, upload_path
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import IngestLock, Keys, Uploads, Users
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import (
    IngestRequest,
    IngestResult,
    IngestStatus,
    finished_documents,
    raise_on_conflict,
)
from groundwire.services.ingest.source_objects.source_paths import source_path

_BLOCKED_USER = "the user who got the ticket is blocked"
_REVOKED_KEY = "the key that got the ticket was revoked"
_CONTENT_MISMATCH = "the file is not the one of the ticket: its SHA-256 differs"


class UploadResult(StrEnum):
    """Result of an upload with a ticket.

    `UNREAD`: the parser ended while it read the file, so that ticket and file stay for a rebuild.
    """

    DONE = "done"
    REFUSED = "refused"
    NO_TICKET = "no_ticket"
    UNREAD = "unread"


class UploadIngestion:
    """Ingestion that processes each ticket's file once."""

    def __init__(
        self, uploads: Uploads, keys: Keys, users: Users, batch: IngestBatch, lock: IngestLock, audit: IngestionAudit
    ) -> None:
        self._audit = audit
        self._uploads = uploads
        self._keys = keys
        self._users = users
        self._batch = batch
        self._lock = lock

    def __call__(
        self, tenant: str, ticket: str, version: str, arrived_at: float, read: Callable[[], bytes]
    ) -> UploadResult:
        """Ingest under the tenant's lock; arguments and errors as for `ingest_under_lock`."""
        with self._lock.hold(tenant):
            return self.ingest_under_lock(tenant, ticket, version, arrived_at, read)

    def ingest_under_lock(
        self, tenant: str, ticket: str, version: str, arrived_at: float, read: Callable[[], bytes]
    ) -> UploadResult:
        """Ingest the file, or record in the document and the ticket why it was refused; the caller holds the lock.

        Args:
            tenant: owner of the ticket.
            ticket: ticket of the upload.
            version: identifies this content; the same one may be repeated until it is done, another one is refused.
            arrived_at: time of the upload, epoch seconds.
            read: returns the content; may raise DocumentRefused.

        Raises:
            Conflict: somebody else changed the document meanwhile; a repeat of the call ingests the file.
            OutOfTime: a repeat of the call continues.
        """
        upload = self._claim(tenant, ticket, version, arrived_at)
        if upload is None:
            return UploadResult.NO_TICKET
        if upload.state is UploadState.DONE:
            # The file was ingested; later changes of the document must not be undone.
            return UploadResult.DONE
        if (lost_right := self._lost_right(tenant, upload)) is not None:
            # Before any record is written: a ticket lasts longer than the call that got it.
            self._uploads.finish(tenant, ticket, lost_right)
            return UploadResult.REFUSED
        request = _ingest_request(tenant, upload, lambda: _verified_content(upload, read()))
        outcomes = self._batch.ingest_under_lock(request, None, _ignore_progress)
        reason = _refusal_reason(outcomes)
        scope = IngestionScope(tenant, upload.collection, IngestionOrigin.UPLOAD, None)
        # Before the ticket ends, since only a repeated upload writes a line that is missing.
        self._audit.file_finished(scope, finished_documents(outcomes))
        if reason is not None and outcomes[0].cause in PARSER_CAUSES:
            return UploadResult.UNREAD
        self._uploads.finish(tenant, ticket, reason)
        return _result(reason)

    def _lost_right(self, tenant: str, upload: Upload) -> str | None:
        """Return why the person behind the ticket has no right any more; None while the right lasts."""
        if upload.kid is not None and self._keys.is_revoked(tenant, upload.kid):
            return _REVOKED_KEY
        is_blocked = upload.user is not None and self._users.state(tenant, upload.user).is_blocked
        return _BLOCKED_USER if is_blocked else None

    def _claim(self, tenant: str, ticket: str, version: str, arrived_at: float) -> Upload | None:
        """Return the ticket if it belongs to this content, also when it has ended already."""
        before = self._uploads.get(tenant, ticket)
        if before is not None and before.has_ended and before.object_version == version:
            return before
        return self._uploads.claim(tenant, ticket, version, arrived_at)

    def refuse(self, tenant: str, ticket: str, refusal: Refusal) -> None:
        """Record in ticket and document why the file was not ingested, unless it was; the caller holds the lock.

        A later attempt that succeeds replaces the refusal. The ticket of a file that the parser did not read stays
        open, so that its file can be read later.
        """
        upload = self._uploads.get(tenant, ticket)
        if upload is not None and upload.object_version is not None and upload.state is not UploadState.DONE:
            if refusal.cause not in PARSER_CAUSES:
                self._uploads.finish(tenant, ticket, refusal.reason)
            self._batch.refuse(_ingest_request(tenant, upload, bytes), refusal)


def _result(reason: str | None) -> UploadResult:
    return UploadResult.DONE if reason is None else UploadResult.REFUSED


def _ingest_request(tenant: str, upload: Upload, read: Callable[[], bytes]) -> IngestRequest:
    return IngestRequest(
        tenant=tenant,
        collection=upload.collection,
        source_path=source_path(tenant, upload_path(upload)),
        file_name=upload.file_name,
        read=read,
        policy=upload.declared_policy,
        doc_id=upload.doc_id,
        source_url=upload.source_url,
        metadata=upload.metadata,
        decided_at=upload.created_at,
        unchanged_since=upload.created_at,
        restores=upload.restores,
        restores_content=upload.restores_content,
        contributor=upload.contributor,
    )


def _verified_content(upload: Upload, content: bytes) -> bytes:
    if hashlib.sha256(content).hexdigest() != upload.sha256.lower():
        raise DocumentRefused(_CONTENT_MISMATCH)
    return content


def _refusal_reason(outcomes: list[IngestResult]) -> str | None:
    """Return why the file itself was refused or held back, or None; its result precedes those of its attachments."""
    raise_on_conflict(outcomes)
    first = outcomes[0]
    is_left_out = first.status in {IngestStatus.REFUSED, IngestStatus.HELD_BACK}
    return (first.reason or "the service refused it") if is_left_out else None


def _ignore_progress(done: int, total: int) -> None:
    """Ignore the progress: an upload has no caller to show it to."""
