"""Files that somebody else changed while they were brought in: the news of them is not carried out yet."""

from collections.abc import Iterable

from groundwire.domain.errors import Conflict
from groundwire.services.ingest.ingest import CHANGED_MEANWHILE
from groundwire.services.ingest.request import IngestOutcome


def refuse_conflicts(outcomes: Iterable[IngestOutcome]) -> None:
    """Raises Conflict where one of the files, or what it carries, has to be brought in once more."""
    if any(outcome.reason == CHANGED_MEANWHILE for outcome in outcomes):
        raise Conflict("the document was changed by somebody else at the same time")
