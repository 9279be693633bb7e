"""What the library's parts are, made together."""

from dataclasses import dataclass

from groundwire.dialects.library.completions import LibraryCompletions
from groundwire.dialects.library.prompts import LibraryPrompts
from groundwire.dialects.library.resources import LibraryResources
from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
from groundwire.services.documents.source_links import LinkFunction
from groundwire.services.search import SearchFunction


@dataclass(frozen=True, slots=True)
class LibraryHandlers:
    """Lists and reads, completes, fills in prompts."""

    resources: LibraryResources
    completions: LibraryCompletions
    prompts: LibraryPrompts


def build_library(
    catalog: DocumentCatalog, reader: DocumentReader, search: SearchFunction, link_to: LinkFunction
) -> LibraryHandlers:
    """Of these use cases."""
    source = LibraryResources(catalog, reader, link_to)
    return LibraryHandlers(source, LibraryCompletions(catalog, reader), LibraryPrompts(source, search, link_to))
