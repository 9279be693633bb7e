"""Tables of contents: lines with a page number at their end that repeat headings or have leaders."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.blocks.headings import letters_of
from groundwire_readers.readers.pdf.layout.lines import Line

_NUMBER: Final = r"(?:\d{1,4}|[ivxlc]{1,7})"
_LEADER: Final = re.compile(
    rf"(?<![\s.·_…])[\s]*(?:(?:[.·…]\s?){{4,}}\s*(?={_NUMBER}?\s*$)|(?:_\s?){{4,}}\s*(?={_NUMBER}\s*$))", re.IGNORECASE
)
"""Dots up to a page number, which may be on the next line; a line to write on has no number behind it."""
_END_NUMBER: Final = re.compile(r"(?<=\S)\s+(?:\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
_PARTS: Final = 3
"""Maximum number of lines of an entry, of which the last has the page number."""
_MIN_ENTRIES: Final = 4
"""Minimum number of entries on a page of a table of contents."""
_CONTENTS: Final = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice|sommaire"
    r"|目次|目录|차례|목차",
    re.IGNORECASE,
)
_LINE_CHARACTERS: Final = 250
"""Maximum length of a line that may be an entry; the patterns look at no longer ones."""


def entries_of_contents(lines: Sequence[Line], headings: frozenset[str]) -> set[int]:
    """Return the positions of the lines that are entries of a table of contents.

    Args:
        lines: of the document.
        headings: letters of the titles in the file's outline.
    """
    found: set[int] = set()
    by_page = Counter[int]()
    for index, line in enumerate(lines):
        if line.table < 0 and len(line.text) <= _LINE_CHARACTERS and _is_entry(line.text, headings):
            found.add(index)
            by_page[line.page] += 1
    kept = sorted(index for index in found if by_page[lines[index].page] >= _MIN_ENTRIES)
    parts = {index for first, last in pairwise(kept) if last - first <= _PARTS for index in range(first + 1, last)}
    return {index for index in (*kept, *parts) if lines[index].table < 0}


def _is_entry(text: str, headings: frozenset[str]) -> bool:
    if _LEADER.search(text) is not None:
        return True
    without_number = _END_NUMBER.sub("", text)
    if without_number == text:
        return False
    letters = letters_of(without_number)
    return letters in headings or letters.lstrip("0123456789") in headings


def is_contents_title(text: str) -> bool:
    """Return whether the text is the heading of a table of contents."""
    return _CONTENTS.fullmatch(text.strip(" :.")) is not None


def repeats_heading(text: str, headings: frozenset[str]) -> bool:
    """Return whether an entry is one of the document's headings (see `names_of`), with a page number."""
    return _name_of(_END_NUMBER.sub("", without_leader(text))) in headings


def names_of(headings: Iterable[str]) -> frozenset[str]:
    """Return the headings by their letters, without the numbers of sections."""
    return frozenset(map(_name_of, headings)) - {""}


def _name_of(text: str) -> str:
    return letters_of(text).lstrip("0123456789")


def without_leader(text: str) -> str:
    """Return the entry with its dots as one sign."""
    return _LEADER.sub(" … ", text) if len(text) <= _LINE_CHARACTERS else text
