"""Ingest one file: unchanged does nothing, changed becomes a new version, unreadable is refused.

A new version is complete in the index before the registry names it current, and the registry has said that
something is under way before the first row is written: a process that dies in between leaves the old version
answering, and the next ingestion clears what it left (`Settle.all_stale`).
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from groundwire.domain.documents import Document, DocumentState, ParsedDocument, Segment
from groundwire.domain.errors import Conflict, DocumentRefused, Invalid
from groundwire.domain.limits import MAX_DOCUMENT_BYTES
from groundwire.domain.references import is_doc_id
from groundwire.ports import Blobs, Clock, Documents, DocumentVersion, Embedder, Indexes, Parser, Vector
from groundwire.services.ingest.naming import file_type, shown_name, shown_title
from groundwire.services.ingest.passages import Embedded, Progress, embed_segments, embedding_text, segments_of
from groundwire.services.ingest.record import first_record, indexed_record, kept_record, refused_record
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus
from groundwire.services.settle import Settle, blob_key

CHUNKING = "chunks-2"
"""Changed whenever the same file would be cut or described differently, so that it is read again."""

_SECOND_ID = "this file is the document {} already: leave --id out, or delete that document first"
"""Two documents of one file would both answer, and only one of them would follow the file's policy."""

_NO_TEXT = "what was read from the file is not text that can be stored: save it anew in its own program"


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """What ingestion needs of the world.

    Attributes:
        new_id: a fresh document id. path_exists: whether a source path is still there.
    """

    documents: Documents
    indexes: Indexes
    blobs: Blobs
    parser: Parser
    embedder: Embedder
    clock: Clock
    new_id: Callable[[], str]
    path_exists: Callable[[str], bool]


