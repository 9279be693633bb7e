"""Ingest one file: unchanged does nothing, changed becomes a new version, unreadable is refused."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from groundwire.domain.documents.lifecycle import tombstone, with_file_policy
from groundwire.domain.documents.parsed import Attachment
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.ports import Blobs, Clock, Documents, DocumentVersion, Embedders, Enricher, Indexes, Parser
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.ingest.attachments import NESTED_TOO_DEEP, attachment_requests, with_parent_path
from groundwire.services.ingest.document_match import DocumentMatcher, effective_request, was_never_indexed
from groundwire.services.ingest.draft import DraftReader, IngestDraft, current_recipe
from groundwire.services.ingest.records import queued_record, refused_record, started_record, unchanged_content_record
from groundwire.services.ingest.request import CHANGED_CONCURRENTLY, IngestRequest, IngestResult, IngestStatus
from groundwire.services.ingest.segments import SegmentProgress
from groundwire.services.ingest.versions import VersionWriter
from groundwire.services.reconcile import Reconciler

_ALREADY_INGESTED = "this file is the document {} already: give no other id, or delete that document first"
"""Two documents of one file would both answer, and only one of them would follow the file's policy."""


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """What ingestion needs of the world.

    Attributes:
        new_id: a fresh document id. path_exists: whether a source path is still there.
        enricher: adds to passages before they are embedded; None where there is none.
    """

    documents: Documents
    indexes: Indexes
    blobs: Blobs
    parser: Parser
    embedders: Embedders
    clock: Clock
    new_id: Callable[[], str]
    path_exists: Callable[[str], bool]
    enricher: Enricher | None = None


