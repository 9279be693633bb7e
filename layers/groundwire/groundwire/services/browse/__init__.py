"""Browse: what a caller may read, in pages, and nothing but that."""

from groundwire.services.browse.reading import Reading, TextPage, pages_of
from groundwire.services.browse.shelves import Entry, Listing, Named, Place, Shelves

__all__ = ["Entry", "Listing", "Named", "Place", "Reading", "Shelves", "TextPage", "pages_of"]
