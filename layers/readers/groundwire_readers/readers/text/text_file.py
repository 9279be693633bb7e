"""Reader of text files: headings only where the layout is unambiguous.

A heading is a line that is underlined or in capitals, or that has a section number. Numbered lines of lists and
of tables of contents are no headings.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.text import plain_text
from groundwire_readers.readers.text.encoding import decode_text
from groundwire_readers.readers.text.plain_text import Paragraph

_UNDERLINES: Final = {"=": 1, "-": 2, "~": 3, "^": 4}
_NUMBERED: Final = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s+([^\W\d_].*)")
_LEADER: Final = re.compile(r"\.{4}|(?:\s\.){4}|\s{3}\d+$")
"""Dots or spaces between a title and its page number in a table of contents.

Bounds without an upper end would read a long run of blanks once for each of its characters.
"""
_CAPITALS: Final = re.compile(r"[^\W\d_]{4,}")
_CAPITALS_SHARE: Final = 3
"""Minimum ratio of all paragraphs to those in capitals; below it the whole text counts as written in capitals."""

HeadingNumber = tuple[int, ...]


def read(content: bytes) -> Contents:
    """Return the file's contents; its title is a single short line at its beginning."""
    found = list(plain_text.split_paragraphs(decode_text(content)))
    levels = _underlined(found) | _capitals(found) | _numbered(found)
    blocks: list[Block] = []
    for index, paragraph in enumerate(found):
        if index in levels:
            blocks.append(Block(BlockKind.HEADING, paragraph.text, level=levels[index]))
        else:
            blocks += plain_text.blocks_of_paragraph(paragraph)
    has_title = len(found) > 1 and found[0].is_title_line
    return Contents(blocks, title=found[0].text if has_title else None)


def _underlined(found: Sequence[Paragraph]) -> dict[int, int]:
    return {index: _UNDERLINES[one.underline] for index, one in enumerate(found) if one.underline in _UNDERLINES}


def _capitals(found: Sequence[Paragraph]) -> dict[int, int]:
    """Return the levels of the lines in capitals, by index; none when the whole text is in capitals."""
    capitals = [index for index, one in enumerate(found[:-1]) if _is_in_capitals(one)]
    return dict.fromkeys(capitals, 1) if len(capitals) * _CAPITALS_SHARE <= len(found) else {}


def _is_in_capitals(paragraph: Paragraph) -> bool:
    line = paragraph.lines[0].strip()
    is_in_capitals = line == line.upper() != line.lower() and _CAPITALS.search(line) is not None
    return is_in_capitals and paragraph.is_title_line and not paragraph.is_item


def _numbered(found: Sequence[Paragraph]) -> dict[int, int]:
    """Return the heading levels by section number, where the numbers rise and text follows them."""
    candidates = {index: split for index, one in enumerate(found) if (split := _number(one)) is not None}
    last = {split: index for index, split in candidates.items()}
    accepted: dict[int, int] = {}
    previous: HeadingNumber = ()
    for index, split in candidates.items():
        number, _ = split
        following = candidates.get(index + 1)
        # A line that a sibling follows directly is an item of a list: headings have text below them.
        is_sibling_next = following is not None and following[0][: len(number)] != number
        # Of equal lines the last one: those before it are in a table of contents.
        if last[split] == index and not is_sibling_next and number > previous and index + 1 < len(found):
            accepted[index] = len(number)
            previous = number
    return accepted if len(accepted) > 1 else {}


def _number(paragraph: Paragraph) -> tuple[HeadingNumber, str] | None:
    """Return number and title of a line that could be the heading of a section; None for other lines."""
    line = paragraph.lines[0]
    match = _NUMBERED.fullmatch(line)
    if match is None or not paragraph.is_title_line or _LEADER.search(line) or match[2][0].islower():
        return None
    return tuple(int(part) for part in match[1].split(".")), paragraph.text
