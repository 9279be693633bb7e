"""Readings of a document, as they are compared: text, tables, headings, title."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.domain.documents.segment import Chunk

TableRows = Sequence[Sequence[str]]
"""The cells of a table, row by row."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Output of one reader for one file.

    Attributes:
        text: all of it, in order; a row of a table is a line.
        passages: those with pages; none of a reader that gives Markdown.
        seconds: what the reading took, without the start of the program.
    """

    text: str
    tables: Sequence[TableRows]
    headings: Sequence[str]
    title: str | None
    passages: Sequence[Chunk] = ()
    seconds: float = 0.0


class UnreadableFile(Exception):
    """A reader did not read a file; the message is its reason, on one line."""
