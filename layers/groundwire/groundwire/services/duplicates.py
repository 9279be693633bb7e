"""Documents that say nearly the same, found by their sketches: reported, never merged, as each has its own readers."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.domain import sketches
from groundwire.domain.documents import Document
from groundwire.ports import Documents

NEARLY_THE_SAME: Final = 0.8
_KEYS: Final = 16
"""Of a document's smallest hashes, by which others are found: two documents of resemblance .8 share at least one of
16 but once in ten thousand times, and a quarter of the sketch is a quarter of the memory."""
_MET: Final = 20
"""Documents that one hash leads to: in a crowd of equals each is reported beside the first of them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents of a tenant and the share of word triples that they have in common."""

    first: Document
    second: Document
    resemblance: float


class Duplicates:
    """Compares only documents that share a hash, so that ten times the documents take about ten times as long."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def __call__(self, tenant: str, among: Collection[str] | None) -> list[Pair]:
        """Pairs that resemble each other, the likest first.

        Args:
            tenant: whose documents are compared, across its collections and policies.
            among: only pairs with one of these documents; None: all.
        """
        found = list(_pairs(self._documents.sketches(tenant), among))
        records = self._documents.read(
            tenant, list({doc_id for first, second, _ in found for doc_id in (first, second)})
        )
        pairs = [
            Pair(records[first], records[second], alike)
            for first, second, alike in found
            if first in records and second in records
        ]
        return sorted(pairs, key=lambda pair: (-pair.resemblance, pair.first.doc_id, pair.second.doc_id))


def _pairs(sketched: list[tuple[str, bytes]], among: Collection[str] | None) -> Iterator[tuple[str, str, float]]:
    held = dict(sketched)
    by_hash: dict[bytes, list[str]] = defaultdict(list)
    for doc_id, sketch in sketched:
        met: dict[str, None] = {}
        for key in sketches.hashes(sketch)[:_KEYS]:
            met.update(dict.fromkeys(by_hash[key]))
            if len(by_hash[key]) < _MET:
                by_hash[key].append(doc_id)
        for other in met:
            if among is None or doc_id in among or other in among:
                alike = sketches.resemblance(held[other], sketch)
                if alike >= NEARLY_THE_SAME:
                    yield other, doc_id, alike
