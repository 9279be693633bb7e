"""Reader of text files, which detects headings only where the layout is unambiguous.

A heading is a line that is underlined, in upper case, or has a section number. Numbered lines of lists and of tables of
contents are no headings.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.readers.text import plain_text
from groundwire_readers.readers.text.plain_text import Paragraph

_UNDERLINES: Final = {"=": 1, "-": 2, "~": 3, "^": 4}
_NUMBERED: Final = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s+([^\W\d_].*)")
_LEADER: Final = re.compile(r"\.{4}|(?:\s\.){4}|\s{3}\d+$")
"""Dots or spaces between a title and its page number in a table of contents.

Fixed repetitions: an open-ended one would take quadratic time on a long run of spaces.
"""
_UPPER_CASE_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_MIN_UPPER_CASE_RATIO: Final = 3
"""Minimum ratio of all paragraphs to those in upper case; below it, the whole text counts as upper case."""

HeadingNumber = tuple[int, ...]


def read(content: bytes) -> Contents:
    """Return the contents of the file; a single short first line is its title."""
    paragraphs = list(plain_text.split_paragraphs(decode_text(content)))
    levels = _underlined(paragraphs) | _upper_case(paragraphs) | _numbered(paragraphs)
    blocks: list[Block] = []
    for index, paragraph in enumerate(paragraphs):
        if index in levels:
            blocks.append(Block(BlockKind.HEADING, paragraph.text, level=levels[index]))
        else:
            blocks += plain_text.blocks_of_paragraph(paragraph)
    has_title = len(paragraphs) > 1 and paragraphs[0].is_title_line
    return Contents(blocks, title=paragraphs[0].text if has_title else None)


def _underlined(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    return {
        index: _UNDERLINES[paragraph.underline]
        for index, paragraph in enumerate(paragraphs)
        if paragraph.underline in _UNDERLINES
    }


def _upper_case(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    """Return the levels of upper-case lines by index; empty if the whole text is in upper case."""
    indexes = [index for index, paragraph in enumerate(paragraphs[:-1]) if _is_upper_case(paragraph)]
    return dict.fromkeys(indexes, 1) if len(indexes) * _MIN_UPPER_CASE_RATIO <= len(paragraphs) else {}


def _is_upper_case(paragraph: Paragraph) -> bool:
    line = paragraph.lines[0].strip()
    is_upper_case = line == line.upper() != line.lower() and _UPPER_CASE_WORD.search(line) is not None
    return is_upper_case and paragraph.is_title_line and not paragraph.is_item


def _numbered(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    """Return the levels of numbered lines by index, where the numbers ascend and text follows."""
    candidates = {
        index: number_and_title
        for index, paragraph in enumerate(paragraphs)
        if (number_and_title := _number(paragraph)) is not None
    }
    last_index = {number_and_title: index for index, number_and_title in candidates.items()}
    accepted: dict[int, int] = {}
    previous: HeadingNumber = ()
    for index, number_and_title in candidates.items():
        number, _ = number_and_title
        following = candidates.get(index + 1)
        # A line directly followed by a sibling is a list item: headings have text below them.
        is_sibling_next = following is not None and following[0][: len(number)] != number
        # Of equal lines, only the last: earlier ones are in a table of contents.
        if (
            last_index[number_and_title] == index
            and not is_sibling_next
            and number > previous
            and index + 1 < len(paragraphs)
        ):
            accepted[index] = len(number)
            previous = number
    return accepted if len(accepted) > 1 else {}


def _number(paragraph: Paragraph) -> tuple[HeadingNumber, str] | None:
    """Return number and title of a line that may be a section heading; None for other lines."""
    line = paragraph.lines[0]
    match = _NUMBERED.fullmatch(line)
    if match is None or not paragraph.is_title_line or _LEADER.search(line) or match[2][0].islower():
        return None
    return tuple(int(part) for part in match[1].split(".")), paragraph.text
