"""Blocks grouped under their headings."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.limits import SEGMENT_TARGET_CHARACTERS

_MAX_HEADING_CHARACTERS: Final = SEGMENT_TARGET_CHARACTERS
"""Characters of a heading that stand in the path, since every chunk of the section carries it."""


@dataclass(slots=True)
class Section:
    """A heading, or several with nothing between them, and what stands beneath.

    Attributes:
        path: the headings in force, outermost first, the section's own last.
        blocks: headings included.
        has_body: whether anything but headings stands in it.
    """

    path: tuple[str, ...]
    group: int | None
    blocks: list[Block] = field(default_factory=list[Block])
    has_body: bool = False


def sections(blocks: Iterable[Block]) -> list[Section]:
    """The document's sections in reading order; a group (slide, sheet) starts with no heading in force."""
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
    """The heading ends every heading of its level or deeper."""
    while stack and stack[-1].level >= heading.level:
        stack.pop()
    stack.append(heading)
