"""The last word about rights: what the index found is answered only if the registry, asked now, allows it."""

from collections.abc import Mapping, Sequence

from groundwire.domain.access import Principal, decide
from groundwire.domain.documents import Document, DocumentState, Segment
from groundwire.domain.fusion import Ranked
from groundwire.ports import Documents
from groundwire.services.search.passage import Passage


def readable_now(
    principal: Principal, documents: Documents, segments: Mapping[int | str, Segment], ranked: Sequence[Ranked]
) -> list[Passage]:
    """Those of the ranked rows that the principal may read at this moment, in their order; one batched read."""
    records = documents.read(principal.tenant, sorted({segment.doc_id for segment in segments.values()}))
    found = ((segments[row.key], row.score) for row in ranked if row.key in segments)
    return [
        Passage(segment, document, score)
        for segment, score in found
        if (document := records.get(segment.doc_id)) is not None and _may_answer(principal, segment, document)
    ]


def _may_answer(principal: Principal, segment: Segment, document: Document) -> bool:
    return (
        document.state is DocumentState.INDEXED
        and document.version == segment.version
        and bool(decide(principal, document.policy))
    )
