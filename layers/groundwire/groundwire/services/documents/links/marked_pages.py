"""Picture of the page of a cited passage, with the passage's marks, for somebody who may open the original."""

from dataclasses import dataclass

from groundwire.domain.errors import DocumentRefused, NotFound
from groundwire.domain.passages.marks import Mark, marks_of
from groundwire.ports import Indexes
from groundwire.services.documents.browse.cited_passage import find_cited_passage, pages_of
from groundwire.services.documents.images.page_pictures import PagePictures
from groundwire.services.documents.links.link_opener import AdmittedLink
from groundwire_readers.contents.parsed import PagePicture


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """Picture of a page, and the marks of one passage on it."""

    picture: PagePicture
    marks: list[Mark]


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
        if not link.has_page_pictures:
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
