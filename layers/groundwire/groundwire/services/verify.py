"""Verify: may this user open the document behind a citation, at this moment? The registry alone answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access import decide
from groundwire.domain.caller import Caller
from groundwire.domain.documents import DEAD, Document, DocumentState
from groundwire.domain.references import document_of
from groundwire.ports import Documents
from groundwire.services.links import SourceLinks

UNKNOWN: Final = "This document does not exist or you may not read it."
DELETED: Final = "Document has been deleted"


@dataclass(frozen=True, slots=True)
class AccessAnswer:
    """What a click on a citation comes to.

    Attributes:
        url: a fresh link, only with access. error: why not, only without.
        document: the record, only with access; for the audit line.
    """

    has_access: bool
    url: str | None
    error: str | None
    document: Document | None


VerifyCall = Callable[[Caller, str], AccessAnswer]
"""The shape of `Verify.__call__`, for those who need not know when it is made."""


class Verify:
    """Checks citations of any version against the document's current policy."""

    def __init__(self, documents: Documents, links: SourceLinks) -> None:
        self._documents = documents
        self._links = links

    def __call__(self, caller: Caller, segment_uid: str) -> AccessAnswer:
        """Unknown, forbidden and beyond the key give one answer; "deleted" hears only whom the last policy admits."""
        principal = caller.principal
        doc_id = document_of(segment_uid)
        document = self._documents.read(principal.tenant, [doc_id]).get(doc_id) if doc_id else None
        if document is None or not caller.reaches(document.collection) or not decide(principal, document.policy):
            return AccessAnswer(has_access=False, url=None, error=UNKNOWN, document=None)
        if document.state in DEAD:
            return AccessAnswer(has_access=False, url=None, error=DELETED, document=None)
        if document.state is not DocumentState.INDEXED:
            return AccessAnswer(has_access=False, url=None, error=UNKNOWN, document=None)
        return AccessAnswer(has_access=True, url=self._links.to(document, caller), error=None, document=document)
