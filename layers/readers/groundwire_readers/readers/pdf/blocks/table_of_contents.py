"""Detection of tables of contents: lines that end with a page number, after dot leaders or a heading's text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.blocks.headings import letters_of
from groundwire_readers.readers.pdf.layout.lines import Line

_NUMBER_FORM: Final = r"(?:\d{1,4}|[ivxlc]{1,7})"
_LEADER: Final = re.compile(
    rf"(?<![\s.·_…])[\s]*(?:(?:[.·…]\s?){{4,}}\s*(?={_NUMBER_FORM}?\s*$)|(?:_\s?){{4,}}\s*(?={_NUMBER_FORM}\s*$))",
    re.IGNORECASE,
)
"""Leader: dots up to a page number, or underscores up to one; underscores alone are a blank to fill in.

The page number after dots may be on the next line.
"""
_DOTS: Final = re.compile(r"(?<![.·…\s])\s?(?:[.·…]\s?){5,}")
"""Leader up to a figure of any form, as in a list of prices."""
_PAGE_NUMBER_AT_END: Final = re.compile(r"(?<=\S)\s+(?:\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
_MAX_ENTRY_LINES: Final = 3
"""Maximum number of lines of one entry; the last line has the page number."""
_MIN_ENTRIES: Final = 4
"""Minimum number of entries on a page for them to be a table of contents."""
_CONTENTS_TITLE: Final = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice|sommaire"
    r"|目次|目录|차례|목차",
    re.IGNORECASE,
)
_MAX_LINE_CHARACTERS: Final = 250
"""Maximum length of an entry's line; it bounds the work of the patterns."""


def entries_of_contents(lines: Sequence[Line], headings: frozenset[str]) -> set[int]:
    """Return the positions of the lines that are entries of a table of contents.

    Args:
        lines: the lines of the document.
        headings: titles of the file's outline, as `letters_of` returns them.
    """
    entries: set[int] = set()
    entries_by_page = Counter[int]()
    for index, line in enumerate(lines):
        if line.table < 0 and len(line.text) <= _MAX_LINE_CHARACTERS and _is_entry(line.text, headings):
            entries.add(index)
            entries_by_page[line.page] += 1
    kept = sorted(index for index in entries if entries_by_page[lines[index].page] >= _MIN_ENTRIES)
    inner_lines = {
        index
        for entry, next_entry in pairwise(kept)
        if next_entry - entry <= _MAX_ENTRY_LINES
        for index in range(entry + 1, next_entry)
    }
    return {index for index in (*kept, *inner_lines) if lines[index].table < 0}


def _is_entry(text: str, headings: frozenset[str]) -> bool:
    if _LEADER.search(text) is not None:
        return True
    without_number = _PAGE_NUMBER_AT_END.sub("", text)
    if without_number == text:
        return False
    letters = letters_of(without_number)
    return letters in headings or letters.lstrip("0123456789") in headings


def is_contents_title(text: str) -> bool:
    """Return whether the text is the title of a table of contents, in one of eight languages."""
    return _CONTENTS_TITLE.fullmatch(text.strip(" :.")) is not None


def repeats_heading(text: str, headings: frozenset[str]) -> bool:
    """Return whether an entry without its page number is one of the headings, given as `names_of` returns them."""
    return _name_of(_PAGE_NUMBER_AT_END.sub("", without_leader(text))) in headings


def names_of(headings: Iterable[str]) -> frozenset[str]:
    """Return the comparison keys of the headings: their letters without section numbers."""
    return frozenset(map(_name_of, headings)) - {""}


def _name_of(text: str) -> str:
    return letters_of(text).lstrip("0123456789")


def without_leader(text: str) -> str:
    """Return the entry with its leader shortened to an ellipsis."""
    return _LEADER.sub(" … ", text) if len(text) <= _MAX_LINE_CHARACTERS else text


def without_dots(text: str) -> str:
    """Return the text with each leader of dots shortened to an ellipsis."""
    return _DOTS.sub(" … ", text)
