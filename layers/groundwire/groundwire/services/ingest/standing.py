"""A file beside the record that it continues: what was decided about the document later goes before the file."""

from dataclasses import replace
from typing import Final

from groundwire.domain.documents import Document
from groundwire.domain.errors import DocumentRefused
from groundwire.services.ingest.request import IngestRequest

CHANGED_SINCE: Final = "the document was changed since the ticket for this file was made: ask for another one"


def beside(request: IngestRequest, current: Document | None) -> IngestRequest:
    """What is asked for where the record is `current`.

    Raises:
        DocumentRefused: the file may not take the place of what is there now.
    """
    if current is None:
        return request
    if _is_of_others(request, current):
        raise DocumentRefused(CHANGED_SINCE)
    if not _was_given_since(request.decided_at, current):
        return request
    return replace(request, policy=current.policy, policy_from_files=False, policy_given_at=current.policy_given_at)


def _was_given_since(decided_at: float | None, current: Document) -> bool:
    return decided_at is not None and current.policy_given_at > 0 and current.policy_given_at >= decided_at


def _is_of_others(request: IngestRequest, current: Document) -> bool:
    if request.unchanged_since is None or current.source_path == request.source_path:
        return False
    return current.updated_at >= request.unchanged_since
