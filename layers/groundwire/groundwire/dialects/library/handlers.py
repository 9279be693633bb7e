"""Composition of the library's handlers."""

from dataclasses import dataclass

from groundwire.dialects.library.completions import LibraryCompletions
from groundwire.dialects.library.prompts import LibraryPrompts
from groundwire.dialects.library.resources import LibraryResources
from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import SearchFunction


@dataclass(frozen=True, slots=True)
class LibraryHandlers:
    """Handlers of the library's resources, completions and prompts."""

    resources: LibraryResources
    completions: LibraryCompletions
    prompts: LibraryPrompts


def build_library(
    catalog: DocumentCatalog, reader: DocumentReader, search: SearchFunction, cite: CiteFunction
) -> LibraryHandlers:
    """Return the library's handlers for these services."""
    resources = LibraryResources(catalog, reader, cite)
    return LibraryHandlers(resources, LibraryCompletions(catalog, reader), LibraryPrompts(resources, search, cite))
