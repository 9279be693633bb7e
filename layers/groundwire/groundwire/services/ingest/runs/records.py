"""Records of files that are about to be read: the document that a file continues, or a new one."""

from collections.abc import Sequence

from groundwire.domain.audit.ingestion import RestorationLine
from groundwire.domain.documents.changes.ceiling import limited_as
from groundwire.domain.documents.changes.lifecycle import created, started, with_ceiling
from groundwire.domain.documents.changes.tombstones import is_in_force, restored
from groundwire.domain.documents.record import STARTABLE_STATES, TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.ingest.document_match import DocumentMatcher, FileMatch, has_content, may_be_renamed
from groundwire.services.ingest.ingest_ports import IngestPorts
from groundwire.services.ingest.request import CHANGED_CONCURRENTLY, IngestRequest


class FileRecords:
    """Finder and creator of the records that files continue; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts, matcher: DocumentMatcher, attachment_tree: AttachmentTree) -> None:
        self._ports = ports
        self._matcher = matcher
        self._attachment_tree = attachment_tree

    def of_content(
        self, request: IngestRequest, match: FileMatch, content_hash: str, marked: Sequence[Document]
    ) -> Document:
        """Return the record that the file with this content continues, creating it if it is missing.

        Ceilings of other documents with this content apply as well, as far as the file may be theirs; `marked` are the
        records that carry the mark of this content.

        Raises:
            Conflict: somebody else changed the document meanwhile.
            Unavailable: the audit line of a deletion that ends cannot be written.
        """
        current = match.current
        if has_content(current, content_hash):
            return self._continued(request, current)
        same = self._matcher.find_same(request, content_hash, marked)
        if not may_be_renamed(current):
            # The path has a document of its own, which gets the content of a file that was moved onto it.
            moved = [] if same.renamed is None or same.renamed.state in TOMBSTONE_STATES else [same.renamed]
            return self._limited(request.tenant, self._continued(request, current), moved)
        if same.renamed is not None:
            if current is not None:
                self._ports.documents.delete_unindexed(request.tenant, current)
            return same.renamed
        record = self._continued(request, current)
        if same.ceiling is None:
            return record
        limited = with_ceiling(record, same.ceiling)
        self._ports.documents.write(request.tenant, limited, record)
        return limited

    def create(self, request: IngestRequest) -> Document:
        """Create the record of a file without one."""
        new = created(request.doc_id or self._ports.new_id(), request.source_file(None), self._ports.clock())
        self._ports.documents.write(request.tenant, new, None)
        return new

    def start_queued(self, request: IngestRequest, current: Document) -> Document:
        """Record that an announced file is read."""
        reading = started(current, request.source_file(current), self._ports.clock())
        self._ports.documents.write(request.tenant, reading, current)
        return reading

    def _continued(self, request: IngestRequest, current: Document | None) -> Document:
        if current is None and request.parent is not None:
            # The mail of a queued attachment was changed, so the content read is that of the previous mail.
            raise Conflict(CHANGED_CONCURRENTLY)
        if current is None:
            return self.create(request)
        if is_in_force(current):
            return self._end_deletion(request, current)
        return self.start_queued(request, current) if current.state in STARTABLE_STATES else current

    def _end_deletion(self, request: IngestRequest, current: Document) -> Document:
        """End a deletion that does not hold this file back, as its contributor is somebody else.

        The audit log has it, so that a repetition of the deletions leaves the file of that person alone.
        """
        names = [f"{current.doc_id}@{current.policy_version}"]
        self._ports.record_restoration(RestorationLine(request.tenant, request.collection, names, False))
        ended = restored(current)
        # A limit by the key of that deletion, which decides about the files of others as little.
        if (
            current.ceiling is not None
            and current.ceiling.decision.decided_key == current.deletion.decision.decided_key
        ):
            ended = with_ceiling(ended, None)
        self._ports.documents.write(request.tenant, ended, current)
        return ended

    def _limited(self, tenant: str, record: Document, moved: Sequence[Document]) -> Document:
        limited = limited_as(record, moved)
        if limited == record:
            return record
        if record.state is not DocumentState.INDEXED:
            self._ports.documents.write(tenant, limited, record)
            return limited
        # Before the content comes: the earlier version has readers, too.
        return self._attachment_tree.change(tenant, record, limited, lambda child: limited_as(child, moved))
