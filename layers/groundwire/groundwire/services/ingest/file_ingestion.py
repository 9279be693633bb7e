"""Ingestion of one file: unchanged content is skipped, changed content becomes a new version, unreadable is refused."""

from collections.abc import Sequence
from dataclasses import replace

from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.lifecycle import (
    created,
    following_policy,
    kept,
    queued,
    reconciled,
    refused,
)
from groundwire.domain.documents.changes.tombstones import tombstone
from groundwire.domain.documents.deletion import HoldCause
from groundwire.domain.documents.record import (
    STARTABLE_STATES,
    TOMBSTONE_STATES,
    Document,
    DocumentState,
    Refusal,
    RefusalCause,
)
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.attachments import NESTED_TOO_DEEP, attachment_requests, with_parent_path
from groundwire.services.ingest.deletions.administration import lift_deletions
from groundwire.services.ingest.deletions.holds import Hold, Holds, RememberedDeletions
from groundwire.services.ingest.document_match import DocumentMatcher, FileMatch
from groundwire.services.ingest.draft import DraftReader, IngestDraft, to_refusal
from groundwire.services.ingest.ingest_ports import IngestPorts
from groundwire.services.ingest.request import (
    CHANGED_CONCURRENTLY,
    IngestRequest,
    IngestResult,
    IngestStatus,
    conflict_result,
    held_back_result,
    policy_of_readers,
    refused_result,
    unchanged_content_status,
)
from groundwire.services.ingest.rows.segments import SegmentProgress
from groundwire.services.ingest.runs.records import FileRecords
from groundwire.services.ingest.versions import VersionWriter
from groundwire_readers.contents.parsed import MAIL_FILE_TYPES, Attachment


