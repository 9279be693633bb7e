"""Reader of a document's text: page by page, or a passage with its neighbours.

Each call reads the registry, and only the version in the record is read from the index. Documents that are missing,
deleted, forbidden or not covered by the key all give None.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.ids import doc_id_from_uid, parse_short_passage_id
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import NEIGHBOUR_TOKENS, TEXT_PAGE_SEGMENTS
from groundwire.ports import Documents, DocumentVersion, Indexes, Span, VectorIndex
from groundwire.retry import NOT_DONE, NotDone, RetryPolicy, retry_until_done
from groundwire.services.documents.browse.read_access import find_readable, may_read
from groundwire.services.search.expansion import expand
from groundwire.services.search.results import Passage

_RETRY: Final = RetryPolicy(attempts=3)
"""Attempts when a new version replaces the old one between record and rows; three in a row are no coincidence."""
_REPLACED_RETRY_SECONDS: Final = 2
_RECORDS_PER_READ: Final = 20
"""Records per read for a short id: its six digits begin the ids of more in very large tenants alone."""


@dataclass(frozen=True, slots=True)
class TextPage:
    """Page of a document's text.

    Attributes:
        number: from 1 to `page_count`.
        segments: in reading order; empty only where the document has no text at all.
    """

    document: Document
    number: int
    segments: tuple[Segment, ...]

    @property
    def page_count(self) -> int:
        """Number of pages of the text."""
        return count_pages(self.document)

    @property
    def text(self) -> str:
        """Passages joined in order: they do not overlap, except for the repeated header row of a table."""
        return "\n\n".join(segment.text for segment in self.segments)

    @property
    def source_pages(self) -> tuple[int | None, int | None]:
        """First and last page of the source; None where its format has none."""
        first = [each.page_first for each in self.segments if each.page_first is not None]
        last = [each.page_last for each in self.segments if each.page_last is not None]
        return min(first, default=None), max(last, default=None)


def count_pages(document: Document) -> int:
    """Return the number of pages of a document's text; a document without text has one empty page."""
    return max(1, -(-document.segments // TEXT_PAGE_SEGMENTS))


def page_number(segment: Segment) -> int:
    """Return the page of its document's text that contains the passage."""
    return segment.ordinal // TEXT_PAGE_SEGMENTS + 1


class DocumentReader:
    """Reader of documents for a caller."""

    def __init__(self, documents: Documents, indexes: Indexes) -> None:
        self._documents = documents
        self._indexes = indexes

    def document(self, caller: Caller, doc_id: str) -> Document | None:
        """Return the record, or None."""
        return find_readable(caller, self._documents, doc_id)

    def page(self, caller: Caller, doc_id: str, number: int) -> TextPage | None:
        """Return page `number` of the text; None also for a number that the text does not have.

        Raises:
            Unavailable: the document is being replaced over and over.
        """
        page = retry_until_done(lambda: self._read_page(caller, doc_id, number), _RETRY)
        if page is NOT_DONE:
            raise Unavailable("The document is being replaced at this moment. Read it again.", _REPLACED_RETRY_SECONDS)
        return page

    def segment(self, caller: Caller, passage_id: str) -> Passage | None:
        """Return the passage of this uid or short id alone; None also where the current version does not have it.

        A short id that fits two passages that the caller may read names neither: a document could be given an id that
        fits another one's.
        """
        found = [
            passage
            for doc_id, uid_start in self._candidates(caller, passage_id)
            if (passage := self._find_segment(caller, doc_id, uid_start))
        ]
        return found[0] if len(found) == 1 else None

    def passage_with_context(self, caller: Caller, passage_id: str) -> Passage | None:
        """Return the passage with its neighbours; None as for `segment`."""
        found = self.segment(caller, passage_id)
        return None if found is None else expand(self._index(caller), [found], NEIGHBOUR_TOKENS)[0]

    def _candidates(self, caller: Caller, passage_id: str) -> Iterator[tuple[str, str]]:
        """Yield the documents that the id may name, with the beginning of the passage's uid."""
        if doc_id := doc_id_from_uid(passage_id):
            yield doc_id, passage_id
        elif short := parse_short_passage_id(passage_id):
            yield short.doc_id, f"{short.doc_id}.{short.digits}"
            if short.doc_id_start is None:
                return
            for document in self._readable_with_id_start(caller, short.doc_id_start):
                yield document.doc_id, f"{document.doc_id}.{short.digits}"

    def _readable_with_id_start(self, caller: Caller, start: str) -> Iterator[Document]:
        """Yield the readable documents whose ids begin so; hidden ones neither end nor change the list."""
        # An id is longer than this beginning, so none is skipped.
        after = start
        while page := self._documents.page_live(caller.principal.tenant, after, _RECORDS_PER_READ):
            for document in page:
                if not document.doc_id.startswith(start):
                    return
                if may_read(caller, document):
                    yield document
            after = page[-1].doc_id

    def _read_page(self, caller: Caller, doc_id: str, number: int) -> TextPage | NotDone | None:
        document = find_readable(caller, self._documents, doc_id)
        if document is None or not 1 <= number <= count_pages(document):
            return None
        first = (number - 1) * TEXT_PAGE_SEGMENTS
        last = min(first + TEXT_PAGE_SEGMENTS, document.segments) - 1
        [segments] = self._index(caller).read_spans([Span(_version(document), first, last)])
        # A new version has replaced the one of the record.
        return TextPage(document, number, tuple(segments)) if len(segments) == last - first + 1 else NOT_DONE

    def _find_segment(self, caller: Caller, doc_id: str, uid_start: str) -> Passage | None:
        searched_version: int | None = None

        def find() -> Passage | NotDone | None:
            nonlocal searched_version
            document = find_readable(caller, self._documents, doc_id)
            if document is None or document.version == searched_version:
                return None
            searched_version = document.version
            segment = self._index(caller).find(_version(document), uid_start)
            return NOT_DONE if segment is None else Passage(segment, document, score=1.0)

        found = retry_until_done(find, _RETRY)
        return None if found is NOT_DONE else found

    def _index(self, caller: Caller) -> VectorIndex:
        return self._indexes.for_tenant(caller.principal.tenant)


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
