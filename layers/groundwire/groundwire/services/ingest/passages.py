"""A parsed document's chunks as segments with vectors; unchanged passages keep theirs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.domain.chunking import chunk
from groundwire.domain.documents import Chunk, ParsedDocument, Segment
from groundwire.domain.headlines import headline, summary
from groundwire.domain.references import segment_uid
from groundwire.ports import DocumentVersion, Embedder, SegmentInput, Vector

EMBED_BATCH = 32
"""Segments per call of the embedder: enough to fill it, small enough to show progress."""

Progress = Callable[[int, int], None]
"""Called with segments done and segments in all."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A document's segments ready for the index; `fresh` of them had to be embedded."""

    inputs: tuple[SegmentInput, ...]
    fresh: int


def segments_of(parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str) -> list[Segment]:
    """The passages of a document in reading order, each named, titled and summarised."""
    occurrences: Counter[str] = Counter()
    segments: list[Segment] = []
    for piece in chunk(parsed):
        uid = segment_uid(version.doc_id, piece.text, occurrences[piece.text])
        occurrences[piece.text] += 1
        segments.append(_segment(piece, uid, version, collection, title))
    return segments


def _segment(piece: Chunk, uid: str, version: DocumentVersion, collection: str, title: str) -> Segment:
    path = piece.heading_path if title in piece.heading_path else (title, *piece.heading_path)
    return Segment(
        uid=uid,
        doc_id=version.doc_id,
        version=version.version,
        collection=collection,
        ordinal=piece.ordinal,
        text=piece.text,
        heading_path=path,
        page_first=piece.page_first,
        page_last=piece.page_last,
        headline=headline(piece, title),
        summary=summary(piece),
    )


def embed_segments(
    embedder: Embedder, segments: Sequence[Segment], known: Mapping[str, Vector], progress: Progress
) -> Embedded:
    """Vectors for all segments; those in `known` (by embedding text) are taken over."""
    texts = [embedding_text(segment) for segment in segments]
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    vectors = dict(known)
    done = len(segments) - len(missing)
    progress(done, len(segments))
    for batch in _batches(missing):
        vectors.update(zip(batch, embedder.embed(batch, "passage"), strict=True))
        done += len(batch)
        progress(done, len(segments))
    inputs = tuple(SegmentInput(segment, vectors[text]) for segment, text in zip(segments, texts, strict=True))
    return Embedded(inputs, len(missing))


def embedding_text(segment: Segment) -> str:
    """What is embedded for a segment: the path says where it stands, the text what it says."""
    return f"{' > '.join(segment.heading_path)}\n{segment.text}"


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), EMBED_BATCH):
        yield texts[start : start + EMBED_BATCH]
