"""One file of the bucket, brought into the registry as it is now, or out of it where it is gone."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.documents.source_url import clean_url
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.domain.limits import MAX_DOCUMENT_BYTES
from groundwire.ports import Documents, SidecarParser, SourceObject, SourceObjects
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus, raise_on_conflict
from groundwire.services.ingest.source_paths import SourcePath, source_path
from groundwire.services.object_events.embedding_cache import CachingEmbedders
from groundwire.services.object_events.sidecars import FileAttributes, PolicyFileRefused, SidecarResolver

UPLOADED_IN_SECOND_OF_DELETION: Final = (
    "it was put in the very second in which its document was deleted, and which came first cannot be told: put it again"
)
_S3_CLOCK_RESOLUTION_SECONDS: Final = 1.0
"""S3 tells whole seconds, rounded down."""


class UploadDecision(StrEnum):
    """Whether a file is to be brought in."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def is_upload_order_unknown(document: Document | None) -> bool:
    """Whether the record says no more than that nobody could tell."""
    return document is not None and document.reason == UPLOADED_IN_SECOND_OF_DELETION


def decide_upload(document: Document | None, deleted_at: float, uploaded_at: float) -> UploadDecision:
    """Of a file that nothing was ever indexed of, put at a time as S3 tells it, by the last deletion at its place."""
    if deleted_at < uploaded_at:
        return UploadDecision.YES
    if deleted_at < uploaded_at + _S3_CLOCK_RESOLUTION_SECONDS:
        return UploadDecision.UNCLEAR
    return UploadDecision.NO if document is None or is_upload_order_unknown(document) else UploadDecision.YES


def latest_upload_time(uploaded_at: float) -> float:
    """The latest time at which it may have been put."""
    return uploaded_at + _S3_CLOCK_RESOLUTION_SECONDS


_DOC_ID_IN_OTHER_COLLECTION: Final = (
    "its doc_id is that of a document of another collection: choose another, or delete that one first"
)


