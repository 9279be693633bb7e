"""Versions of documents: a new version is complete in the index before the registry publishes it.

The registry records a started version before the first row is written. If the process dies in between, the old version
stays searchable, and the next ingestion removes the leftovers (`Reconciler.reconcile_stale`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from groundwire.domain.documents import metadata
from groundwire.domain.documents.changes.lifecycle import marked_stale, published, reserved, started
from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.documents.record import (
    UNDETERMINED_LANGUAGE,
    Document,
    DocumentState,
    FailedStep,
    IndexedContent,
)
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.ports import DocumentVersion, SegmentInput, SegmentVectors, VectorIndex
from groundwire.services.documents.images.store import ImageStore
from groundwire.services.documents.reconcile import Reconciler, blob_key
from groundwire.services.ingest.draft import IngestDraft, scanned_pages
from groundwire.services.ingest.ingest_ports import IngestPorts
from groundwire.services.ingest.rows.enrichment import EnrichmentResult, enrich
from groundwire.services.ingest.rows.images import ImageWriter
from groundwire.services.ingest.rows.segments import (
    EmbeddedSegments,
    SegmentProgress,
    build_segments,
    document_sketch,
    embed_segments,
    embedding_key,
    window_texts,
)
from groundwire.services.ingest.source_objects.display_names import display_title
from groundwire_readers.contents.parsed import ImageLeftOut, ParsedDocument, images_notice

_NO_TEXT = "the text of the file cannot be stored: save the file again in its own program"


@dataclass(frozen=True, slots=True)
class PlannedVersion:
    """Version with known segments, of which nothing has been written yet.

    Attributes:
        version: its number.
        enrichment_failure: why enrichment failed; None where it succeeded or there was none.
        has_unread_attachment: the parser ended while it read an attachment.
    """

    draft: IngestDraft
    parsed: ParsedDocument
    title: str
    version: int
    segments: Sequence[Segment]
    enrichment_failure: str | None = None
    has_unread_attachment: bool = False


@dataclass(frozen=True, slots=True)
class CompletedVersion:
    """Published version of a document.

    Attributes:
        embedded_count: number of its segments that had to be embedded.
        enrichment_failure: why enrichment failed; None where it succeeded or there was none.
        images_left_out: how many images were left out and why; None where all were kept.
    """

    document: Document
    embedded_count: int
    enrichment_failure: str | None
    images_left_out: str | None


class VersionWriter:
    """Writer of versions: it plans, starts and completes them."""

    def __init__(self, ports: IngestPorts, reconciler: Reconciler) -> None:
        self._documents = ports.documents
        self._deletions = ports.deletions
        self._indexes = ports.indexes
        self._blobs = ports.blobs
        self._embedders = ports.embedders
        self._clock = ports.clock
        self._parser_version = ports.parser.version
        self._enricher = ports.enricher
        self._reconcile = reconciler
        self._write_images = ImageWriter(
            ImageStore(ports.blobs), ports.image_indexes, ports.embedders, ports.image_embedder
        )

    def plan(self, draft: IngestDraft, current: Document) -> PlannedVersion:
        """Return the segments of the version after `current`.

        Raises:
            DocumentRefused: there is no text or attachment, or nothing that can be stored.
        """
        if draft.parsed is None:
            raise DocumentRefused(_NO_TEXT)
        title = display_title(draft.parsed.title, draft.request.file_name)
        version = DocumentVersion(current.doc_id, current.next_version)
        language = draft.request.language or draft.parsed.language or UNDETERMINED_LANGUAGE
        searched = "" if draft.parsed.title == "" else title
        segments = _storable_segments(draft.parsed, version, draft.request.collection, searched, language)
        return PlannedVersion(draft, draft.parsed, title, version.version, segments)

    def start(self, planned: PlannedVersion, current: Document) -> Document:
        """Record that a version is in progress, unless the record already shows it."""
        request = planned.draft.request
        after = started(current, request.source_file(current), self._clock())
        if current.sync.is_stale and _kind_of(current) == _kind_of(after):
            return current
        self._documents.write(request.tenant, after, current)
        return after

    def complete(self, planned: PlannedVersion, pending: Document, progress: SegmentProgress) -> CompletedVersion:
        """Embed, index and publish the version.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is stored.
        """
        request = planned.draft.request
        index = self._indexes.for_tenant(request.tenant)
        began = perf_counter()
        embedder = self._embedders.for_model(index.model)
        previous_segments = _previous_segments(index, pending)
        planned = self._enrich(planned, pending, previous_segments)
        embedded = embed_segments(
            embedder, planned.segments, _known_vectors(index, pending, previous_segments), progress
        )
        embed_seconds = perf_counter() - began
        pending = self._reserve(planned, pending, index)
        record = self._record(planned, pending, embedded, embedder.model.name)
        began = perf_counter()
        self._store(planned, record, embedded.inputs, index)
        timings = _rounded_timings(parse=planned.draft.parse_seconds, embed=embed_seconds, index=perf_counter() - began)
        if index.visible_after_seconds:
            record = replace(record, sync=replace(record.sync, rows_written_at=self._clock()))
        else:
            record = replace(record, ingestion=replace(record.ingestion, started_version=0))
        reconciled = self._publish(request.tenant, replace(record, timings=timings), pending)
        left_out = images_notice(planned.parsed.images_left_out)
        return CompletedVersion(reconciled, embedded.embedded_count, planned.enrichment_failure, left_out)

    def _enrich(
        self, planned: PlannedVersion, pending: Document, previous_segments: Sequence[Segment]
    ) -> PlannedVersion:
        """Enrich the segments; passages that were enriched in the same way before reuse the result."""
        if self._enricher is None:
            return planned
        is_same = pending.failed_step is not FailedStep.ENRICHMENT and pending.recipe == planned.draft.recipe.to_text(
            pending.images, scanned_pages(pending.pages_without_text, pending.defects)
        )
        enriched = {_enrichment_key(each): each for each in previous_segments} if is_same else {}
        missing = [each for each in planned.segments if _enrichment_key(each) not in enriched]
        result = enrich(self._enricher, planned.title, missing) if missing else EnrichmentResult(())
        fresh = {each.uid: each for each in result.segments}
        segments = [
            fresh.get(each.uid) or _with_enrichment_of(each, enriched[_enrichment_key(each)])
            for each in planned.segments
        ]
        return replace(planned, segments=segments, enrichment_failure=result.failure)

    def _reserve(self, planned: PlannedVersion, pending: Document, index: VectorIndex) -> Document:
        """Record the version's number before its rows are written.

        Concurrent changes and reconciliations then know that rows of this number may exist. Rows that are not visible
        yet cannot be removed, so no other content gets the number.
        """
        if pending.state is DocumentState.PARSING and not index.visible_after_seconds:
            # The state shows it already, and a number without remaining rows is used again.
            return pending
        after = reserved(pending, planned.version)
        self._documents.write(planned.draft.request.tenant, after, pending)
        return after

    def _record(self, planned: PlannedVersion, pending: Document, embedded: EmbeddedSegments, model: str) -> Document:
        draft, parsed = planned.draft, planned.parsed
        content = IndexedContent(
            version=planned.version,
            title=planned.title,
            blob=blob_key(pending.doc_id, planned.version),
            content_hash=draft.content_hash,
            recipe=draft.recipe.to_text(len(parsed.images), scanned_pages(parsed.pages_without_text, parsed.defects)),
            segments=len(planned.segments),
            windows=sum(len(each.windows) for each in embedded.inputs),
            images=len(parsed.images),
            defects=parsed.defects,
            failed_step=_failed_step(planned),
            pages=parsed.pages,
            pages_without_text=parsed.pages_without_text,
            size_bytes=len(draft.content or b""),
            language=draft.request.language or parsed.language or UNDETERMINED_LANGUAGE,
            metadata=_merged_metadata(parsed, draft.request.metadata),
            parser=self._parser_version,
            model=model,
            sketch=document_sketch(planned.segments),
        )
        request = draft.request
        former = self._deletions.former_content(request.tenant, pending, draft.content_hash)
        return published(pending, request.source_file(pending), content, request.contributor, self._clock(), former)

    def _store(
        self, planned: PlannedVersion, record: Document, inputs: tuple[SegmentInput, ...], index: VectorIndex
    ) -> None:
        tenant = planned.draft.request.tenant
        self._blobs.put(tenant, blob_key(record.doc_id, record.version), planned.draft.content or b"")
        self._write_images(tenant, record, planned.parsed.images)
        version = DocumentVersion(record.doc_id, record.version)
        index.put(version, record.readers, inputs, indexed_fields(record))

    def _publish(self, tenant: str, record: Document, pending: Document) -> Document:
        # The first started version has no other rows or originals to be removed.
        record = marked_stale(record) if record.version > 1 else _marked_current(record)
        try:
            self._documents.write(tenant, record, pending)
        except Conflict:
            # The concurrent change kept these rows, so they are removed here.
            self._reconcile(tenant, self._documents.read(tenant, [record.doc_id]).get(record.doc_id, pending))
            raise
        return self._reconcile(tenant, record) if record.sync.is_stale else record


def _kind_of(document: Document) -> tuple[DocumentState, str]:
    return document.state, document.source_file_type


def _marked_current(document: Document) -> Document:
    return replace(document, sync=replace(document.sync, is_stale=False))


def _rounded_timings(**seconds: float) -> Mapping[str, float]:
    """Return seconds by step as a record stores them: rounded to a tenth of a millisecond."""
    return {step: round(duration, 4) for step, duration in seconds.items()}


def _failed_step(planned: PlannedVersion) -> FailedStep | None:
    if planned.enrichment_failure:
        return FailedStep.ENRICHMENT
    if ImageLeftOut.EXTRACTION_FAILED in planned.parsed.images_left_out:
        return FailedStep.IMAGES
    return FailedStep.ATTACHMENTS if planned.has_unread_attachment else None


def _previous_segments(index: VectorIndex, current: Document) -> list[Segment]:
    if current.state is not DocumentState.INDEXED:
        return []
    return index.segments(DocumentVersion(current.doc_id, current.version))


def _enrichment_key(segment: Segment) -> tuple[str, ...]:
    return (segment.text, *segment.heading_path)


def _with_enrichment_of(segment: Segment, previous: Segment) -> Segment:
    return replace(segment, context=previous.context, summary=previous.summary, questions=previous.questions)


def _known_vectors(index: VectorIndex, current: Document, segments: Sequence[Segment]) -> Mapping[str, SegmentVectors]:
    if not segments:
        return {}
    vectors = index.vectors(current.doc_id)
    # An earlier release may have cut the same text into other windows.
    return {
        embedding_key(segment): known
        for segment in segments
        if (known := vectors.get(segment.uid)) is not None and len(known.windows) == len(window_texts(segment))
    }


def _merged_metadata(parsed: ParsedDocument, given: Metadata) -> Metadata:
    """Merge metadata; the owner's fields take precedence over the file's own front matter."""
    return metadata.merge_metadata(metadata.parse_front_matter(parsed.front_matter), given)


def _storable_segments(
    parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str, language: str
) -> list[Segment]:
    """Return the segments; a mail with attachments only is a document without segments.

    Raises:
        DocumentRefused: there is no text, or none that can be stored; the run continues with the next file.
    """
    try:
        segments = build_segments(parsed, version, collection, title, language)
        for segment in segments:  # The uid depends on the text alone; the headings are stored, too.
            embedding_key(segment).encode()
    except ValueError as error:
        raise DocumentRefused(_NO_TEXT) from error
    if not segments and not parsed.attachments:
        raise DocumentRefused("the file contains no text")
    return segments
