"""What the library's parts are, made together."""

from dataclasses import dataclass

from groundwire.dialects.library.completions import Completions
from groundwire.dialects.library.prompts import Prompts
from groundwire.dialects.library.source import Library
from groundwire.services.browse import Reading, Shelves
from groundwire.services.links import LinkTo
from groundwire.services.search import SearchCall


@dataclass(frozen=True, slots=True)
class LibraryWork:
    """Lists and reads, completes, fills in prompts."""

    source: Library
    completions: Completions
    prompts: Prompts


def library_work(shelves: Shelves, reading: Reading, search: SearchCall, link_to: LinkTo) -> LibraryWork:
    """Of these use cases."""
    source = Library(shelves, reading, link_to)
    return LibraryWork(source, Completions(shelves, reading), Prompts(source, search, link_to))
