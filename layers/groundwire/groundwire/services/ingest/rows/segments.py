"""Segments with vectors from a parsed document's chunks; unchanged passages reuse their vectors."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.segment import Chunk, Segment
from groundwire.domain.passages import minhash
from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.headlines import headline, repeated_headings
from groundwire.domain.passages.keywords import keywords
from groundwire.domain.passages.summaries import summary
from groundwire.domain.passages.windows import windows
from groundwire.domain.text import token_sums
from groundwire.ports import DocumentVersion, Embedder, SegmentInput, SegmentVectors
from groundwire_readers.contents.parsed import ParsedDocument

EMBED_BATCH_SIZE: Final = 256
"""Texts per call of the embedder: enough to group texts of similar length, few enough to show progress."""

SegmentProgress = Callable[[int, int], None]
"""Callback with the number of finished segments and of all segments."""


@dataclass(frozen=True, slots=True)
class EmbeddedSegments:
    """Segments of a document ready for the index; `embedded_count` of them had to be embedded."""

    inputs: tuple[SegmentInput, ...]
    embedded_count: int


def build_segments(
    parsed: ParsedDocument, version: DocumentVersion, collection: str, title: str, language: str
) -> list[Segment]:
    """Return the passages of a document in reading order, each with headline, title and summary.

    Args:
        parsed: the parsed document.
        version: version of the document to which the segments belong.
        collection: collection of the document.
        title: title as it is searched; empty where the document has no name.
        language: ISO 639-1, or `UNDETERMINED_LANGUAGE`.
    """
    chunks = chunk(parsed)
    repeated = repeated_headings(chunks)
    occurrences: Counter[str] = Counter()
    segments: list[Segment] = []
    for part, words in zip(chunks, keywords(chunks, language), strict=True):
        uid = segment_uid(version.doc_id, part.text, occurrences[part.text])
        occurrences[part.text] += 1
        name = headline(part, title, repeated)
        segment = _segment(part, uid, version, collection, title)
        segments.append(replace(segment, headline=name, language=language, keywords=words))
    return segments


def _segment(part: Chunk, uid: str, version: DocumentVersion, collection: str, title: str) -> Segment:
    # The first heading of a document is often its title.
    path = part.heading_path if not title or title in part.heading_path else (title, *part.heading_path)
    return Segment(
        uid=uid,
        doc_id=version.doc_id,
        version=version.version,
        collection=collection,
        ordinal=part.ordinal,
        text=part.text,
        heading_path=path,
        page_first=part.page_first,
        page_last=part.page_last,
        headline="",
        summary=summary(part),
        title=title,
        sketch=minhash.sketch(part.text, minhash.SEGMENT_HASHES),
        token_sums=token_sums.to_bytes(part.text),
        raw_values=part.raw_values,
    )


def document_sketch(segments: Sequence[Segment]) -> bytes:
    """Return the sketch of the whole text, for finding near-duplicates."""
    hash_count = minhash.DOCUMENT_HASHES
    return minhash.merge_sketches((minhash.sketch(segment.text, hash_count) for segment in segments), hash_count)


def embed_segments(
    embedder: Embedder,
    segments: Sequence[Segment],
    known_vectors: Mapping[str, SegmentVectors],
    progress: SegmentProgress,
) -> EmbeddedSegments:
    """Return all segments with vectors; vectors in `known_vectors` (by `embedding_key`) are reused."""
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
    """Return the text of the passage's own vector: heading path, context and text."""
    place = (" > ".join(segment.heading_path), segment.context)
    return "\n".join(part for part in (*place, segment.text) if part)


def window_texts(segment: Segment) -> list[str]:
    """Return the texts of its further vectors: its windows, each after the title, then its questions."""
    titled_windows = [f"{segment.title}\n{window}" for window in windows(segment.text)]
    return [*titled_windows, *segment.questions]


def embedding_key(segment: Segment) -> str:
    """Return a key of all inputs of its vectors; segments with equal keys have equal vectors."""
    return "\0".join((segment.title, embedding_text(segment), *segment.questions))


_Texts = Mapping[str, Sequence[str]]
"""Texts by embedding key: that of the passage, then those of its windows."""


def _batches(missing: Mapping[str, Segment]) -> Iterator[_Texts]:
    """Yield batches of whole segments with about `EMBED_BATCH_SIZE` texts."""
    batch: dict[str, Sequence[str]] = {}
    text_count = 0
    for key, segment in missing.items():
        batch[key] = (embedding_text(segment), *window_texts(segment))
        text_count += len(batch[key])
        if text_count >= EMBED_BATCH_SIZE:
            yield batch
            batch, text_count = {}, 0
    if batch:
        yield batch


def _embed_batch(embedder: Embedder, batch: _Texts) -> Iterator[tuple[str, SegmentVectors]]:
    # Tables and forms repeat lines, and each text is embedded once.
    texts = list(dict.fromkeys(text for group in batch.values() for text in group))
    vectors = dict(zip(texts, embedder.embed(texts, "passage"), strict=True))
    for key, (passage, *others) in batch.items():
        yield key, SegmentVectors(vectors[passage], tuple(vectors[text] for text in others))
