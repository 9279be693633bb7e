"""Port of stored evaluations of search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """Evaluation of search on judged questions.

    Attributes:
        evaluation_id: random id.
        created_at: epoch seconds of its end.
        summary: its JSON members without those of single questions.
    """

    evaluation_id: str
    created_at: float
    summary: Mapping[str, object]


class Evaluations(Protocol):
    """Store of the last evaluations of each tenant; older ones are deleted with each new one."""

    def add(self, tenant: str, evaluation: StoredEvaluation, questions: Sequence[Mapping[str, object]]) -> None:
        """Store an evaluation with the results of its questions.

        Raises:
            NotFound: the tenant was deleted meanwhile; nothing is stored.
        """
        ...

    def all(self, tenant: str) -> list[StoredEvaluation]:
        """Return the evaluations, the latest first."""
        ...

    def find(self, tenant: str, evaluation_id: str) -> tuple[StoredEvaluation, Sequence[Mapping[str, object]]] | None:
        """Return an evaluation with the results of its questions; None where it is missing."""
        ...

    def delete(self, tenant: str, evaluation_id: str) -> bool:
        """Delete an evaluation; return False where it was missing."""
        ...

    def drop(self, tenant: str) -> int:
        """Delete all of the tenant, and return their number."""
        ...
