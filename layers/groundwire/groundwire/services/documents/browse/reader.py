"""What a document says: its text page by page, and a passage among its neighbours.

The registry is asked at that moment, and only the version that it names is read. Missing, deleted, beyond the key
and forbidden are one None.
"""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import NEIGHBOUR_TOKENS, TEXT_PAGE_SEGMENTS
from groundwire.ports import Documents, DocumentVersion, Index, Indexes, Span
from groundwire.services.documents.browse.read_access import find_readable
from groundwire.services.search.expansion import expand
from groundwire.services.search.results import Passage

_MAX_ATTEMPTS: Final = 3
"""Between record and rows a new version may take the place of the old one; thrice in a row is no coincidence."""
_REPLACED_RETRY_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a document's text.

    Attributes:
        number: from 1 to `page_count`.
        segments: in reading order; none only where the document has no text at all.
    """

    document: Document
    number: int
    segments: tuple[Segment, ...]

    @property
    def page_count(self) -> int:
        """How many pages the text has."""
        return count_pages(self.document)

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


def count_pages(document: Document) -> int:
    """How many pages the text of a document has; one without text has one, which is empty."""
    return max(1, -(-document.segments // TEXT_PAGE_SEGMENTS))


def page_number(segment: Segment) -> int:
    """On which page of its document's text a passage stands."""
    return segment.ordinal // TEXT_PAGE_SEGMENTS + 1


class DocumentReader:
    """Reads for callers."""

    def __init__(self, documents: Documents, indexes: Indexes) -> None:
        self._documents = documents
        self._indexes = indexes

    def document(self, caller: Caller, doc_id: str) -> Document | None:
        """The record."""
        return find_readable(caller, self._documents, doc_id)

    def page(self, caller: Caller, doc_id: str, number: int) -> TextPage | None:
        """Page `number` of the text; None for a number that it does not have, too.

        Raises:
            Unavailable: the document is being replaced over and over.
        """
        for _ in range(_MAX_ATTEMPTS):
            document = find_readable(caller, self._documents, doc_id)
            if document is None or not 1 <= number <= count_pages(document):
                return None
            first = (number - 1) * TEXT_PAGE_SEGMENTS
            last = min(first + TEXT_PAGE_SEGMENTS, document.segments) - 1
            [segments] = self._index(caller).read_spans([Span(_version(document), first, last)])
            if len(segments) == last - first + 1:
                return TextPage(document, number, tuple(segments))
        raise Unavailable("The document is just being replaced: ask again.", _REPLACED_RETRY_SECONDS)

    def segment(self, caller: Caller, uid: str) -> Passage | None:
        """The passage alone; None for one that the current version does not have, too."""
        looked_in = None
        for _ in range(_MAX_ATTEMPTS):
            document = find_readable(caller, self._documents, doc_id_from_uid(uid) or "")
            if document is None or document.version == looked_in:
                return None
            segment = self._index(caller).find(_version(document), uid)
            if segment is not None:
                return Passage(segment, document, score=1.0)
            looked_in = document.version
        return None

    def passage_with_context(self, caller: Caller, uid: str) -> Passage | None:
        """The passage with its neighbours; None as for `segment`."""
        found = self.segment(caller, uid)
        return None if found is None else expand(self._index(caller), [found], NEIGHBOUR_TOKENS)[0]

    def _index(self, caller: Caller) -> Index:
        return self._indexes.for_tenant(caller.principal.tenant)


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
