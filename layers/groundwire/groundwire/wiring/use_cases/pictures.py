"""Pictures of the pages of originals, which a parser draws."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports.ingestion import PageDrawers
    from groundwire.services.documents.links.marked_pages import MarkedPages
    from groundwire.wiring.backends import Backends


class PictureUseCases:
    """Use cases that draw pages, apart from those of reading, which need no parser.

    Args:
        backends: of the installation.
        drawers: what draws, behind a function, as few processes draw a page.
    """

    def __init__(self, backends: "Backends", drawers: "Callable[[], PageDrawers]") -> None:
        self._stores = backends.stores
        self._drawers = drawers

    @Lazy
    def marked_pages(self) -> "MarkedPages":
        """Pages of cited passages."""
        from groundwire.services.documents.images.page_pictures import PagePictures
        from groundwire.services.documents.links.marked_pages import MarkedPages

        pictures = PagePictures(self._stores.documents, self._stores.blobs, self._drawers)
        return MarkedPages(self._stores.indexes, pictures)
