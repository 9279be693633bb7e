"""Pieces packed into chunks of about the target length."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.limits import SEGMENT_MAX_CHARACTERS, SEGMENT_TARGET_CHARACTERS
from groundwire.domain.passages.chunking.fragments import Fragment

_SHORT_CHUNK_CHARACTERS: Final = SEGMENT_MAX_CHARACTERS - SEGMENT_TARGET_CHARACTERS
"""A chunk this short says too little alone: it takes the next piece even beyond the target."""


@dataclass(slots=True)
class ChunkDraft:
    """A chunk in the making.

    Attributes:
        separator: what would join it to the chunk before.
        table: the table or spelled-out row whose header governs the end of the text.
    """

    separator: str
    text: str = ""
    pages: list[int] = field(default_factory=list[int])
    table: tuple[int, int] | None = None
    has_only_headings: bool = True

    @property
    def page_first(self) -> int | None:
        """First page of its pieces."""
        return min(self.pages, default=None)

    @property
    def page_last(self) -> int | None:
        """Last page of its pieces."""
        return max(self.pages, default=None)

    def text_with(self, fragment: Fragment) -> str:
        """The text as it would be with the piece added, its header put above it where that is missing."""
        text = fragment.text
        if fragment.header and self.table != fragment.table:
            text = f"{fragment.header}\n{text}"
        return f"{self.text}{fragment.separator}{text}" if self.text else text

    def add(self, fragment: Fragment) -> None:
        """The piece stands at the end."""
        self.text = self.text_with(fragment)
        self.table = fragment.table if fragment.header else None
        self.has_only_headings = self.has_only_headings and fragment.is_heading
        if fragment.page is not None:
            self.pages.append(fragment.page)


def pack_fragments(fragments: Sequence[Fragment]) -> list[ChunkDraft]:
    """The chunks of one section, in order."""
    drafts: list[ChunkDraft] = []
    for piece in fragments:
        if not drafts or not _fits(drafts[-1], piece):
            drafts.append(ChunkDraft(piece.separator))
        drafts[-1].add(piece)
    drafts = _merge_remainder(drafts)
    for draft in drafts:
        draft.text = draft.text.strip()
    return [draft for draft in drafts if draft.text]


def _fits(draft: ChunkDraft, piece: Fragment) -> bool:
    needs_company = draft.has_only_headings or len(draft.text) <= _SHORT_CHUNK_CHARACTERS
    limit = SEGMENT_MAX_CHARACTERS if needs_company else SEGMENT_TARGET_CHARACTERS
    return len(draft.text_with(piece)) <= limit


def _merge_remainder(drafts: list[ChunkDraft]) -> list[ChunkDraft]:
    """The end of a section joins the chunk before it where both fit the hard limit: what can stay whole does.

    Not where that would separate a row from its repeated header.
    """
    if len(drafts) < 2 or drafts[-1].table is not None:  # noqa: PLR2004
        return drafts
    before, last = drafts[-2:]
    joined = f"{before.text}{last.separator}{last.text}"
    if len(joined) > SEGMENT_MAX_CHARACTERS:
        return drafts
    merged = ChunkDraft(before.separator, joined, before.pages + last.pages, None, has_only_headings=False)
    return [*drafts[:-2], merged]
