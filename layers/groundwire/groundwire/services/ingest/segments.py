"""A parsed document's chunks as segments with vectors; unchanged passages keep theirs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.parsed import ParsedDocument
from groundwire.domain.documents.segment import Chunk, Segment
from groundwire.domain.passages import minhash
from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.headlines import headline, repeated_headings
from groundwire.domain.passages.keywords import keywords
from groundwire.domain.passages.summaries import summary
from groundwire.domain.passages.windows import windows
from groundwire.ports import DocumentVersion, Embedder, SegmentInput, SegmentVectors

EMBED_BATCH_SIZE: Final = 256
"""Texts per call of the embedder: enough that those of like length find each other, few enough to show progress."""

SegmentProgress = Callable[[int, int], None]
"""Called with segments done and segments in all."""


@dataclass(frozen=True, slots=True)
class EmbeddedSegments:
    """A document's segments ready for the index; `embedded_count` of them had to be embedded."""

    inputs: tuple[SegmentInput, ...]
    embedded_count: int


def build_segments(
    parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str, language: str
) -> list[Segment]:
    """The passages of a document in reading order, each named, titled and summarised.

    Args:
        parsed: what the parser saw.
        version: of the document that the segments belong to.
        collection: that the document lies in.
        title: of the document, as it is searched; empty where nothing names it.
        language: ISO 639-1, or `UNDETERMINED`.
    """
    pieces = chunk(parsed)
    repeated = repeated_headings(pieces)
    occurrences: Counter[str] = Counter()
    segments: list[Segment] = []
    for piece, subjects in zip(pieces, keywords(pieces, language), strict=True):
        uid = segment_uid(version.doc_id, piece.text, occurrences[piece.text])
        occurrences[piece.text] += 1
        named = headline(piece, title, repeated)
        segment = _segment(piece, uid, version, collection, title)
        segments.append(replace(segment, headline=named, language=language, keywords=subjects))
    return segments


def _segment(piece: Chunk, uid: str, version: DocumentVersion, collection: str, title: str) -> Segment:
    path = piece.heading_path if not title or title in piece.heading_path else (title, *piece.heading_path)
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
        headline="",
        summary=summary(piece),
        title=title,
        sketch=minhash.sketch(piece.text, minhash.SEGMENT_HASHES),
    )


def document_sketch(segments: Sequence[Segment]) -> bytes:
    """The sketch of the whole text, for finding documents that are nearly the same."""
    k = minhash.DOCUMENT_HASHES
    return minhash.merge_sketches((minhash.sketch(segment.text, k) for segment in segments), k)


def embed_segments(
    embedder: Embedder,
    segments: Sequence[Segment],
    known_vectors: Mapping[str, SegmentVectors],
    progress: SegmentProgress,
) -> EmbeddedSegments:
    """Vectors for all segments; those in `known_vectors` (by `embedding_key`) are taken over."""
    keys = [embedding_key(segment) for segment in segments]
    missing = {key: segment for key, segment in zip(keys, segments, strict=True) if key not in known_vectors}
    vectors = dict(known_vectors)
    done = len(segments) - len(missing)
    progress(done, len(segments))
    for batch in _batches(missing):
        vectors.update(_embed_batch(embedder, batch))
        done += len(batch)
        progress(done, len(segments))
    inputs = (
        SegmentInput(segment, vectors[key].passage, vectors[key].windows)
        for segment, key in zip(segments, keys, strict=True)
    )
    return EmbeddedSegments(tuple(inputs), len(missing))


def embedding_text(segment: Segment) -> str:
    """What the passage's own vector is made of: the path says where it stands, the text what it says."""
    where = (" > ".join(segment.heading_path), segment.context)
    return "\n".join(part for part in (*where, segment.text) if part)


def window_texts(segment: Segment) -> list[str]:
    """What its further vectors are made of: its windows, each beneath the title, then its questions."""
    beneath_title = [f"{segment.title}\n{window}" for window in windows(segment.text)]
    return [*beneath_title, *segment.questions]


def embedding_key(segment: Segment) -> str:
    """Everything that its vectors depend on; segments with equal keys have equal vectors."""
    return "\0".join((segment.title, embedding_text(segment), *segment.questions))


_Texts = Mapping[str, Sequence[str]]
"""By embedding key, the text of the passage, then those of its windows."""


def _batches(missing: Mapping[str, Segment]) -> Iterator[_Texts]:
    """Whole segments, about `EMBED_TEXTS` texts at a time."""
    batch: dict[str, Sequence[str]] = {}
    held = 0
    for key, segment in missing.items():
        batch[key] = (embedding_text(segment), *window_texts(segment))
        held += len(batch[key])
        if held >= EMBED_BATCH_SIZE:
            yield batch
            batch, held = {}, 0
    if batch:
        yield batch


def _embed_batch(embedder: Embedder, batch: _Texts) -> Iterator[tuple[str, SegmentVectors]]:
    texts = list(dict.fromkeys(text for group in batch.values() for text in group))
    vectors = dict(zip(texts, embedder.embed(texts, "passage"), strict=True))
    for key, (passage, *others) in batch.items():
        yield key, SegmentVectors(vectors[passage], tuple(vectors[text] for text in others))
