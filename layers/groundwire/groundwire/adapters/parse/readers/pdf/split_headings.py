"""Repair of PDF headings that were too long for their line: their parts are joined."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.parsed import Block, BlockKind

_FULL_LINE_CHARACTERS: Final = 40
"""Minimum length of a full line; a shorter heading in capitals had room for another word."""
_CONTINUATION_CHARACTERS: Final = 100
"""Maximum length of a continuation: the rest of a heading is at most one line."""


def join_split_headings(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with each heading complete; a line that continues a heading is joined to it."""
    found: list[Block] = []
    for block in blocks:
        if found and _is_continued_by(found[-1], block):
            found[-1] = replace(found[-1], text=_one_line(found[-1].text, block.text))
        else:
            found.append(block)
    return found


def _is_continued_by(heading: Block, rest: Block) -> bool:
    if heading.kind is not BlockKind.HEADING or heading.page != rest.page or len(rest.text) > _CONTINUATION_CHARACTERS:
        return False
    if rest.kind is BlockKind.PARAGRAPH:
        return heading.text.endswith((",", "-")) and not rest.text.endswith(".")
    if rest.kind is not BlockKind.HEADING or rest.text[:1].isdigit():
        return False
    is_open = heading.text.endswith((",", "-")) or heading.text.count("(") > heading.text.count(")")
    return is_open or (heading.level == rest.level and (_fills_a_line(heading, rest) or rest.text.startswith("(")))


def _fills_a_line(heading: Block, rest: Block) -> bool:
    return len(heading.text) >= _FULL_LINE_CHARACTERS and heading.text.isupper() and rest.text.isupper()


def _one_line(first: str, rest: str) -> str:
    """Return the joined text; a hyphen before small letters is removed as the typesetter's."""
    is_divided = first.endswith("-") and first[-2:-1].isalpha() and rest[:1].islower()
    return f"{first[:-1]}{rest}" if is_divided else f"{first} {rest}"
