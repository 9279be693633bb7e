"""Browsing: pages of the collections, documents and text that a caller may read, and of nothing else."""

from groundwire.services.documents.browse.catalog import (
    CatalogEntry,
    CatalogPage,
    CatalogPosition,
    CollectionMatches,
    DocumentCatalog,
    DocumentMatches,
    DocumentPage,
)
from groundwire.services.documents.browse.reader import DocumentReader, TextPage, count_pages, page_number

__all__ = [
    "CatalogEntry",
    "CatalogPage",
    "CatalogPosition",
    "CollectionMatches",
    "DocumentCatalog",
    "DocumentMatches",
    "DocumentPage",
    "DocumentReader",
    "TextPage",
    "count_pages",
    "page_number",
]
