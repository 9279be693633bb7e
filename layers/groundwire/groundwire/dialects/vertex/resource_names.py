"""Resource names: `projects/P/locations/L` and `…/ragCorpora/C`. Projects are labels; the location has to agree.

Clients name one project by its id in one place and by its number in another, so two names are never compared by it.
"""

import re
from typing import Final, NamedTuple

_PARENT: Final = re.compile(r"projects/[^/]+/locations/([^/]+)")
_CORPUS: Final = re.compile(r"projects/[^/]+/locations/([^/]+)/ragCorpora/([^/]+)")

PARENT_FORM: Final = "projects/{project}/locations/{location}"
CORPUS_FORM: Final = f"{PARENT_FORM}/ragCorpora/{{collection}}"


class ParentName(NamedTuple):
    """Name of a location."""

    text: str
    location: str


class CorpusName(NamedTuple):
    """Name of a corpus, which is a collection."""

    text: str
    location: str
    collection: str


def parse_parent(text: str) -> ParentName | None:
    """Return the name of a location; None for any other text."""
    match = _PARENT.fullmatch(text)
    return None if match is None else ParentName(text, match[1])


def parse_corpus(text: str) -> CorpusName | None:
    """Return the name of a corpus; None for any other text."""
    match = _CORPUS.fullmatch(text)
    return None if match is None else CorpusName(text, match[1], match[2])
