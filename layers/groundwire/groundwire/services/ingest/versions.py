"""Makes the next version of a document: complete in the index before the registry names it current.

The registry has said that something is under way before the first row is written: a process that dies in
between leaves the old version answering, and the next ingestion clears what it left (`Settle.all_stale`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from groundwire.domain import metadata
from groundwire.domain.documents import UNDETERMINED, Document, DocumentState, ParsedDocument, Segment
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.domain.metadata import Metadata
from groundwire.ports import (
    Blobs,
    Clock,
    Documents,
    DocumentVersion,
    Embedders,
    Enricher,
    Index,
    Indexes,
    SegmentInput,
    SegmentVectors,
)
from groundwire.services.ingest.draft import Draft
from groundwire.services.ingest.enrichment import Enriched, enrich
from groundwire.services.ingest.naming import shown_title
from groundwire.services.ingest.passages import (
    Embedded,
    Progress,
    document_sketch,
    embed_segments,
    embedding_key,
    segments_of,
)
from groundwire.services.ingest.record import begun_record, indexed_record, next_version, timed
from groundwire.services.settle import Settle, blob_key

_NO_TEXT = "what was read from the file is not text that can be stored: save it anew in its own program"


@dataclass(frozen=True, slots=True)
class Planned:
    """A version whose segments are known, and nothing else yet.

    Attributes:
        version: its number.
        failure: why the segments are without what the enricher adds; None where they are not.
    """

    draft: Draft
    parsed: ParsedDocument
    title: str
    version: int
    segments: Sequence[Segment]
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """A version that answers; `fresh` of its segments had to be embedded, `failure` says why none was enriched."""

    document: Document
    fresh: int
    failure: str | None


class Versions:
    """Plans, begins and completes versions of documents."""

    def __init__(
        self,
        documents: Documents,
        indexes: Indexes,
        blobs: Blobs,
        embedders: Embedders,
        clock: Clock,
        parser_version: str,
        enricher: Enricher | None,
    ) -> None:
        self._documents = documents
        self._indexes = indexes
        self._blobs = blobs
        self._embedders = embedders
        self._clock = clock
        self._parser_version = parser_version
        self._enricher = enricher
        self._settle = Settle(documents, indexes, blobs, clock)

    def plan(self, draft: Draft, current: Document) -> Planned:
        """The segments of the version after `current`; Raises DocumentRefused where there is nothing to store."""
        if draft.parsed is None:
            raise DocumentRefused(draft.refusal or _NO_TEXT)
        title = shown_title(draft.parsed.title, draft.request.file_name)
        version = DocumentVersion(current.doc_id, next_version(current))
        language = draft.request.language or draft.parsed.language or UNDETERMINED
        searched = "" if draft.parsed.title == "" else title
        segments = _segments(draft.parsed, version, draft.request.collection, searched, language)
        return Planned(draft, draft.parsed, title, version.version, segments)

    def begin(self, planned: Planned, current: Document) -> Document:
        """The record says that something is under way; it is written only where it did not say so."""
        begun = begun_record(current, planned.draft.request, self._clock())
        if current.index_stale and current.state is begun.state:
            return current
        self._documents.write(planned.draft.request.tenant, begun, current)
        return begun

    def complete(self, planned: Planned, begun: Document, progress: Progress) -> Completed:
        """The version answers.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is kept.
        """
        request = planned.draft.request
        index = self._indexes.of(request.tenant)
        started = perf_counter()
        embedder = self._embedders.of(index.model)
        before = _segments_before(index, begun)
        planned = self._enriched(planned, begun, before)
        embedded = embed_segments(embedder, planned.segments, _known_vectors(index, begun, before), progress)
        embed_seconds = perf_counter() - started
        begun = self._reserve(planned, begun, index)
        record = self._record(planned, begun, embedded, embedder.model.name)
        started = perf_counter()
        self._store(planned, record, embedded.inputs, index)
        timings = timed(parse=planned.draft.parse_seconds, embed=embed_seconds, index=perf_counter() - started)
        late = bool(index.visible_after_seconds)
        record = replace(record, last_rows_at=self._clock()) if late else replace(record, begun_version=0)
        settled = self._name_current(request.tenant, replace(record, timings=timings), begun)
        return Completed(settled, embedded.fresh, planned.failure)

    def _enriched(self, planned: Planned, begun: Document, before: Sequence[Segment]) -> Planned:
        """A passage that was enriched in the same way before is not asked about again."""
        if self._enricher is None:
            return planned
        same_recipe = begun.recipe == planned.draft.recipe.of(begun.pages_without_text)
        known = {_place(each): each for each in before} if same_recipe else {}
        missing = [each for each in planned.segments if _place(each) not in known]
        answered = enrich(self._enricher, planned.title, missing) if missing else Enriched(())
        fresh = {each.uid: each for each in answered.segments}
        segments = [fresh.get(each.uid) or _like(each, known[_place(each)]) for each in planned.segments]
        return replace(planned, segments=segments, failure=answered.failure)

    def _reserve(self, planned: Planned, begun: Document, index: Index) -> Document:
        """Whoever changes or settles the document from now on knows that there may be rows of this number.

        Rows that are not seen yet cannot be cleared, so it is not given to other content.
        """
        if begun.state is DocumentState.PARSING and not index.visible_after_seconds:
            # That says it already, and a number that was cleared is used again.
            return begun
        reserved = replace(begun, begun_version=planned.version, last_rows_at=0.0)
        self._documents.write(planned.draft.request.tenant, reserved, begun)
        return reserved

    def _record(self, planned: Planned, begun: Document, embedded: Embedded, model: str) -> Document:
        draft, parsed = planned.draft, planned.parsed
        return replace(
            indexed_record(begun, draft.request, parsed, planned.title, planned.version, len(draft.content or b"")),
            blob=blob_key(begun.doc_id, planned.version),
            content_hash=draft.content_hash,
            recipe=(draft.recipe.failed if planned.failure else draft.recipe.of)(parsed.pages_without_text),
            segments=len(planned.segments),
            windows=sum(len(each.windows) for each in embedded.inputs),
            metadata=_metadata(parsed, draft.request.metadata),
            parser=self._parser_version,
            model=model,
            sketch=document_sketch(planned.segments),
            updated_at=self._clock(),
        )

    def _store(self, planned: Planned, record: Document, inputs: tuple[SegmentInput, ...], index: Index) -> None:
        key = blob_key(record.doc_id, record.version)
        self._blobs.put(planned.draft.request.tenant, key, planned.draft.content or b"")
        version = DocumentVersion(record.doc_id, record.version)
        index.put(version, record.policy, inputs, record.metadata)

    def _name_current(self, tenant: str, record: Document, begun: Document) -> Document:
        # Of the first that was begun there are no other rows or originals to be cleared.
        written = replace(record, index_stale=record.version > 1)
        try:
            self._documents.write(tenant, written, begun)
        except Conflict:
            # Whoever changed the record has left these rows alone.
            self._settle(tenant, self._documents.read(tenant, [record.doc_id]).get(record.doc_id, begun))
            raise
        return self._settle(tenant, written) if written.index_stale else written


def _segments_before(index: Index, current: Document) -> list[Segment]:
    if current.state is not DocumentState.INDEXED:
        return []
    return index.segments(DocumentVersion(current.doc_id, current.version))


def _place(segment: Segment) -> tuple[str, ...]:
    return (segment.text, *segment.heading_path)


def _like(segment: Segment, before: Segment) -> Segment:
    return replace(segment, context=before.context, summary=before.summary, questions=before.questions)


def _known_vectors(index: Index, current: Document, segments: Sequence[Segment]) -> Mapping[str, SegmentVectors]:
    if not segments:
        return {}
    vectors = index.vectors(current.doc_id)
    return {embedding_key(segment): vectors[segment.uid] for segment in segments if segment.uid in vectors}


def _metadata(parsed: ParsedDocument, said: Metadata) -> Metadata:
    """What the owner says goes before what the file says of itself."""
    return metadata.overlaid(metadata.lenient(parsed.front_matter), said)


def _segments(
    parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str, language: str
) -> list[Segment]:
    """Raises DocumentRefused where there is nothing, or nothing that can be stored: the next file is none the worse.

    A mail of which nothing but attachments came is a document without a segment.
    """
    try:
        segments = segments_of(parsed, version, collection, title, language)
        for segment in segments:  # The uid was made of the text; the headings above it are stored, too.
            embedding_key(segment).encode()
    except ValueError as error:
        raise DocumentRefused(_NO_TEXT) from error
    if not segments and not parsed.attachments:
        raise DocumentRefused("no text was found in the file")
    return segments