class Ingest:
    """Brings single files in; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts) -> None:
        self._ports = ports
        self._settle = Settle(ports.documents, ports.indexes, ports.blobs)

    @property
    def recipe(self) -> str:
        """Parser, chunking and model: a document made by another recipe is read again."""
        return f"{self._ports.parser.version} {CHUNKING} {self._ports.embedder.model.name}"

    def __call__(self, request: IngestRequest, progress: Progress) -> IngestOutcome:
        """An unreadable file is an outcome with its reason, never an exception.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is kept.
            Invalid: the chosen id cannot be one.
        """
        if request.doc_id is not None and not is_doc_id(request.doc_id):
            raise Invalid(
                f"{request.doc_id!r} cannot be a document id: use letters, digits, '.', '_', '-'; 120 at most."
            )
        request = replace(request, file_name=shown_name(request.file_name, request.doc_id))
        content_hash = hashlib.sha256(request.content).hexdigest()
        current = self._current(request, content_hash)
        if current is None and (known := self._known_by_path(request)) is not None:
            return IngestOutcome(IngestStatus.REFUSED, request.file_name, None, _SECOND_ID.format(known.doc_id))
        if current is not None and self._holds_content(current, request, content_hash):
            return self._keep(request, current)
        try:
            return self._index(request, current, content_hash, self._read(request), progress)
        except DocumentRefused as refusal:
            return self._refuse(request, current, content_hash, str(refusal))

    def _current(self, request: IngestRequest, content_hash: str) -> Document | None:
        """The record that the file continues: by chosen id, by path, or by content whose old path is gone."""
        documents = self._ports.documents
        if request.doc_id is not None:
            return documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        at_path = self._known_by_path(request)
        if at_path is not None:
            return at_path
        same = documents.by_content(request.tenant, request.collection, content_hash)
        return next((d for d in same if d.source_path and not self._ports.path_exists(d.source_path)), None)

    def _known_by_path(self, request: IngestRequest) -> Document | None:
        return self._ports.documents.by_source_path(request.tenant, request.collection, request.source_path)

    def _holds_content(self, current: Document, request: IngestRequest, content_hash: str) -> bool:
        return (
            current.state is DocumentState.INDEXED
            and current.content_hash == content_hash
            and current.collection == request.collection
            and current.recipe == self.recipe
            and self._is_in_index(request.tenant, current)
        )

    def _is_in_index(self, tenant: str, current: Document) -> bool:
        """Whether the index still has what the record says: it may have been lost, and is then made again."""
        version = DocumentVersion(current.doc_id, current.version)
        return self._ports.indexes.of(tenant).rows_of(version) == current.segments

    def _keep(self, request: IngestRequest, current: Document) -> IngestOutcome:
        kept = kept_record(current, request)
        if kept == current:
            return IngestOutcome(IngestStatus.UNCHANGED, request.file_name, current)
        settled = self._write_and_settle(request.tenant, replace(kept, updated_at=self._ports.clock()), current)
        repolicied = settled.policy_version != current.policy_version
        status = IngestStatus.REPOLICIED if repolicied else IngestStatus.UPDATED
        return IngestOutcome(status, request.file_name, settled)

    def _read(self, request: IngestRequest) -> ParsedDocument:
        if len(request.content) > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        return self._ports.parser.parse(request.content, file_type(request.file_name))

    def _refuse(
        self, request: IngestRequest, current: Document | None, content_hash: str, reason: str
    ) -> IngestOutcome:
        now = self._ports.clock()
        base = current or first_record(request, self._ports.new_id(), content_hash, file_type(request.file_name), now)
        refused = replace(refused_record(base, request, reason), updated_at=now)
        settled = self._write_and_settle(request.tenant, refused, current)
        return IngestOutcome(IngestStatus.REFUSED, request.file_name, settled, settled.reason)

    def _index(
        self,
        request: IngestRequest,
        current: Document | None,
        content_hash: str,
        parsed: ParsedDocument,
        progress: Progress,
    ) -> IngestOutcome:
        base = current or self._first(request, content_hash)
        title = shown_title(parsed.title, request.file_name)
        segments = _segments(parsed, DocumentVersion(base.doc_id, base.version + 1), request.collection, title)
        known = self._known_vectors(request.tenant, current)
        embedded = embed_segments(self._ports.embedder, segments, known, progress)
        record = replace(
            indexed_record(base, request, parsed, title),
            content_hash=content_hash,
            recipe=self.recipe,
            segments=len(segments),
            updated_at=self._ports.clock(),
        )
        settled = self._commit(request, current, base, record, embedded)
        return IngestOutcome(IngestStatus.INDEXED, request.file_name, settled, embedded=embedded.fresh)

    def _first(self, request: IngestRequest, content_hash: str) -> Document:
        kind, now = file_type(request.file_name), self._ports.clock()
        return first_record(request, self._ports.new_id(), content_hash, kind, now)

    def _known_vectors(self, tenant: str, current: Document | None) -> Mapping[str, Vector]:
        if current is None or current.state is not DocumentState.INDEXED:
            return {}
        index = self._ports.indexes.of(tenant)
        vectors = index.vectors(current.doc_id)
        segments = index.segments(DocumentVersion(current.doc_id, current.version))
        return {embedding_text(segment): vectors[segment.uid] for segment in segments if segment.uid in vectors}

    def _commit(
        self, request: IngestRequest, current: Document | None, base: Document, record: Document, embedded: Embedded
    ) -> Document:
        ports, tenant = self._ports, request.tenant
        under_way = replace(base, index_stale=True)
        ports.documents.write(tenant, under_way, current)
        key = blob_key(record.doc_id, record.version)
        ports.blobs.put(tenant, key, request.content)
        version = DocumentVersion(record.doc_id, record.version)
        ports.indexes.of(tenant).put(version, record.policy, embedded.inputs)
        return self._write_and_settle(tenant, replace(record, blob=key), under_way)

    def _write_and_settle(self, tenant: str, record: Document, expected: Document | None) -> Document:
        stale = replace(record, index_stale=True)
        try:
            self._ports.documents.write(tenant, stale, expected)
        except Conflict:
            self._settle.all_stale(tenant)
            raise
        return self._settle(tenant, stale)


def _segments(parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str) -> list[Segment]:
    """Raises DocumentRefused where there is nothing, or nothing that can be stored: the next file is none the worse."""
    try:
        segments = segments_of(parsed, version, collection, title)
        for segment in segments:  # The uid was made of the text; the headings above it are stored, too.
            embedding_text(segment).encode()
    except ValueError as error:
        raise DocumentRefused(_NO_TEXT) from error
    if not segments:
        raise DocumentRefused("no text was found in the file")
    return segments