class ObjectIngestion:
    """The caller holds the tenant's lock, so that no side file is followed in between."""

    def __init__(
        self,
        sources: SourceObjects,
        sidecar_parser: SidecarParser,
        documents: Documents,
        admin: DocumentAdmin,
        batch: IngestBatch,
        embedders: CachingEmbedders,
    ) -> None:
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._documents = documents
        self._admin = admin
        self._batch = batch
        self._embedders = embedders

    def ingest(
        self, tenant: str, path: SourcePath, uploaded_at: float | None, is_out_of_time: Callable[[], bool]
    ) -> None:
        """The document is that of the file as it stands now; where there is none, a tombstone.

        Args:
            tenant: whose file it is.
            path: where it lies.
            uploaded_at: when the file was put, if that is the news (epoch seconds); its document's deletion since then
                stands. None: only what is said of the file has changed. A policy that was given to the document by
                hand stands where it is younger than the content that is found.
            is_out_of_time: whether the time is over.

        Raises:
            Conflict: somebody else changed the document meanwhile; the same call brings it in again.
            OutOfTime: the same call goes on with it.
        """
        file = self._sources.find(tenant, path.path)
        if file is None:
            self._remove_source(tenant, path)
        elif self._should_ingest(tenant, path, file, uploaded_at):
            self._ingest(tenant, path, file, uploaded_at, is_out_of_time)

    def _ingest(
        self,
        tenant: str,
        path: SourcePath,
        file: SourceObject,
        uploaded_at: float | None,
        is_out_of_time: Callable[[], bool],
    ) -> None:
        with self._embedders.cache_for(tenant, path.path, is_out_of_time):
            request = self._request(tenant, path, file, uploaded_at)
            outcomes = list(self._batch.ingest_with_lock_held(tenant, path.collection, [request], _ignore_progress))
            raise_on_conflict(outcomes)
            self._record_refusal(tenant, path, request, outcomes[0])

    def _record_refusal(self, tenant: str, path: SourcePath, request: IngestRequest, first: IngestResult) -> None:
        """Record why an earlier version goes on answering, since nobody sees the outcome of a message."""
        if first.status is not IngestStatus.REFUSED or first.document is not None or first.reason is None:
            return
        if self._find_document(tenant, path) is not None:
            self._batch.refuse(tenant, path.collection, request, first.reason)

    def refuse(self, tenant: str, path: SourcePath, uploaded_at: float | None, reason: str) -> None:
        """The document's record says why its file could not be brought in."""
        file = self._sources.find(tenant, path.path)
        if file is not None and not self._was_deleted_since(tenant, path, uploaded_at):
            self._batch.refuse(tenant, path.collection, self._request(tenant, path, file, uploaded_at), reason)
            self._embedders.discard(tenant, path.path)

    def _remove_source(self, tenant: str, path: SourcePath) -> None:
        known = self._find_document(tenant, path)
        if known is not None:
            self._admin.remove_source(tenant, known.doc_id)
        self._embedders.discard(tenant, path.path)

    def _should_ingest(self, tenant: str, path: SourcePath, file: SourceObject, uploaded_at: float | None) -> bool:
        """Where nobody can tell, a record says so."""
        known = self._find_document(tenant, path)
        if known is not None and known.version:
            return True
        if known is None and uploaded_at is None:
            # The news of the file itself is yet to come, or the document was deleted by its id.
            return False
        put = uploaded_at if known is None and uploaded_at is not None else _latest_upload_time(file, uploaded_at)
        answer = decide_upload(known, self._deleted_at(tenant, path), put)
        if answer is UploadDecision.UNCLEAR:
            asked = self._request(tenant, path, file, put)
            # The tombstone of a chosen id has to go on saying when that was.
            asked = replace(asked, doc_id=None, decided_at=latest_upload_time(put))
            self._batch.refuse(tenant, path.collection, asked, UPLOADED_IN_SECOND_OF_DELETION)
        elif answer is UploadDecision.NO:
            self._embedders.discard(tenant, path.path)
        elif known is not None and is_upload_order_unknown(known):
            self._documents.delete_unindexed(tenant, known.doc_id)
        return answer is UploadDecision.YES

    def _was_deleted_since(self, tenant: str, path: SourcePath, uploaded_at: float | None) -> bool:
        """Whether the document of the file, as it was put then, is no longer wanted."""
        if uploaded_at is None or self._find_document(tenant, path) is not None:
            return False
        return 0 < uploaded_at <= self._deleted_at(tenant, path)

    def _deleted_at(self, tenant: str, path: SourcePath) -> float:
        return self._documents.last_deletion_at(tenant, path.collection, source_path(tenant, path.path))

    def _find_document(self, tenant: str, path: SourcePath) -> Document | None:
        return self._documents.by_source_path(tenant, path.collection, source_path(tenant, path.path))

    def _request(self, tenant: str, path: SourcePath, file: SourceObject, uploaded_at: float | None) -> IngestRequest:
        return replace(
            self._request_from_sidecars(tenant, path, file), decided_at=_latest_upload_time(file, uploaded_at)
        )

    def _request_from_sidecars(self, tenant: str, path: SourcePath, file: SourceObject) -> IngestRequest:
        try:
            said = SidecarResolver(tenant, self._sources, self._sidecar_parser).resolve(file)
        except PolicyFileRefused as problem:
            return replace(self._request_with_current_policy(tenant, path), read=_refusing_reader(str(problem)))
        except InvalidInput as problem:
            # Who may read it cannot be known, so nobody may, and the owner reads why in its record.
            return _ingest_request(
                tenant, path, FileAttributes(NO_READERS, True, {}, None, None), _refusing_reader(str(problem))
            )
        if self._is_in_other_collection(tenant, path, said.doc_id):
            return _ingest_request(
                tenant, path, replace(said, doc_id=None), _refusing_reader(_DOC_ID_IN_OTHER_COLLECTION)
            )
        try:
            said = replace(said, source_url=None if said.source_url is None else clean_url(said.source_url))
        except InvalidInput as problem:
            return _ingest_request(tenant, path, replace(said, source_url=None), _refusing_reader(str(problem)))
        return _ingest_request(tenant, path, said, lambda: self._read(tenant, file))

    def _request_with_current_policy(self, tenant: str, path: SourcePath) -> IngestRequest:
        """Ask for the file under the readers that its document has; for nobody, where it has no document yet."""
        asked = _ingest_request(tenant, path, FileAttributes(NO_READERS, True, {}, None, None), bytes)
        known = self._find_document(tenant, path)
        if known is None or known.state is not DocumentState.INDEXED:
            return asked
        return replace(
            asked,
            policy=known.policy,
            policy_from_files=known.policy_from_files,
            policy_overridden_at=known.policy_overridden_at,
        )

    def _is_in_other_collection(self, tenant: str, path: SourcePath, doc_id: str | None) -> bool:
        """Whoever may write the files of one collection replaces no document of another by naming it."""
        known = None if doc_id is None else self._documents.read(tenant, [doc_id]).get(doc_id)
        return known is not None and known.state not in TOMBSTONE_STATES and known.collection != path.collection

    def _read(self, tenant: str, file: SourceObject) -> bytes:
        if file.size > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        try:
            return self._sources.read(tenant, file.path, file.version)
        except NotFound as error:
            raise Unavailable("The file was replaced while it was read: it is read again.", retry_after_s=1) from error


def _latest_upload_time(file: SourceObject, uploaded_at: float | None) -> float:
    """When the content that is found was put.

    News of an earlier one may come late; and of what came in parts, S3 tells when its first part did.
    """
    return max(uploaded_at or 0.0, file.uploaded_at)


def _ingest_request(
    tenant: str, path: SourcePath, attributes: FileAttributes, read: Callable[[], bytes]
) -> IngestRequest:
    return IngestRequest(
        tenant=tenant,
        collection=path.collection,
        source_path=source_path(tenant, path.path),
        file_name=path.name,
        read=read,
        policy=attributes.policy,
        doc_id=attributes.doc_id,
        source_url=attributes.source_url,
        metadata=attributes.metadata,
        policy_from_files=attributes.policy_from_files,
    )


def _refusing_reader(reason: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise DocumentRefused(reason)

    return read


def _ignore_progress(done: int, total: int) -> None:
    """Nobody watches."""
