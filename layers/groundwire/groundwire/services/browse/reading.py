"""What a document says: its text page by page, and a passage among its neighbours.

The registry is asked at that moment, and only the version that it names is read. Missing, deleted, beyond the key
and forbidden are one None.
"""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.caller import Caller
from groundwire.domain.documents import Document, Segment
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import NEIGHBOUR_TOKENS, TEXT_PAGE_SEGMENTS
from groundwire.domain.references import document_of
from groundwire.ports import Documents, DocumentVersion, Index, Indexes, Span
from groundwire.services.browse.rights import readable_now
from groundwire.services.search.expand import expanded
from groundwire.services.search.passage import Passage

_TRIES: Final = 3
"""Between record and rows a new version may take the place of the old one; thrice in a row is no coincidence."""
_CHANGING_RETRY_S: Final = 2


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a document's text.

    Attributes:
        number: from 1 to `pages`.
        segments: in reading order; none only where the document has no text at all.
    """

    document: Document
    number: int
    segments: tuple[Segment, ...]

    @property
    def pages(self) -> int:
        """How many pages the text has."""
        return pages_of(self.document)

    @property
    def text(self) -> str:
        """The passages one after the other: they do not overlap, but for the header row of a table that goes on."""
        return "\n\n".join(segment.text for segment in self.segments)

    @property
    def source_pages(self) -> tuple[int | None, int | None]:
        """First and last page of the source; None where its format has none."""
        first = [each.page_first for each in self.segments if each.page_first is not None]
        last = [each.page_last for each in self.segments if each.page_last is not None]
        return min(first, default=None), max(last, default=None)


def pages_of(document: Document) -> int:
    """How many pages the text of a document has; one without text has one, which is empty."""
    return max(1, -(-document.segments // TEXT_PAGE_SEGMENTS))


def page_with(segment: Segment) -> int:
    """On which page of its document's text a passage stands."""
    return segment.ordinal // TEXT_PAGE_SEGMENTS + 1


class Reading:
    """Reads for callers."""

    def __init__(self, documents: Documents, indexes: Indexes) -> None:
        self._documents = documents
        self._indexes = indexes

    def document(self, caller: Caller, doc_id: str) -> Document | None:
        """The record."""
        return readable_now(caller, self._documents, doc_id)

    def page(self, caller: Caller, doc_id: str, number: int) -> TextPage | None:
        """Page `number` of the text; None for a number that it does not have, too.

        Raises:
            Unavailable: the document is being replaced over and over.
        """
        for _ in range(_TRIES):
            document = readable_now(caller, self._documents, doc_id)
            if document is None or not 1 <= number <= pages_of(document):
                return None
            first = (number - 1) * TEXT_PAGE_SEGMENTS
            last = min(first + TEXT_PAGE_SEGMENTS, document.segments) - 1
            [segments] = self._index(caller).around([Span(_version(document), first, last)])
            if len(segments) == last - first + 1:
                return TextPage(document, number, tuple(segments))
        raise Unavailable("The document is just being replaced: ask again.", _CHANGING_RETRY_S)

    def segment(self, caller: Caller, uid: str) -> Passage | None:
        """The passage alone; None for one that the current version does not have, too."""
        looked_in = None
        for _ in range(_TRIES):
            document = readable_now(caller, self._documents, document_of(uid) or "")
            if document is None or document.version == looked_in:
                return None
            segment = self._index(caller).find(_version(document), uid)
            if segment is not None:
                return Passage(segment, document, score=1.0)
            looked_in = document.version
        return None

    def passage(self, caller: Caller, uid: str) -> Passage | None:
        """The passage with its neighbours; None as for `segment`."""
        found = self.segment(caller, uid)
        return None if found is None else expanded(self._index(caller), [found], NEIGHBOUR_TOKENS)[0]

    def _index(self, caller: Caller) -> Index:
        return self._indexes.of(caller.principal.tenant)


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
