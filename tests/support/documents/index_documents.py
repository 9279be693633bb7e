"""Documents and vectors for the index suites: made in the test, the same every time."""

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from typing import cast

from groundwire.domain.access.policy import Policy, Principal, single_policy
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection, SearchMode
from groundwire.ports import (
    DocumentVersion,
    Index,
    IndexQuery,
    ModelId,
    Phrase,
    RowKey,
    SegmentInput,
    Vector,
    VectorIndex,
)

MODEL = ModelId("toy", 16)
OTHER = ModelId("other", 8)
TENANT = "acme"
PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
ANYONE = Principal(TENANT, None, frozenset())
DEEP = 1_000


def normalised(numbers: Sequence[float]) -> Vector:
    length = math.sqrt(sum(number * number for number in numbers)) or 1.0
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def vector(text: str, dimension: int = MODEL.dimension) -> Vector:
    """A direction that depends on every character of the text."""
    digest = blake2b(text.encode(), digest_size=2 * dimension).digest()
    return normalised([number - 32_767.5 for number in struct.unpack(f"<{dimension}H", digest)])


def numbers(of: Vector) -> list[float]:
    return list(struct.unpack(f"<{len(of) // 4}f", of))


def phrase(text: str) -> Phrase:
    return Phrase(text, vector(text))


def for_tags(*tags: str) -> Policy:
    return Policy(public=False, users=frozenset(), any_tags=frozenset(tags), all_tags=frozenset())


def someone(*tags: str) -> Principal:
    return Principal(TENANT, None, frozenset(tags))


def segment(
    doc_id: str, ordinal: int, text: str, version: int = 1, collection: str = "handbook", heading: str = ""
) -> Segment:
    return Segment(
        uid=f"{doc_id}.{blake2b(f'{ordinal}{text}'.encode(), digest_size=6).hexdigest()}",
        doc_id=doc_id,
        version=version,
        collection=collection,
        ordinal=ordinal,
        text=text,
        heading_path=(heading,) if heading else (),
        page_first=ordinal + 1,
        page_last=None,
        headline=text[:20],
        summary=text[:40],
    )


def put(
    index: VectorIndex,
    doc_id: str,
    texts: Iterable[str],
    policy: Policy = PUBLIC,
    version: int = 1,
    collection: str = "handbook",
    metadata: Metadata = NO_METADATA,
) -> list[Segment]:
    """Puts a document whose segments are `texts`."""
    segments = [segment(doc_id, ordinal, text, version, collection) for ordinal, text in enumerate(texts)]
    put_segments(index, segments, policy, metadata)
    return segments


def put_segments(
    index: VectorIndex, segments: Sequence[Segment], policy: Policy = PUBLIC, metadata: Metadata = NO_METADATA
) -> None:
    document = DocumentVersion(segments[0].doc_id, segments[0].version)
    index.put(document, single_policy(policy), [with_vectors(one) for one in segments], metadata)


def with_vectors(one: Segment, *windows: str) -> SegmentInput:
    """The segment with the vectors of its text and of `windows`."""
    return SegmentInput(one, vector(one.text), tuple(vector(window) for window in windows))


@dataclass(frozen=True, slots=True)
class FoundPhrase(PhraseScores):
    """The candidates of one phrase with the segments of all of them, read in the same search."""

    segments: Mapping[RowKey, Segment] = field(default_factory=dict[RowKey, Segment], compare=False)


def query(
    phrases: Sequence[Phrase],
    principal: Principal = ANYONE,
    collections: Sequence[str] = ("handbook",),
    depth: int = DEEP,
    *,
    where: Filter | None = None,
    documents: DocumentSelection = ALL_DOCUMENTS,
    mode: SearchMode = SearchMode.HYBRID,
    granted: CollectionGrant = ALL_COLLECTIONS,
) -> IndexQuery:
    """Return a query of all documents of one collection, unless an argument narrows it."""
    return IndexQuery(principal, granted, collections, documents, where, phrases, mode, depth)


def both_halves(index: VectorIndex) -> Index:
    """Return the index of an engine, which is its own lexical half."""
    assert index.lexical is index
    return cast("Index", index)


def all_keys(scores: Sequence[PhraseScores]) -> list[RowKey]:
    """Selects every candidate."""
    return list(dict.fromkeys(key for each in scores for key in each.keys))


def search(index: VectorIndex, request: IndexQuery) -> list[FoundPhrase]:
    """Return the candidates of each phrase with their segments, by vectors alone where the index has no words."""
    hits = (index.nearest if index.lexical is None else index.lexical.search)(request, all_keys)
    return [
        FoundPhrase(**{one.name: getattr(each, one.name) for one in fields(each)}, segments=hits.segments)
        for each in hits.scores
    ]


def found(
    index: VectorIndex,
    text: str = "anything",
    principal: Principal = ANYONE,
    collections: Sequence[str] = ("handbook",),
    depth: int = DEEP,
    where: Filter | None = None,
    documents: DocumentSelection = ALL_DOCUMENTS,
) -> FoundPhrase:
    """The candidates of one phrase."""
    (one,) = search(index, query([phrase(text)], principal, collections, depth, where=where, documents=documents))
    return one


def texts(scores: FoundPhrase) -> list[str]:
    """The texts of the candidates, in order."""
    return [scores.segments[key].text for key in scores.keys if key in scores.segments]


def doc_ids(scores: FoundPhrase) -> set[str]:
    """The documents of the candidates."""
    return {scores.segments[key].doc_id for key in scores.keys}


def matching(index: VectorIndex, text: str, principal: Principal = ANYONE) -> set[str]:
    """The texts that share a word with the phrase."""
    scores = found(index, text, principal)
    return {scores.segments[key].text for key, score in zip(scores.keys, scores.bm25, strict=True) if score > 0}


def readable(
    index: VectorIndex, principal: Principal, where: Filter | None = None, documents: DocumentSelection = ALL_DOCUMENTS
) -> set[str]:
    """Ids of the documents that any search of `principal` under `where` can meet."""
    return doc_ids(found(index, principal=principal, where=where, documents=documents))


def put_in(index: VectorIndex, doc_id: str, text: str) -> None:
    """Put one document of one segment into an index of any model."""
    one = SegmentInput(segment(doc_id, 0, text), vector(text, index.model.dimension))
    index.put(DocumentVersion(doc_id, 1), single_policy(PUBLIC), [one])


def documents(index: VectorIndex) -> set[str]:
    """Return the ids of all documents that a search of an index of any model finds."""
    phrase = Phrase("text", vector("text", index.model.dimension))
    (scores,) = search(index, query([phrase]))
    return doc_ids(scores)
