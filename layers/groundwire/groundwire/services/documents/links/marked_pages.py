"""Picture of the page of a cited passage, with the passage's marks, for somebody who may open the original."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import DocumentRefused, NotFound
from groundwire.domain.passages.marks import Mark, marks_of
from groundwire.ports import Indexes
from groundwire.services.documents.browse.cited_passage import find_cited_passage
from groundwire.services.documents.images.page_pictures import PagePictures
from groundwire.services.documents.links.link_opener import AdmittedLink
from groundwire.services.documents.links.source_links import PAGED_TYPE
from groundwire_readers.contents.parsed import PagePicture


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """Picture of a page, and the marks of one passage on it."""

    picture: PagePicture
    marks: list[Mark]


def has_page_pictures(document: Document) -> bool:
    """Return whether pages of the document have pictures: those of other formats look different in each program."""
    return document.blob is not None and document.source_file_type == PAGED_TYPE


def pages_of(passage: Segment) -> Sequence[int]:
    """Return the numbers of the pages of a passage; none where the format has no pages."""
    if passage.page_first is None:
        return ()
    return range(passage.page_first, (passage.page_last or passage.page_first) + 1)


class MarkedPages:
    """Pictures of pages with marks.

    Args:
        indexes: those of all tenants.
        pictures: plain ones, which are the same for every passage and reader.
    """

    def __init__(self, indexes: Indexes, pictures: PagePictures) -> None:
        self._indexes = indexes
        self._pictures = pictures

    def read(self, link: AdmittedLink, digits: str | None, page: int | None) -> MarkedPage | None:
        """Return a page of a passage.

        None where the key or the collection withholds the original, of which a picture is a part, where the current
        version lacks the passage or the passage that page, and where the page cannot be drawn.

        Args:
            link: to a document that its principal may read now.
            digits: how the digits of the passage's uid begin; None names no passage.
            page: its number, from 1; None: the first one of the passage.

        Raises:
            Unavailable: the index does not answer, or nothing draws the page at this moment.
        """
        document, tenant = link.document, link.principal.tenant
        if not link.has_original or not has_page_pictures(document):
            return None
        passage = find_cited_passage(self._indexes, tenant, document, digits)
        pages = () if passage is None else pages_of(passage)
        number = page if page is not None or not pages else pages[0]
        if passage is None or number is None or number not in pages:
            return None
        try:
            picture = self._pictures.read(tenant, document, number)
        except (DocumentRefused, NotFound):
            return None
        return MarkedPage(picture, marks_of(passage.text, picture.words))