class FileIngestion:
    """Ingestion of single files; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts) -> None:
        self._ports = ports
        self.deletions = ports.deletions
        reconciler = Reconciler(ports.documents, ports.indexes, ports.image_indexes, ports.blobs, ports.clock)
        self._attachment_tree = AttachmentTree(ports.documents, reconciler, ports.clock)
        self._matcher = DocumentMatcher(ports.documents, ports.path_exists, ports.clock)
        self._holds = Holds(ports.documents, ports.deletions, self._matcher.find_renamed)
        self._draft_reader = DraftReader(self._matcher, self._holds, ports.parser, ports.enricher, ports.image_model)
        self._records = FileRecords(ports, self._matcher, self._attachment_tree)
        self._version_writer = VersionWriter(ports, reconciler)

    def find(self, request: IngestRequest) -> FileMatch:
        """Look up the records of a file."""
        return self._matcher.find(request)

    def queue(self, tenant: str, requests: Sequence[IngestRequest]) -> None:
        """Create queued records for files without one, except where a person deleted the document."""
        new = {
            (request.source_path, request.doc_id): queued(
                request.doc_id or self._ports.new_id(), request.source_file(None), self._ports.clock()
            )
            for request in requests
            if self._matcher.find(request).is_unknown
        }
        if new:
            self._ports.documents.add_queued(tenant, list(new.values()))

    def start(self, request: IngestRequest, match: FileMatch) -> FileMatch:
        """Record that the file is read, so that its document can be found, closed and deleted meanwhile.

        An indexed version, and a document that belongs to another file, stay as they are.
        """
        try:
            match.check(request)
        except DocumentRefused:
            return match
        if self._holds.foresee(request, match, "") is not None:
            return match
        if match.current is None and request.parent is None:
            return replace(match, current=self._records.create(request))
        if match.current is not None and match.current.state in STARTABLE_STATES:
            return replace(match, current=self._records.start_queued(request, match.current))
        return match

    def lift_deletions(self, request: IngestRequest) -> None:
        """End the deletions that the request restores: its collection's, and those of its path and chosen id."""
        match, ports = self._matcher.find(request), self._ports
        lift_deletions(request, match, ports.documents, ports.deletions, ports.record_restoration)

    def read_draft(self, request: IngestRequest, match: FileMatch | None = None) -> IngestDraft:
        """Read the file, and parse it where it is new; nothing is written, so no lock is needed.

        The records are looked up unless they are given as `match`.
        """
        return self._draft_reader(request, match)

    def __call__(self, draft: IngestDraft, progress: SegmentProgress) -> list[IngestResult]:
        """Ingest the draft; return the result of the file, then those of its attachments.

        An unreadable file is a result with its reason, never an exception.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is stored.
        """
        match = self._matcher.find(draft.request)
        remembered = self._holds.recall(draft.request, match, draft.content_hash)
        if (outcome := self._left_out(draft, match, remembered)) is not None:
            return [outcome]
        if draft.refusal is not None and draft.content is None:
            return [self._handle_unreadable(draft, draft.refusal, match)]
        current = self._records.of_content(draft.request, match, draft.content_hash, remembered.marked)
        if draft.matches(current) and self._ports.is_in_index(draft.request.tenant, current):
            return [self._keep_content(draft.request, current)]
        draft = self._draft_reader.parse(draft)
        if draft.refusal is not None:
            return [self._refuse(draft, current, draft.refusal)]
        try:
            return self._index(draft, current, progress)
        except DocumentRefused as refusal:
            return [self._refuse(draft, current, to_refusal(refusal))]

    def refuse(self, request: IngestRequest, refusal: Refusal) -> None:
        """Record why the file was not ingested, without its content."""
        match = self._matcher.find(request)
        hold = self._holds.find(request, match, "", self._holds.recall(request, match, ""))
        if hold is not None and not request.restores_after(hold.decision.decided_at):
            self._forget_started(request, match.current)
            return
        if match.current is None and match.other is None:
            self._create_refused(request, refusal)
            return
        try:
            match.check(request)
        except DocumentRefused:
            # The record belongs to another file, so it is not changed.
            return
        if match.current is not None:
            self._write_refusal(request, match.current, "", 0, refusal)

    def _create_refused(self, request: IngestRequest, refusal: Refusal) -> Document:
        file = request.source_file(None)
        new = created(request.doc_id or self._ports.new_id(), file, self._ports.clock())
        unread = refused(new, file, "", 0, refusal)
        return self._write(request, unread if unread.state is DocumentState.WAITING else reconciled(unread), None)

    def _write(self, request: IngestRequest, after: Document, before: Document | None) -> Document:
        self._ports.documents.write(request.tenant, after, before)
        return after

    def _keep_content(self, request: IngestRequest, current: Document) -> IngestResult:
        file = request.source_file(current)
        record = kept(current, file)
        if record == current:
            return IngestResult(
                IngestStatus.UNCHANGED, request.file_name, current, previous_policy=policy_of_readers(current)
            )

        def follow(child: Document) -> Document:
            return with_parent_path(following_policy(child, file.policy), current, record)

        status = unchanged_content_status(current, record)
        after = self._attachment_tree.change(request.tenant, current, record, follow)
        return IngestResult(status, request.file_name, after, previous_policy=policy_of_readers(current))

    def _left_out(self, draft: IngestDraft, match: FileMatch, remembered: RememberedDeletions) -> IngestResult | None:
        """Return the result of a file that belongs to another document, or that a deletion holds back; else None."""
        try:
            match.check(draft.request)
        except DocumentRefused as refusal:
            return refused_result(draft.request, to_refusal(refusal))
        hold = self._holds.find(draft.request, match, draft.content_hash, remembered)
        if hold is not None:
            return self._hold_back(draft, match.current, hold)
        if draft.is_held_back:
            # It was restored since.
            raise Conflict(CHANGED_CONCURRENTLY)
        return None

    def _hold_back(self, draft: IngestDraft, current: Document | None, hold: Hold) -> IngestResult:
        """Leave out a file that a person deleted; an earlier version with other content keeps only readers of both."""
        result = held_back_result(draft.request, hold.reason)
        if current is None or current.state in TOMBSTONE_STATES:
            return result
        if self._forget_started(draft.request, current) or hold.cause is HoldCause.COLLECTION:
            return result
        refusal = Refusal(RefusalCause.CONTENT, hold.reason)
        record = self._write_refusal(draft.request, current, draft.content_hash, current.size_bytes, refusal)
        return replace(result, document=record, previous_policy=policy_of_readers(current))

    def _forget_started(self, request: IngestRequest, current: Document | None) -> bool:
        """Remove the record of a file that was started and is held back; return False where it has to stay."""
        if current is None or current.version or current.state in TOMBSTONE_STATES or is_decided_by_person(current):
            return False
        self._ports.documents.delete_unindexed(request.tenant, current)
        return True

    def _handle_unreadable(self, draft: IngestDraft, refusal: Refusal, match: FileMatch) -> IngestResult:
        """Refuse a file that cannot be opened; an indexed version stays unless the file came with another policy."""
        current = match.current
        if match.is_unknown and draft.request.parent is None:
            document = self._create_refused(draft.request, refusal)
            return refused_result(draft.request, refusal, document)
        if current is None or current.state in TOMBSTONE_STATES:
            return refused_result(draft.request, refusal)
        if current.state is DocumentState.INDEXED and current.policy == draft.request.policy_for(current).policy:
            return refused_result(draft.request, refusal)
        return self._refuse(draft, current, refusal)

    def _refuse(self, draft: IngestDraft, current: Document, refusal: Refusal) -> IngestResult:
        record = self._write_refusal(draft.request, current, draft.content_hash, len(draft.content or b""), refusal)
        return refused_result(draft.request, refusal, record, policy_of_readers(current))

    def _write_refusal(
        self, request: IngestRequest, current: Document, content_hash: str, size: int, refusal: Refusal
    ) -> Document:
        record = refused(current, request.source_file(current), content_hash, size, refusal)
        if refusal.cause is RefusalCause.PARSER_BUSY:
            # The next attempt goes on, so what the attempts before have made stays.
            return self._write(request, record, current)

        def follow(child: Document) -> Document:
            is_indexed = record.state is DocumentState.INDEXED
            return following_policy(child, record.sourced_policy) if is_indexed else tombstone(child)

        return self._attachment_tree.change(request.tenant, current, record, follow)

    def _index(self, draft: IngestDraft, current: Document, progress: SegmentProgress) -> list[IngestResult]:
        planned = self._version_writer.plan(draft, current)
        reading = self._version_writer.start(planned, current)
        attachment_results = self._ingest_attachments(draft, reading, planned.parsed.attachments, progress)
        has_unread = any(each.cause is RefusalCause.PARSER_BROKEN for each in attachment_results)
        planned = replace(planned, has_unread_attachment=has_unread)
        completed = self._version_writer.complete(planned, reading, progress)
        name = draft.request.file_name
        outcome = IngestResult(
            IngestStatus.INDEXED,
            name,
            completed.document,
            None,
            completed.embedded_count,
            completed.enrichment_failure,
            completed.images_left_out,
            policy_of_readers(current),
        )
        return [outcome, *attachment_results]

    def _ingest_attachments(
        self, draft: IngestDraft, parent: Document, attachments: Sequence[Attachment], progress: SegmentProgress
    ) -> list[IngestResult]:
        """Ingest the attachments before the mail is complete, so that an interrupted run parses the mail again."""
        request = draft.request
        if not attachments and parent.source_file_type not in MAIL_FILE_TYPES:
            return []
        requests = attachment_requests(request, parent, draft.content_hash, attachments)
        remaining = {(each.collection, each.source_path) for each in requests}
        self._attachment_tree.discard_others(request.tenant, parent, remaining)
        if request.nesting_depth >= MAX_NESTED_MAILS:
            return [refused_result(each, Refusal(RefusalCause.CONTENT, NESTED_TOO_DEEP)) for each in requests]
        self.queue(request.tenant, requests)
        # From here on a change of the mail also changes its attachments; this write detects an earlier change.
        self._ports.documents.write_all(request.tenant, [(parent, parent)])
        return [outcome for each in requests for outcome in self._ingest_attachment(each, progress)]

    def _ingest_attachment(self, request: IngestRequest, progress: SegmentProgress) -> list[IngestResult]:
        try:
            return self(self.read_draft(request), progress)
        except Conflict:
            return [conflict_result(request)]
