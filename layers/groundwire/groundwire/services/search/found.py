"""The answer of a search: passages, and what whoever reads them has to know about how they were found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.services.search.passage import Passage, named_documents

BY_WORDS_ALONE: Final = (
    "This search went by words alone, as meaning cannot be compared just now: passages that say it in other words"
    " may be missing. Search again later, or with the words that the documents would use."
)

NOT_RERANKED: Final = "The model that puts the best passages first does not answer just now: look at all of them."


@dataclass(frozen=True, slots=True)
class Found:
    """What a search answers with.

    Attributes:
        passages: best first.
        notice: a sentence for the model and the person behind it; None where there is nothing to say.
        acl_mismatches: documents that the index should have kept back by now, and the registry did.
    """

    passages: Sequence[Passage]
    notice: str | None = None
    acl_mismatches: int = 0

    def facts(self, shown: Sequence[Passage]) -> Mapping[str, object]:
        """What the audit line says of the search when `shown` of its passages are."""
        facts: dict[str, object] = {"documents": named_documents(shown), "segments": len(shown)}
        if self.notice is not None:
            facts["degraded"] = True
        if self.acl_mismatches:
            facts["acl_mismatch"] = self.acl_mismatches
        return facts
