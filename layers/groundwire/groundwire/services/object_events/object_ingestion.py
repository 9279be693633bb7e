"""Ingestion of one object of the bucket: the registry follows its current version, or its removal."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.audit.ingestion import FinishedDocument, IngestionAudit, IngestionOrigin, IngestionScope
from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.tombstones import holds_back, tombstone
from groundwire.domain.documents.links import clean_url
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, Refusal
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.ports import Documents, SidecarParser, SourceObject, SourceObjects, SourceRecords
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.document_match import match_of_path
from groundwire.services.ingest.request import (
    IngestRequest,
    IngestResult,
    IngestStatus,
    finished_documents,
    present_policy,
    raise_on_conflict,
)
from groundwire.services.ingest.source_objects.file_types import is_readable_type
from groundwire.services.ingest.source_objects.sidecars import (
    UNDECLARED,
    FileAttributes,
    PolicyFileRefused,
    SidecarFileRefused,
    SidecarResolver,
)
from groundwire.services.ingest.source_objects.source_paths import SourcePath, source_path
from groundwire.services.object_events.embedding_cache import CachingEmbedders
from groundwire.services.object_events.upload_order import (
    UPLOADED_IN_SECOND_OF_DELETION,
    UploadDecision,
    decide_upload,
    is_upload_order_unknown,
    latest_upload_time,
)
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES

RESTORE_METADATA: Final = "groundwire-restore"
"""Metadata of an object, with the value `true`: it restores a document that was deleted before the object was put.
"""
_DOC_ID_IN_OTHER_COLLECTION: Final = (
    "its doc_id belongs to a document of another collection: choose another id, or delete and forget that document, "
    "and put the file again"
)


class ObjectIngestion:
    """Ingestion of objects; the caller holds the tenant's lock, so that no sidecar file is applied in between."""

    def __init__(
        self,
        sources: SourceObjects,
        sidecar_parser: SidecarParser,
        documents: Documents,
        admin: DocumentAdmin,
        batch: IngestBatch,
        embedders: CachingEmbedders,
        audit: IngestionAudit,
    ) -> None:
        self._audit = audit
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._documents = documents
        self._admin = admin
        self._batch = batch
        self._embedders = embedders

    def ingest(
        self, tenant: str, path: SourcePath, uploaded_at: float | None, is_out_of_time: Callable[[], bool]
    ) -> None:
        """Ingest the current version of the file; without a file, leave a tombstone.

        A file of a type that is not read makes no record, and neither does a lock file of Office.

        Args:
            tenant: owner of the file.
            path: path of the file.
            uploaded_at: time of the upload, if the event is about the file itself (epoch seconds); a later deletion of
                its document is kept. None: only a sidecar file has changed. A manual override of the policy is kept
                where it is younger than the current content.
            is_out_of_time: returns whether the time is over.

        Raises:
            Conflict: somebody else changed the document meanwhile; a repeat ingests the file.
            OutOfTime: a repeat continues.
        """
        file = self._sources.find(tenant, path.path)
        known = self._find_records(tenant, path)
        if file is None:
            self._remove_source(tenant, path, known.living)
        # A lock file that an earlier release indexed goes on: its readers and its removal are followed.
        elif not is_readable_type(path.name) or (path.is_lock_file and not (known.living and known.living.version)):
            self._leave_out(tenant, path, known.living)
        elif self._should_ingest(tenant, path, file, uploaded_at, known):
            self._ingest(tenant, path, file, uploaded_at, known, is_out_of_time)

    def _ingest(
        self,
        tenant: str,
        path: SourcePath,
        file: SourceObject,
        uploaded_at: float | None,
        known: SourceRecords,
        is_out_of_time: Callable[[], bool],
    ) -> None:
        with self._embedders.cache_for(tenant, path.path, is_out_of_time):
            request = self._request(tenant, path, file, uploaded_at, known.living)
            # A record that only stated an unknown order was removed, and a chosen id needs its own look-up.
            is_known = request.doc_id is None and not is_upload_order_unknown(known.living)
            match = match_of_path(known, request.contributor) if is_known else None
            results = self._batch.ingest_under_lock(request, match, _ignore_progress)
            raise_on_conflict(results)
            self._record_refusal(request, results[0], known.living)
            self._audit.file_finished(_scope(tenant, path), finished_documents(results))

    def _record_refusal(self, request: IngestRequest, first: IngestResult, document: Document | None) -> None:
        """Record why an earlier version stays in force, since nobody sees the result of a message."""
        if first.status is not IngestStatus.REFUSED or first.document is not None or first.reason is None:
            return
        if document is not None:
            self._batch.refuse(request, Refusal(first.cause, first.reason))

    def refuse(self, tenant: str, path: SourcePath, uploaded_at: float | None, refusal: Refusal) -> None:
        """Record in the document why its file was not ingested."""
        file = self._sources.find(tenant, path.path)
        if file is None:
            return
        known = self._find_records(tenant, path)
        request = self._request(tenant, path, file, uploaded_at, known.living)
        self._batch.refuse(request, refusal)
        self._embedders.discard(tenant, path.path)

    def _leave_out(self, tenant: str, path: SourcePath, document: Document | None) -> None:
        """Make no record of a file of a type that is not read; remove the one that an earlier release refused.

        A record on which a person decided stays, so that the decision holds for the file when it can be read.
        """
        if document is not None and not document.version and not is_decided_by_person(document):
            self._record_removal(_scope(tenant, path), document, tombstone(document))
            self._documents.delete_unindexed(tenant, document)

    def _remove_source(self, tenant: str, path: SourcePath, document: Document | None) -> None:
        if document is not None:
            self._admin.remove_source(tenant, document.doc_id, partial(self._record_removal, _scope(tenant, path)))
        self._embedders.discard(tenant, path.path)

    def _record_removal(self, scope: IngestionScope, before: Document, after: Document) -> None:
        """Write the audit line first: a repetition would find no document to write it about."""
        self._audit.file_finished(scope, [FinishedDocument.of(after, after.state.value, before.policy)])

    def _should_ingest(
        self, tenant: str, path: SourcePath, file: SourceObject, uploaded_at: float | None, known: SourceRecords
    ) -> bool:
        """Decide whether to ingest the file; an unknown order is written to the record."""
        document = known.living
        if document is not None and document.version:
            return True
        if document is None and uploaded_at is None:
            # The event of the file itself is still to come, or the document was deleted by its id.
            return False
        has_no_content = document is None or is_upload_order_unknown(document)
        if has_no_content and known.deleted_at and not _asks_for_restoration(file):
            self._embedders.discard(tenant, path.path)
            return False
        put_at = uploaded_at if document is None and uploaded_at is not None else _latest_upload_time(file, uploaded_at)
        decision = decide_upload(document, known.deleted_at, put_at)
        if decision is UploadDecision.UNCLEAR:
            request = self._request(tenant, path, file, put_at, document)
            # The tombstone of a chosen id must keep the time of its deletion.
            request = replace(request, doc_id=None, decided_at=latest_upload_time(put_at))
            self._batch.refuse(request, UPLOADED_IN_SECOND_OF_DELETION)
        elif decision is UploadDecision.NO:
            self._embedders.discard(tenant, path.path)
        elif document is not None and is_upload_order_unknown(document) and not is_decided_by_person(document):
            self._documents.delete_unindexed(tenant, document)
        return decision is UploadDecision.YES

    def _find_records(self, tenant: str, path: SourcePath) -> SourceRecords:
        return self._documents.from_source(tenant, path.collection, source_path(tenant, path.path))

    def _request(
        self, tenant: str, path: SourcePath, file: SourceObject, uploaded_at: float | None, document: Document | None
    ) -> IngestRequest:
        request = self._request_from_sidecars(tenant, path, file, document)
        uploaded_at = _latest_upload_time(file, uploaded_at)
        # Whoever puts objects decides about the whole bucket.
        restores = _asks_for_restoration(file)
        return replace(request, decided_at=uploaded_at, restores=restores, restores_content=restores)

    def _request_from_sidecars(
        self, tenant: str, path: SourcePath, file: SourceObject, document: Document | None
    ) -> IngestRequest:
        try:
            attributes = SidecarResolver(tenant, self._sources, self._sidecar_parser).resolve(file)
        except PolicyFileRefused as error:
            return replace(
                _ingest_request(tenant, path, _UNDECLARED, _refusing_reader(SidecarFileRefused(str(error)))),
                policy=present_policy(document),
            )
        except InvalidInput as error:
            # The readers are unknown, so nobody may read it, and the record tells the owner why.
            request = _ingest_request(tenant, path, _UNDECLARED, _refusing_reader(SidecarFileRefused(str(error))))
            return replace(request, policy=DeclaredPolicy(None, NO_READERS))
        if self._is_in_other_collection(tenant, path, attributes.doc_id):
            # A record of its own shows the owner the refusal.
            return _ingest_request(
                tenant,
                path,
                replace(attributes, doc_id=None),
                _refusing_reader(DocumentRefused(_DOC_ID_IN_OTHER_COLLECTION)),
            )
        try:
            attributes = replace(
                attributes, source_url=None if attributes.source_url is None else clean_url(attributes.source_url)
            )
        except InvalidInput as error:
            return _ingest_request(
                tenant, path, replace(attributes, source_url=None), _refusing_reader(SidecarFileRefused(str(error)))
            )
        return _ingest_request(tenant, path, attributes, lambda: self._read(tenant, file))

    def _is_in_other_collection(self, tenant: str, path: SourcePath, doc_id: str | None) -> bool:
        """Return whether the id belongs to a document of another collection.

        Whoever writes into one folder of a bucket has no rights to the documents of another. Commands and uploads may
        move a document, since they prove their rights to it.
        """
        document = None if doc_id is None else self._documents.read(tenant, [doc_id]).get(doc_id)
        if document is None or document.collection == path.collection:
            return False
        # A deletion belongs to its collection as the document did. One for the files of one person concerns no bucket.
        return document.state not in TOMBSTONE_STATES or holds_back(document, NO_CONTRIBUTOR)

    def _read(self, tenant: str, file: SourceObject) -> bytes:
        if file.size > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        try:
            return self._sources.read(tenant, file.path, file.version)
        except NotFound as error:
            raise Unavailable(
                "The file was replaced while it was read. The service reads it again.", retry_after_s=1
            ) from error


_UNDECLARED: Final = FileAttributes(UNDECLARED, {}, None, None)


def _asks_for_restoration(file: SourceObject) -> bool:
    """Return whether whoever put the object wants its document back although a person deleted it."""
    return file.metadata.get(RESTORE_METADATA, "").strip().lower() == "true"


def _scope(tenant: str, path: SourcePath) -> IngestionScope:
    return IngestionScope(tenant, path.collection, IngestionOrigin.OBJECT, None)


def _latest_upload_time(file: SourceObject, uploaded_at: float | None) -> float:
    """Return when the current content was put.

    Events of earlier content may come late, and for a multipart upload S3 gives the time of its start.
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
        policy=attributes.policy.declared,
        doc_id=attributes.doc_id,
        source_url=attributes.source_url,
        metadata=attributes.metadata,
    )


def _refusing_reader(refusal: DocumentRefused) -> Callable[[], bytes]:
    def read() -> bytes:
        raise refusal

    return read


def _ignore_progress(done: int, total: int) -> None:
    """Ignore the progress: an event has no caller to show it to."""
