"""Heading levels corrected by section numbers: "2.2.1 Title" is a level 3 heading, whatever its font."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind

# Three digits at most, since a year before a title is no number of a section.
_NUMBER: Final = re.compile(
    r"(?:(?:chapter|section|part|kapitel|teil)\s+)?(\d{1,3}(?:\.\d{1,3}){0,5})\.?(?:\s+|$)", re.IGNORECASE
)
MAX_LEVEL: Final = 6

SectionNumber = tuple[int, ...]


def repair_heading_levels(blocks: Sequence[Block]) -> list[Block]:
    """Return the same blocks with heading levels that agree with the section numbers in the headings.

    Numbers are trusted only where they form sections ("2.1" occurs, not only list-like "1", "2"). Levels that differ
    from the numbers by a constant step are already right. An unnumbered chapter title above numbered sections becomes
    their parent.
    """
    repaired = list(blocks)
    numbers = {
        position: _section_number(block.text)
        for position, block in enumerate(blocks)
        if block.kind is BlockKind.HEADING
    }
    steps = {blocks[position].level - len(number) for position, number in numbers.items() if number}
    if len(steps) < 2 or all(len(number) < 2 for number in numbers.values()):  # noqa: PLR2004
        return repaired
    seen: set[SectionNumber] = set()
    unnumbered: list[int] = []
    for position, number in numbers.items():
        if not number:
            unnumbered.append(position)
            continue
        repaired[position] = replace(repaired[position], level=min(len(number), MAX_LEVEL))
        parent = number[:-1]
        if parent and parent not in seen:
            _promote(repaired, _adjacent(unnumbered), len(parent))
        seen |= {number[:depth] for depth in range(1, len(number) + 1)}
        unnumbered.clear()
    return repaired


def _section_number(heading: str) -> SectionNumber:
    """Return (2, 2, 1) for "2.2.1 Title"; empty without a number, and for a year."""
    found = _NUMBER.match(heading)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def _adjacent(unnumbered: Sequence[int]) -> list[int]:
    """Return the last unnumbered heading and the headings directly above it ("CHAPTER ONE", "ABOUT …")."""
    run: list[int] = []
    for position in reversed(unnumbered):
        if run and position != run[-1] - 1:
            break
        run.append(position)
    return run


def _promote(blocks: list[Block], positions: Sequence[int], level: int) -> None:
    for position in positions:
        blocks[position] = replace(blocks[position], level=min(blocks[position].level, level))
