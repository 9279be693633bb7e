"""Sections: blocks grouped under their headings."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.limits import SEGMENT_TARGET_CHARACTERS
from groundwire_readers.contents.parsed import Block, BlockKind

_MAX_HEADING_CHARACTERS: Final = SEGMENT_TARGET_CHARACTERS
"""Length of a heading in the path, which all chunks of the section repeat."""


@dataclass(slots=True)
class Section:
    """Heading, or several with nothing between them, and the blocks below.

    Attributes:
        path: the headings above the blocks, outermost first, the section's own last.
        blocks: headings included.
        has_body: whether it has blocks other than headings.
    """

    path: tuple[str, ...]
    group: int | None
    blocks: list[Block] = field(default_factory=list[Block])
    has_body: bool = False


def sections(blocks: Iterable[Block]) -> list[Section]:
    """Return the document's sections in reading order; a group (slide, sheet) starts with an empty heading path."""
    found: list[Section] = []
    stack: list[Block] = []
    for block in blocks:
        if not block.text and not block.rows:
            continue
        if not found or found[-1].group != block.group:
            stack.clear()
            found.append(Section((), block.group))
        if block.kind is BlockKind.HEADING:
            _push(stack, block)
            if found[-1].has_body:
                found.append(Section((), block.group))
            found[-1].path = tuple(heading.text[:_MAX_HEADING_CHARACTERS] for heading in stack)
        else:
            found[-1].has_body = True
        found[-1].blocks.append(block)
    return found


def _push(stack: list[Block], heading: Block) -> None:
    """Push the heading, after removing all headings of its level or deeper."""
    while stack and stack[-1].level >= heading.level:
        stack.pop()
    stack.append(heading)
