"""Marks on the picture of a page: the lines where the words of a passage are.

The text of a passage differs from that of its page: words are joined at line ends, cells become a table, and space is
normalised. So only runs of letters and digits are compared, whatever is between them. The places come from the page
itself, so that a passage of any release has marks.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.parsed import WordBox

_RUN: Final = 16
"""Letters and digits that a run of the page shares with the passage: fewer occur in many places of a page."""
_MIN_COVERED: Final = 0.5
"""Share of the characters of a word that such runs must have."""
_MAX_GAP: Final = 200
"""Distance of two words of one line, in parts of the page's width."""
MAX_MARKS: Final = 300
"""Marks of a picture: lines and cells of a dense page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Rectangle on a page, in parts of `PAGE_PARTS` of its width and height."""

    left: int
    top: int
    right: int
    bottom: int


def marks_of(passage: str, words: Sequence[WordBox]) -> list[Mark]:
    """Return the marks of a passage on a page with these words; none where the page does not have its text.

    The time is linear in the lengths of both texts.
    """
    wanted = _characters(passage)
    texts = [_characters(word.text) for word in words]
    page = "".join(texts)
    length = min(_RUN, len(wanted), len(page))
    if not length:
        return []
    runs = {wanted[start : start + length] for start in range(len(wanted) - length + 1)}
    covered = bytearray(len(page))
    for start in range(len(page) - length + 1):
        if page[start : start + length] in runs:
            covered[start : start + length] = b"\x01" * length
    found: list[WordBox] = []
    start = 0
    for word, text in zip(words, texts, strict=True):
        end = start + len(text)
        if text and sum(covered[start:end]) >= _MIN_COVERED * len(text):
            found.append(word)
        start = end
    return list(_joined(found))[:MAX_MARKS]


def _characters(text: str) -> str:
    """Return the letters and digits without their case and form."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _joined(words: Sequence[WordBox]) -> Iterator[Mark]:
    """Yield a mark for the neighbouring words of each line."""
    mark: Mark | None = None
    for word in words:
        if mark is not None and _is_neighbour(mark, word):
            mark = Mark(
                min(mark.left, word.left),
                min(mark.top, word.top),
                max(mark.right, word.right),
                max(mark.bottom, word.bottom),
            )
            continue
        if mark is not None:
            yield mark
        mark = Mark(word.left, word.top, word.right, word.bottom)
    if mark is not None:
        yield mark


def _is_neighbour(mark: Mark, word: WordBox) -> bool:
    """Return whether the word is beside the mark, at the height of more than half of the lower of the two."""
    overlap = min(mark.bottom, word.bottom) - max(mark.top, word.top)
    gap = max(word.left - mark.right, mark.left - word.right)
    return gap <= _MAX_GAP and 2 * overlap > min(mark.bottom - mark.top, word.bottom - word.top)
