"""Words of a document's file name, which are searched beside its title and never shown."""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from groundwire.domain.documents.indexed_fields import own_field
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.text.words import words
from groundwire_readers.text.normalisation import normalise

_FILE_NAME: Final = own_field("source_file_name")
_RUN: Final = re.compile(r"[^\W_]+")
_PART: Final = re.compile(r"\d{2,}|[^\W\d_]{2,}")


def searched_file_words(fields: Metadata, title: str) -> str:
    """Return the words of the file name among a row's fields; none where the document has no title to search."""
    name = fields.get(_FILE_NAME)
    return file_name_words(name, title) if title and isinstance(name, str) else ""


def file_name_words(name: str, title: str) -> str:
    """Return the words of a file's name that the title has not, without the extension.

    A name in camel case gives its parts too, as does one with digits behind its letters: `TideReport2023` gives
    `TideReport2023 Tide Report 2023`.
    """
    known = set(words(title))
    found: dict[str, str] = {}
    for word in _name_words(normalise(PurePath(name).stem)):
        if word.casefold() not in known:
            found.setdefault(word.casefold(), word)
    return " ".join(found.values())


def _name_words(stem: str) -> Iterator[str]:
    for run in _RUN.findall(stem):
        yield run
        yield from (word for part in _PART.findall(run) for word in _camel_parts(part))


def _camel_parts(part: str) -> Iterator[str]:
    start = 0
    for at in range(1, len(part)):
        # The last of several capitals begins a word: `PDFReport` has `PDF` and `Report`.
        starts_word = part[at].isupper() and (part[at - 1].islower() or part[at + 1 : at + 2].islower())
        if starts_word:
            yield part[start:at]
            start = at
    yield part[start:]
