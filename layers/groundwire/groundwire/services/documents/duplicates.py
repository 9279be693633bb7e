"""Equal and nearly equal documents: reported, never merged, as each has its own readers.

Copies have the same bytes and are found by their digest; near-duplicates are found by their sketches.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.passages import minhash
from groundwire.ports import Collections, Documents

DUPLICATE_RESEMBLANCE: Final = 0.8
_HASHES_COMPARED: Final = 16
"""Number of a document's smallest hashes by which candidates are found.

Two documents of resemblance .8 share none of 16 only once in ten thousand times. A quarter of the sketch needs a
quarter of the memory.
"""
_MAX_CANDIDATES_PER_HASH: Final = 20
"""Maximum of documents per hash: among many equal documents each is reported with the first of them."""


def copies_of(documents: Documents, collections: Collections, tenant: str, document: Document) -> list[Document]:
    """Return the other indexed documents with the same bytes, of all collections; attachments among them."""
    if not document.content_hash:
        return []
    found = [
        each
        for collection in collections.all(tenant)
        for each in documents.by_content(tenant, collection.name, document.content_hash)
    ]
    return [each for each in found if each.state is DocumentState.INDEXED and each.doc_id != document.doc_id]


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two documents of a tenant and the share of word triples that they have in common."""

    first: Document
    second: Document
    resemblance: float


class DuplicateFinder:
    """Finder that compares only documents with a common hash, so that its time is about linear in their number."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def __call__(self, tenant: str, only_with: Collection[str] | None) -> list[DuplicatePair]:
        """Return pairs of near-duplicates, the most similar first.

        Args:
            tenant: tenant whose documents are compared, across its collections and policies.
            only_with: only pairs with one of these documents; None: all.
        """
        found = list(_pairs(self._documents.sketches(tenant), only_with))
        records = self._documents.read(
            tenant, list({doc_id for first, second, _ in found for doc_id in (first, second)})
        )
        pairs = [
            DuplicatePair(records[first], records[second], resemblance)
            for first, second, resemblance in found
            if first in records and second in records
        ]
        return sorted(pairs, key=lambda pair: (-pair.resemblance, pair.first.doc_id, pair.second.doc_id))


def _pairs(sketched: list[tuple[str, bytes]], only_with: Collection[str] | None) -> Iterator[tuple[str, str, float]]:
    sketch_by_id = dict(sketched)
    by_hash: dict[bytes, list[str]] = defaultdict(list)
    for doc_id, sketch in sketched:
        candidates: dict[str, None] = {}
        for key in minhash.hashes(sketch)[:_HASHES_COMPARED]:
            candidates.update(dict.fromkeys(by_hash[key]))
            if len(by_hash[key]) < _MAX_CANDIDATES_PER_HASH:
                by_hash[key].append(doc_id)
        for other in candidates:
            if only_with is None or doc_id in only_with or other in only_with:
                resemblance = minhash.resemblance(sketch_by_id[other], sketch)
                if resemblance >= DUPLICATE_RESEMBLANCE:
                    yield other, doc_id, resemblance
