"""Final checks of hits against the registry: first the caller's access at this moment, then the search's filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.access.policy import Allow, Principal, decide
from groundwire.domain.documents.indexed_fields import searchable_fields
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter, matches
from groundwire.domain.search.fusion import RankedCandidate
from groundwire.ports import RowKey
from groundwire.services.search.results import Passage


class Records(Protocol):
    """Reader of documents' records."""

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """Return the current records of these documents, tombstones included; unknown ids are absent."""
        ...


@dataclass(frozen=True, slots=True)
class AccessCheck:
    """Result of checking ranked rows against the registry.

    Attributes:
        passages: passages that the principal may read at this moment, in rank order.
        denied: living documents that the index let through and their own policy does not, each once.
    """

    passages: list[Passage]
    denied: list[Document]

    def count_mismatches(self, changed_before: float) -> int:
        """Return the number of denied documents whose policy is older than that, so that the index should have it."""
        return len([document for document in self.denied if document.updated_at < changed_before])


def check_access(
    principal: Principal,
    documents: Records,
    segments: Mapping[RowKey, Segment],
    ranked: Sequence[RankedCandidate],
    similarities: Mapping[RowKey, float],
) -> AccessCheck:
    """Check the ranked rows against the registry, in one batched read.

    Args:
        principal: whose rights decide.
        documents: the records.
        segments: rows that were read, by key.
        ranked: rows in their order.
        similarities: cosine similarity by row; empty where the search compared no meaning.
    """
    records = documents.read(principal.tenant, sorted({segment.doc_id for segment in segments.values()}))
    allowed: dict[str, Document] = {}
    denied: list[Document] = []
    for doc_id, record in records.items():
        if record.ingestion.state is not DocumentState.INDEXED:
            continue
        if isinstance(decide(principal, record.readers), Allow):
            allowed[doc_id] = record
        else:
            denied.append(record)
    passages: list[Passage] = []
    for row in ranked:
        segment = segments.get(row.key)
        record = None if segment is None else allowed.get(segment.doc_id)
        if segment is not None and record is not None and record.version == segment.version:
            passages.append(Passage(segment, record, row.score, similarity=similarities.get(row.key)))
    return AccessCheck(passages, denied)


def check_filter(where: Filter, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages whose documents pass the filter, by the records of the access check.

    The index may have let through more: its rows cannot decide every filter, or are of an earlier form.

    Args:
        where: the search's filter.
        passages: passages that the principal may read; no other document is evaluated.
    """
    decided: dict[tuple[str, int | None], bool] = {}
    return [passage for passage in passages if _passes(where, passage, decided)]


def _passes(where: Filter, passage: Passage, decided: dict[tuple[str, int | None], bool]) -> bool:
    # The page is the only field that differs between passages of one document.
    key = passage.document.doc_id, passage.segment.page_first
    if key not in decided:
        decided[key] = matches(where, searchable_fields(passage.document, passage.segment.page_first))
    return decided[key]
