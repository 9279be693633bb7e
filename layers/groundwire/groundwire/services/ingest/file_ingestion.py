"""Ingestion of one file: unchanged content is skipped, changed content becomes a new version, unreadable is refused."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.lifecycle import tombstone, with_file_policy
from groundwire.domain.documents.parsed import Attachment
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.ports import DocumentVersion
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.documents.images.embedding import has_pictures_of
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.attachments import NESTED_TOO_DEEP, attachment_requests, with_parent_path
from groundwire.services.ingest.document_match import DocumentMatcher, effective_request, was_never_indexed
from groundwire.services.ingest.draft import DraftReader, IngestDraft, current_recipe
from groundwire.services.ingest.ingest_ports import IngestPorts
from groundwire.services.ingest.records import queued_record, refused_record, started_record, unchanged_content_record
from groundwire.services.ingest.request import CHANGED_CONCURRENTLY, IngestRequest, IngestResult, IngestStatus
from groundwire.services.ingest.rows.segments import SegmentProgress
from groundwire.services.ingest.versions import VersionWriter

_ALREADY_INGESTED = "this file is the document {} already: give no other id, or delete that document first"
"""Refusal: two documents of one file would both be found, and only one of them would follow the file's policy."""


class FileIngestion:
    """Ingestion of single files; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts) -> None:
        self._ports = ports
        reconciler = Reconciler(ports.documents, ports.indexes, ports.image_indexes, ports.blobs, ports.clock)
        self._attachment_tree = AttachmentTree(ports.documents, reconciler, ports.clock)
        self._matcher = DocumentMatcher(ports.documents, ports.path_exists)
        self._draft_reader = DraftReader(self._matcher, ports.parser, ports.enricher, self._image_model)
        self._version_writer = VersionWriter(ports, reconciler)

    def queue(self, tenant: str, requests: Sequence[IngestRequest]) -> None:
        """Create queued records for files without one, except where the document was deleted explicitly since."""
        new = {
            (request.source_path, request.doc_id): queued_record(request, self._ports.new_id(), self._ports.clock())
            for request in requests
            if self._matcher.find(request) is None
            and self._matcher.find_by_path(request) is None
            and not self._matcher.was_deleted_since(request)
        }
        if new:
            self._ports.documents.add_queued(tenant, list(new.values()))

    def start(self, request: IngestRequest) -> None:
        """Mark a queued file as being parsed; a file that was parsed before keeps its state."""
        current = self._matcher.find(request)
        if current is None or current.state is not DocumentState.QUEUED:
            return
        # A file that may not replace the queued document is refused later, when it is read.
        with suppress(DocumentRefused):
            started = started_record(current, effective_request(request, current), self._ports.clock())
            self._ports.documents.write(request.tenant, started, current)

    def read_draft(self, request: IngestRequest) -> IngestDraft:
        """Read the file, and parse it where it is new; nothing is written."""
        return self._draft_reader(request)

    def __call__(self, draft: IngestDraft, progress: SegmentProgress) -> list[IngestResult]:
        """Ingest the draft; return the result of the file, then those of its attachments.

        An unreadable file is a result with its reason, never an exception.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is stored.
        """
        current = self._matcher.find(draft.request)
        try:
            draft = replace(draft, request=effective_request(draft.request, current))
        except DocumentRefused as refusal:
            return [_refused_result(draft.request, str(refusal))]
        if draft.content is None:
            return [self._handle_unreadable(draft, current)]
        if current is None and (other := self._matcher.find_by_path(draft.request)) is not None:
            return [_refused_result(draft.request, _ALREADY_INGESTED.format(other.doc_id))]
        current = self._find_or_create_record(draft, current)
        return self._ingest(replace(draft, request=effective_request(draft.request, current)), current, progress)

    def _ingest(self, draft: IngestDraft, current: Document, progress: SegmentProgress) -> list[IngestResult]:
        if draft.matches(current) and self._is_in_index(draft.request.tenant, current):
            return [self._keep_content(draft.request, current)]
        draft = self._draft_reader.parse(draft)
        try:
            return self._index(draft, current, progress)
        except DocumentRefused as refusal:
            return [self._refuse(draft, current, str(refusal))]

    def refuse(self, request: IngestRequest, reason: str) -> None:
        """Record why the file was not ingested, without its content."""
        current = self._matcher.find(request)
        if current is None:
            return
        try:
            request = effective_request(request, current)
        except DocumentRefused:
            # The record belongs to another file, so it is not changed.
            return
        image_model = self._image_model(request.tenant)
        recipe = current_recipe(request, self._ports.parser, self._ports.enricher, image_model)
        self._refuse(IngestDraft(request, None, "", recipe), current, reason)

    def _find_or_create_record(self, draft: IngestDraft, current: Document | None) -> Document:
        """Return the record that the file continues, creating it where there is none."""
        request = draft.request
        if (
            was_never_indexed(current)
            and (renamed := self._matcher.find_renamed(request, draft.content_hash)) is not None
        ):
            if current is not None:
                self._ports.documents.delete_unindexed(request.tenant, current.doc_id)
            return renamed
        if current is None and request.parent is None:
            self.queue(request.tenant, [request])
            current = self._matcher.find(request)
        if current is None or (current.state in TOMBSTONE_STATES and self._matcher.was_deleted_since(request)):
            # The mail of a queued attachment was changed, so the content read is that of the previous mail.
            # Or a document with a chosen id was deleted while its file was read.
            raise Conflict(CHANGED_CONCURRENTLY)
        return current

    def _image_model(self, tenant: str) -> str:
        """Return the name of the model whose vectors of pictures the tenant's index takes; empty without one."""
        embedder = self._ports.image_embedder
        if embedder is None or not has_pictures_of(self._ports.image_indexes.for_tenant(tenant).model, embedder):
            return ""
        return embedder.model.name

    def _is_in_index(self, tenant: str, current: Document) -> bool:
        """Return whether the index still has the record's rows; otherwise the document is indexed again."""
        index = self._ports.indexes.for_tenant(tenant)
        if self._ports.clock() < current.rows_written_at + index.visible_after_seconds:
            return True
        version = DocumentVersion(current.doc_id, current.version)
        if index.count_version_rows(version) != current.segments:
            return False
        images = self._ports.image_indexes.for_tenant(tenant) if current.images else None
        return images is None or images.count_version_rows(version) == current.images

    def _keep_content(self, request: IngestRequest, current: Document) -> IngestResult:
        record = unchanged_content_record(current, request)
        if record == current:
            return IngestResult(
                IngestStatus.UNCHANGED, request.file_name, current, previous_policy=_previous_policy(current)
            )

        def follow(child: Document) -> Document:
            return with_parent_path(with_file_policy(child, request.policy), current, record)

        reconciled = self._attachment_tree.change(request.tenant, current, record, follow)
        status = _unchanged_content_status(current, record)
        return IngestResult(status, request.file_name, reconciled, previous_policy=_previous_policy(current))

    def _handle_unreadable(self, draft: IngestDraft, current: Document | None) -> IngestResult:
        """Refuse a file that cannot be opened; an indexed version stays unless the file came with another policy."""
        reason = draft.refusal or ""
        if current is None or current.state in TOMBSTONE_STATES:
            return _refused_result(draft.request, reason)
        if current.state is DocumentState.INDEXED and current.policy == draft.request.policy:
            return _refused_result(draft.request, reason)
        return self._refuse(draft, current, reason)

    def _refuse(self, draft: IngestDraft, current: Document, reason: str) -> IngestResult:
        size = len(draft.content or b"")
        refused = refused_record(current, draft.request, draft.content_hash, size, reason)

        def follow(child: Document) -> Document:
            return (
                with_file_policy(child, refused.policy) if refused.state is DocumentState.INDEXED else tombstone(child)
            )

        reconciled = self._attachment_tree.change(draft.request.tenant, current, refused, follow)
        before = _previous_policy(current)
        name = draft.request.file_name
        return IngestResult(IngestStatus.REFUSED, name, reconciled, reconciled.reason, previous_policy=before)

    def _index(self, draft: IngestDraft, current: Document, progress: SegmentProgress) -> list[IngestResult]:
        planned = self._version_writer.plan(draft, current)
        started = self._version_writer.start(planned, current)
        attachment_results = self._ingest_attachments(draft.request, started, planned.parsed.attachments, progress)
        completed = self._version_writer.complete(planned, started, progress)
        name = draft.request.file_name
        outcome = IngestResult(
            IngestStatus.INDEXED,
            name,
            completed.document,
            None,
            completed.embedded_count,
            completed.enrichment_failure,
            completed.images_left_out,
            _previous_policy(current),
        )
        return [outcome, *attachment_results]

    def _ingest_attachments(
        self, request: IngestRequest, parent: Document, attachments: Sequence[Attachment], progress: SegmentProgress
    ) -> list[IngestResult]:
        """Ingest the attachments before the mail is complete, so that an interrupted run parses the mail again."""
        requests = attachment_requests(request, parent, attachments)
        self._discard_attachments(request.tenant, parent, {(each.collection, each.source_path) for each in requests})
        if request.nesting_depth >= MAX_NESTED_MAILS:
            return [_refused_result(each, NESTED_TOO_DEEP) for each in requests]
        self.queue(request.tenant, requests)
        # From here on a change of the mail also changes its attachments; this write detects an earlier change.
        self._ports.documents.write_all(request.tenant, [(parent, parent)])
        return [outcome for each in requests for outcome in self._ingest_attachment(each, progress)]

    def _ingest_attachment(self, request: IngestRequest, progress: SegmentProgress) -> list[IngestResult]:
        try:
            self.start(request)
            return self(self.read_draft(request), progress)
        except Conflict:
            return [_refused_result(request, CHANGED_CONCURRENTLY)]

    def _discard_attachments(self, tenant: str, parent: Document, remaining: set[tuple[str, str]]) -> None:
        for child in self._ports.documents.children(tenant, parent.doc_id):
            if (child.collection, child.source_path or "") not in remaining:
                self._attachment_tree.change(tenant, child, tombstone(child), tombstone)


def _unchanged_content_status(current: Document, record: Document) -> IngestStatus:
    """Return the status of unchanged content: a changed source of an equal policy counts as unchanged."""
    if record.policy_version != current.policy_version:
        return IngestStatus.POLICY_CHANGED
    expected = replace(
        current, policy_from_files=record.policy_from_files, policy_overridden_at=record.policy_overridden_at
    )
    return IngestStatus.UNCHANGED if expected == record else IngestStatus.UPDATED


def _previous_policy(current: Document) -> Policy | None:
    """Return the policy by which a version of the document is read; None where nobody has read one."""
    return current.policy if current.state is DocumentState.INDEXED else None


def _refused_result(request: IngestRequest, reason: str) -> IngestResult:
    return IngestResult(IngestStatus.REFUSED, request.file_name, None, reason)
