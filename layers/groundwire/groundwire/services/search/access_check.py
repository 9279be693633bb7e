"""The last word about rights: what the index found is answered only if the registry, asked now, allows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.domain.access.policy import Principal, decide
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.fusion import RankedCandidate
from groundwire.ports import Documents
from groundwire.services.search.results import Passage


@dataclass(frozen=True, slots=True)
class AccessCheck:
    """Ranked rows after the registry was asked.

    Attributes:
        passages: those that the principal may read at this moment, in their order.
        denied: living documents that the index let through and their own policy does not, each once.
    """

    passages: list[Passage]
    denied: list[Document]

    def count_mismatches(self, changed_before: float) -> int:
        """How many of the refused had their policy by then, so that the index should have known."""
        return sum(document.updated_at < changed_before for document in self.denied)


def check_access(
    principal: Principal, documents: Documents, segments: Mapping[int | str, Segment], ranked: Sequence[RankedCandidate]
) -> AccessCheck:
    """The ranked rows against the registry, in one batched read."""
    records = documents.read(principal.tenant, sorted({segment.doc_id for segment in segments.values()}))
    living = {doc_id: record for doc_id, record in records.items() if record.state is DocumentState.INDEXED}
    allowed = {doc_id for doc_id, record in living.items() if decide(principal, record.policy)}
    found = ((segments[row.key], row.score) for row in ranked if row.key in segments)
    passages = [
        Passage(segment, living[segment.doc_id], score)
        for segment, score in found
        if segment.doc_id in allowed and living[segment.doc_id].version == segment.version
    ]
    return AccessCheck(passages, [record for doc_id, record in living.items() if doc_id not in allowed])
