"""Fragments from which chunks are packed: a short block, some sentences of a long one, a table row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.limits import SEGMENT_TARGET_CHARACTERS

FRAGMENT_MAX_CHARACTERS: Final = SEGMENT_TARGET_CHARACTERS


@dataclass(frozen=True, slots=True)
class Fragment:
    """Part that is never split again; at most `FRAGMENT_MAX_CHARACTERS` characters with its header.

    Attributes:
        pages: its first and its last page; empty where the format has no pages.
        separator: text between it and the previous fragment, when both are in one chunk.
        header: the lines that part of a table needs above it in its chunk: caption and header rows; in a row with one
            line per cell, the cell that names the row; empty for all else.
        is_header: it is this header itself, in full.
        table: number of the table among the section's blocks, and of its row where that has one line per cell, else 0;
            None outside tables.
        opening: the text as first row of a chunk, with the labels that span it from rows above; empty for rows of a
            table without labels.
        is_heading: it is a heading.
        leads_on: a chunk does not end with it when something follows: a heading, or the line that introduces a list.
        is_last_item: a list or table is not cut before it.
        has_column_names: its table has a header row.
        is_unverified: text of an invisible layer over a picture.
        raw_values: numbers that its cells store with more digits than they show.
    """

    text: str
    pages: tuple[int, ...]
    separator: str
    header: str = ""
    table: tuple[int, int] | None = None
    opening: str = ""
    is_heading: bool = False
    leads_on: bool = False
    is_last_item: bool = False
    has_column_names: bool = True
    is_unverified: bool = False
    is_header: bool = False
    raw_values: tuple[str, ...] = ()


def join_up_to(parts: Sequence[str], max_characters: int) -> Iterator[str]:
    """Yield `parts` joined into strings of at most `max_characters` characters; a longer part is cut between words."""
    bundle = ""
    for short in (short for part in parts for short in _split_long_text(part, max_characters)):
        if len(bundle) + len(short) > max_characters:
            yield bundle
            bundle = ""
        bundle += short
    if bundle:
        yield bundle


def _split_long_text(text: str, max_characters: int) -> Iterator[str]:
    start = 0
    while len(text) - start > max_characters:
        # A cut in the first half would leave a part of less than half the size.
        space = text.rfind(" ", start + max_characters // 2, start + max_characters)
        end = space + 1 if space >= 0 else start + max_characters
        yield text[start:end]
        start = end
    yield text[start:]
