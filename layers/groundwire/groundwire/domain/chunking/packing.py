"""Pieces packed into chunks of about the target length."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.chunking.pieces import Piece
from groundwire.domain.limits import SEGMENT_MAX_CHARACTERS, SEGMENT_TARGET_CHARACTERS

_SMALL: Final = SEGMENT_MAX_CHARACTERS - SEGMENT_TARGET_CHARACTERS
"""A chunk this short says too little alone: it takes the next piece even beyond the target."""


@dataclass(slots=True)
class Draft:
    """A chunk in the making.

    Attributes:
        separator: what would join it to the chunk before.
        table: the table or spelled-out row whose header governs the end of the text.
    """

    separator: str
    text: str = ""
    pages: list[int] = field(default_factory=list[int])
    table: tuple[int, int] | None = None
    only_headings: bool = True

    @property
    def page_first(self) -> int | None:
        """First page of its pieces."""
        return min(self.pages, default=None)

    @property
    def page_last(self) -> int | None:
        """Last page of its pieces."""
        return max(self.pages, default=None)

    def with_piece(self, piece: Piece) -> str:
        """The text as it would be with the piece added, its header put above it where that is missing."""
        text = piece.text
        if piece.header and self.table != piece.table:
            text = f"{piece.header}\n{text}"
        return f"{self.text}{piece.separator}{text}" if self.text else text

    def add(self, piece: Piece) -> None:
        """The piece stands at the end."""
        self.text = self.with_piece(piece)
        self.table = piece.table if piece.header else None
        self.only_headings = self.only_headings and piece.is_heading
        if piece.page is not None:
            self.pages.append(piece.page)


def pack(pieces: Sequence[Piece]) -> list[Draft]:
    """The chunks of one section, in order."""
    drafts: list[Draft] = []
    for piece in pieces:
        if not drafts or not _fits(drafts[-1], piece):
            drafts.append(Draft(piece.separator))
        drafts[-1].add(piece)
    drafts = _with_leftover_merged(drafts)
    for draft in drafts:
        draft.text = draft.text.strip()
    return [draft for draft in drafts if draft.text]


def _fits(draft: Draft, piece: Piece) -> bool:
    needs_company = draft.only_headings or len(draft.text) <= _SMALL
    limit = SEGMENT_MAX_CHARACTERS if needs_company else SEGMENT_TARGET_CHARACTERS
    return len(draft.with_piece(piece)) <= limit


def _with_leftover_merged(drafts: list[Draft]) -> list[Draft]:
    """The end of a section joins the chunk before it where both fit the hard limit: what can stay whole does.

    Not where that would separate a row from its repeated header.
    """
    if len(drafts) < 2 or drafts[-1].table is not None:  # noqa: PLR2004
        return drafts
    before, last = drafts[-2:]
    joined = f"{before.text}{last.separator}{last.text}"
    if len(joined) > SEGMENT_MAX_CHARACTERS:
        return drafts
    merged = Draft(before.separator, joined, before.pages + last.pages, None, only_headings=False)
    return [*drafts[:-2], merged]
