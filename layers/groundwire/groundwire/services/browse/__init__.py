"""Browse: what a caller may read, in pages, and nothing but that."""

from groundwire.services.browse.reading import Reading, TextPage, page_with, pages_of
from groundwire.services.browse.shelves import Entry, Listing, NamedCollections, NamedDocuments, Place, Shelves

__all__ = [
    "Entry",
    "Listing",
    "NamedCollections",
    "NamedDocuments",
    "Place",
    "Reading",
    "Shelves",
    "TextPage",
    "page_with",
    "pages_of",
]