class FileIngestion:
    """Brings single files in; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts) -> None:
        self._ports = ports
        settle = Reconciler(ports.documents, ports.indexes, ports.blobs, ports.clock)
        self._attachment_tree = AttachmentTree(ports.documents, settle, ports.clock)
        self._matcher = DocumentMatcher(ports.documents, ports.path_exists)
        self._draft_reader = DraftReader(self._matcher, ports.parser, ports.enricher)
        self._version_writer = VersionWriter(
            ports.documents,
            ports.indexes,
            ports.blobs,
            ports.embedders,
            ports.clock,
            ports.parser.version,
            ports.enricher,
        )

    def queue(self, tenant: str, requests: Sequence[IngestRequest]) -> None:
        """Files that nothing is known of have a record, and wait; not those whose document was deleted since."""
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
        """A file that waited is being read; one that was read before answers as it did."""
        current = self._matcher.find(request)
        if current is None or current.state is not DocumentState.QUEUED:
            return
        # Whoever may not take the place of what waits here is told when the file is read.
        with suppress(DocumentRefused):
            begun = started_record(current, effective_request(request, current), self._ports.clock())
            self._ports.documents.write(request.tenant, begun, current)

    def read_draft(self, request: IngestRequest) -> IngestDraft:
        """The file as it is, parsed where it is new; nothing is written."""
        return self._draft_reader(request)

    def __call__(self, draft: IngestDraft, progress: SegmentProgress) -> list[IngestResult]:
        """What came of the file, then of each of its attachments.

        An unreadable file is an outcome with its reason, never an exception.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is kept.
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
        """The file's record says why it could not be brought in, though nobody could read it."""
        current = self._matcher.find(request)
        if current is None:
            return
        try:
            request = effective_request(request, current)
        except DocumentRefused:
            # It is the document of somebody else, who is not concerned.
            return
        recipe = current_recipe(request, self._ports.parser, self._ports.enricher)
        self._refuse(IngestDraft(request, None, "", recipe), current, reason)

    def _find_or_create_record(self, draft: IngestDraft, current: Document | None) -> Document:
        """The record that the file continues, made where there is none."""
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
            # An attachment waited here until somebody changed its mail: what is read of it now is of the mail before.
            # Or a document of a chosen id was deleted while its file was read.
            raise Conflict(CHANGED_CONCURRENTLY)
        return current

    def _is_in_index(self, tenant: str, current: Document) -> bool:
        """Whether the index still has what the record says: it may have been lost, and is then made again."""
        index = self._ports.indexes.for_tenant(tenant)
        if self._ports.clock() < current.rows_written_at + index.visible_after_seconds:
            return True
        return index.count_version_rows(DocumentVersion(current.doc_id, current.version)) == current.segments

    def _keep_content(self, request: IngestRequest, current: Document) -> IngestResult:
        kept = unchanged_content_record(current, request)
        if kept == current:
            return IngestResult(IngestStatus.UNCHANGED, request.file_name, current)

        def follow(child: Document) -> Document:
            return with_parent_path(with_file_policy(child, request.policy), current, kept)

        settled = self._attachment_tree.change(request.tenant, current, kept, follow)
        return IngestResult(_kept_status(current, kept), request.file_name, settled)

    def _handle_unreadable(self, draft: IngestDraft, current: Document | None) -> IngestResult:
        """A file that cannot be opened says nothing new about a version that answers, but of its readers it does."""
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

        settled = self._attachment_tree.change(draft.request.tenant, current, refused, follow)
        return IngestResult(IngestStatus.REFUSED, draft.request.file_name, settled, settled.reason)

    def _index(self, draft: IngestDraft, current: Document, progress: SegmentProgress) -> list[IngestResult]:
        planned = self._version_writer.plan(draft, current)
        begun = self._version_writer.start(planned, current)
        attached = self._ingest_attachments(draft.request, begun, planned.parsed.attachments, progress)
        done = self._version_writer.complete(planned, begun, progress)
        name = draft.request.file_name
        outcome = IngestResult(
            IngestStatus.INDEXED, name, done.document, None, done.embedded_count, done.enrichment_failure
        )
        return [outcome, *attached]

    def _ingest_attachments(
        self, request: IngestRequest, parent: Document, attachments: Sequence[Attachment], progress: SegmentProgress
    ) -> list[IngestResult]:
        """Before the mail itself is complete, so that a run that was killed in between reads it again."""
        requests = attachment_requests(request, parent, attachments)
        self._discard_attachments(request.tenant, parent, {(each.collection, each.source_path) for each in requests})
        if request.nesting_depth >= MAX_NESTED_MAILS:
            return [_refused_result(each, NESTED_TOO_DEEP) for each in requests]
        self.queue(request.tenant, requests)
        # From here on whatever changes the mail reaches its attachments, too; but did anything until now?
        self._ports.documents.write_all(request.tenant, [(parent, parent)])
        return [outcome for each in requests for outcome in self._ingest_attachment(each, progress)]

    def _ingest_attachment(self, request: IngestRequest, progress: SegmentProgress) -> list[IngestResult]:
        try:
            self.start(request)
            return self(self.read_draft(request), progress)
        except Conflict:
            return [_refused_result(request, CHANGED_CONCURRENTLY)]

    def _discard_attachments(self, tenant: str, parent: Document, kept: set[tuple[str, str]]) -> None:
        for child in self._ports.documents.children(tenant, parent.doc_id):
            if (child.collection, child.source_path or "") not in kept:
                self._attachment_tree.change(tenant, child, tombstone(child), tombstone)


def _kept_status(current: Document, kept: Document) -> IngestStatus:
    """Who said a policy last is remembered; where it says the same, nobody can tell."""
    if kept.policy_version != current.policy_version:
        return IngestStatus.POLICY_CHANGED
    said = replace(current, policy_from_files=kept.policy_from_files, policy_overridden_at=kept.policy_overridden_at)
    return IngestStatus.UNCHANGED if said == kept else IngestStatus.UPDATED


def _refused_result(request: IngestRequest, reason: str) -> IngestResult:
    return IngestResult(IngestStatus.REFUSED, request.file_name, None, reason)
