"""Packing of fragments into chunks of about the target length."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.limits import SEGMENT_MAX_CHARACTERS, SEGMENT_TARGET_CHARACTERS
from groundwire.domain.passages.chunking.fragments import Fragment

_SHORT_CHUNK_CHARACTERS: Final = SEGMENT_MAX_CHARACTERS - SEGMENT_TARGET_CHARACTERS
"""Length up to which a chunk is too short on its own: it takes the next fragment even beyond the target."""

_MAX_RAW_VALUES: Final = 300
"""Raw values of a chunk: a row of a workbook may have thousands of empty-looking cells."""


@dataclass(slots=True)
class ChunkDraft:
    """Chunk under construction.

    Attributes:
        separator: text that would join it to the previous chunk.
        table: the table, or row with one line per cell, whose header applies at the end of the text.
    """

    separator: str
    text: str = ""
    fragments: list[Fragment] = field(default_factory=list[Fragment])
    table: tuple[int, int] | None = None

    @property
    def pages(self) -> list[int]:
        """Pages of its fragments."""
        return [page for fragment in self.fragments for page in fragment.pages]

    @property
    def has_column_names(self) -> bool:
        """Return whether its first table has a header row; True without a table."""
        return next((each.has_column_names for each in self.fragments if each.table is not None), True)

    @property
    def is_unverified(self) -> bool:
        """Return whether some of its text is an invisible layer over a picture."""
        return any(fragment.is_unverified for fragment in self.fragments)

    @property
    def raw_values(self) -> tuple[str, ...]:
        """Numbers that cells of its rows store with more digits than they show, each once."""
        values = dict.fromkeys(value for fragment in self.fragments for value in fragment.raw_values)
        return tuple(values)[:_MAX_RAW_VALUES]

    @property
    def has_only_headings(self) -> bool:
        """Return whether nothing but headings is in it."""
        return all(fragment.is_heading for fragment in self.fragments)

    @property
    def page_first(self) -> int | None:
        """First page of its fragments."""
        return min(self.pages, default=None)

    @property
    def page_last(self) -> int | None:
        """Last page of its fragments."""
        return max(self.pages, default=None)

    def text_with(self, fragment: Fragment) -> str:
        """Return the text with the fragment added, with its header and labels where those are missing."""
        text = fragment.text
        if self.table != fragment.table and not fragment.is_header:
            text = fragment.opening or text
            text = f"{fragment.header}\n{text}" if fragment.header else text
        return f"{self.text}{fragment.separator}{text}" if self.text else text

    def add(self, fragment: Fragment) -> None:
        """Append the fragment."""
        self.text = self.text_with(fragment)
        has_labels = fragment.header or fragment.opening or fragment.is_header
        self.table = fragment.table if has_labels else None
        self.fragments.append(fragment)

    def take_introduction(self, following: Fragment) -> list[Fragment]:
        """Remove and return the last fragments that lead on to the following one, if a chunk has room for them."""
        kept = list(self.fragments)
        while kept and kept[-1].leads_on:
            kept.pop()
        taken = self.fragments[len(kept) :]
        length = sum(len(each.separator) + len(each.text) for each in [*taken, following]) + len(following.header)
        if not kept or not taken or length > SEGMENT_MAX_CHARACTERS:
            return []
        self.text, self.table, self.fragments = "", None, []
        for each in kept:
            self.add(each)
        return taken


def pack_fragments(fragments: Sequence[Fragment]) -> list[ChunkDraft]:
    """Pack the fragments of one section into chunks, in order."""
    drafts: list[ChunkDraft] = []
    for fragment in fragments:
        if not drafts or not _fits(drafts[-1], fragment):
            started = [*(drafts[-1].take_introduction(fragment) if drafts else []), fragment]
            drafts.append(ChunkDraft(started[0].separator))
            for each in started[:-1]:
                drafts[-1].add(each)
        drafts[-1].add(fragment)
    drafts = _merge_remainder(drafts)
    for draft in drafts:
        # A header's row may begin with an empty cell.
        draft.text = draft.text.lstrip("\n").rstrip()
    return [draft for draft in drafts if draft.text]


def _fits(draft: ChunkDraft, fragment: Fragment) -> bool:
    is_too_short_alone = draft.has_only_headings or len(draft.text) <= _SHORT_CHUNK_CHARACTERS
    # A last item alone in the next chunk would lose the list to which it belongs.
    limit = SEGMENT_MAX_CHARACTERS if is_too_short_alone or fragment.is_last_item else SEGMENT_TARGET_CHARACTERS
    return len(draft.text_with(fragment)) <= limit


def _merge_remainder(drafts: list[ChunkDraft]) -> list[ChunkDraft]:
    """Merge the last chunk of a section into the one before it where both fit the hard limit.

    Rows of a table join only rows of the same one, whose labels then are not repeated.
    """
    if len(drafts) < 2:  # noqa: PLR2004
        return drafts
    before, last = drafts[-2:]
    if last.table is not None and before.table != last.table:
        return drafts
    merged = ChunkDraft(before.separator)
    for each in before.fragments + last.fragments:
        merged.add(each)
    return [*drafts[:-2], merged] if len(merged.text) <= SEGMENT_MAX_CHARACTERS else drafts
