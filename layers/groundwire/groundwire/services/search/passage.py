"""What a search answers with."""

from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.domain.documents import Document, Segment


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment that answers, with its document's record.

    Attributes:
        score: fused, 0 to 1; where a reranker ordered the answer, the order is the reranker's.
        also_in: nearly equal passages that it stands for, best first; the caller may read each of them.
        context: the segment among its neighbours, in reading order; empty where none were asked for.
    """

    segment: Segment
    document: Document
    score: float
    also_in: tuple["Passage", ...] = ()
    context: tuple[Segment, ...] = ()

    @property
    def text(self) -> str:
        """What is quoted: the segment's own text, or all of its context."""
        return "\n\n".join(piece.text for piece in self._quoted)

    @property
    def pages(self) -> tuple[int | None, int | None]:
        """First and last page of what is quoted; None where the format has none."""
        first = [piece.page_first for piece in self._quoted if piece.page_first is not None]
        last = [piece.page_last for piece in self._quoted if piece.page_last is not None]
        return min(first, default=None), max(last, default=None)

    @property
    def _quoted(self) -> tuple[Segment, ...]:
        return self.context or (self.segment,)


def named_documents(passages: Iterable[Passage]) -> list[str]:
    """Every document that an answer quotes or names, with the version of the policy that allowed it: for the audit."""
    named = (each.document for passage in passages for each in (passage, *passage.also_in))
    return sorted({f"{document.doc_id}@{document.policy_version}" for document in named})
