"""Verification of citations: may this user open the cited document now? Only the registry decides.

The index adds the page of a passage in a PDF, so that a fresh link is the link of the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.policy import decide
from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.ports import Documents, DocumentVersion, Indexes
from groundwire.services.documents.links.source_links import PAGED_TYPE, SourceLinks

UNKNOWN_OR_FORBIDDEN: Final = "This document does not exist or you may not read it."
DELETED: Final = "Document has been deleted"


@dataclass(frozen=True, slots=True)
class CitationAccess:
    """Result of opening a citation.

    Attributes:
        url: a fresh link, only with access. error: the reason, only without.
        document: the record, only with access; for the audit line.
    """

    has_access: bool
    url: str | None
    error: str | None
    document: Document | None


VerifyCitationFunction = Callable[[Caller, str], CitationAccess]
"""Signature of `CitationVerifier.__call__`, for callers that need no verifier object."""


class CitationVerifier:
    """Verifier of citations of any version against the document's current policy."""

    def __init__(self, documents: Documents, open_indexes: Callable[[], Indexes], links: SourceLinks) -> None:
        """Initialise; `open_indexes` raises Unavailable in a deployment without an index."""
        self._documents = documents
        self._open_indexes = open_indexes
        self._links = links

    def __call__(self, caller: Caller, segment_uid: str) -> CitationAccess:
        """Verify one citation.

        Documents that are unknown, forbidden or not covered by the key give the same result. Only principals that the
        last policy admits learn of a deletion.
        """
        principal = caller.principal
        doc_id = doc_id_from_uid(segment_uid)
        document = self._documents.read(principal.tenant, [doc_id]).get(doc_id) if doc_id else None
        if (
            document is None
            or not caller.allows_collection(document.collection)
            or not decide(principal, document.readers)
        ):
            return CitationAccess(has_access=False, url=None, error=UNKNOWN_OR_FORBIDDEN, document=None)
        if document.state in TOMBSTONE_STATES:
            return CitationAccess(has_access=False, url=None, error=DELETED, document=None)
        if document.state is not DocumentState.INDEXED:
            return CitationAccess(has_access=False, url=None, error=UNKNOWN_OR_FORBIDDEN, document=None)
        cited = self._links.cite(document, caller, self._page(principal.tenant, document, segment_uid), segment_uid)
        return CitationAccess(has_access=True, url=cited.url, error=None, document=document)

    def _page(self, tenant: str, document: Document, segment_uid: str) -> int | None:
        """Return the first page of the passage; None where the current version lacks it, or no index answers."""
        if document.source_file_type != PAGED_TYPE:
            return None
        try:
            version = DocumentVersion(document.doc_id, document.version)
            segment = self._open_indexes().for_tenant(tenant).find(version, segment_uid)
        except Unavailable:
            # A link without its page is better than none.
            return None
        return None if segment is None else segment.page_first
