"""Paragraphs, list items and code from lines in reading order."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.layout.lines import Line, overlap_in_width

_BULLET: Final = re.compile(r"[•◦▪▫‣●○■□☐☒☑➢➤✓✔✗❖◆◇►▶·∙\u2043\u2013—*-](?=\s|$)|[•●▪■➢☐☒☑](?=\S)")
_NUMBER: Final = re.compile(
    r"(?:\(?\d{1,3}[.)]|\(?[A-Za-z][.)]|\(?[ivxIVX]{1,6}[.)]|\[\d{1,3}\]|\d{1,3}(?:\.\d{1,3}){1,4}\.?|[①-⑳])(?=\s)"
)
_TERMINAL: Final = re.compile(r"[.!?:;。\uff01\uff1f…][\"'”\u2019)\]»]*$")
_SIZE_STEP: Final = 0.12
"""Maximum difference of the font sizes of one paragraph, as a share."""
_GAP_SHARE: Final = 1.3
"""Maximum distance of base lines in a paragraph, as a share of the usual one."""
_INDENT: Final = 0.8
"""Minimum indentation of a paragraph's first line, in font sizes."""
_LEADING_TOLERANCE: Final = 2.0
_WIDE_GAP: Final = 2.2
"""Maximum distance of base lines in a paragraph whose first line is full and ends no sentence, in font sizes."""
_FIT: Final = 0.3
"""Room besides the first word of the next line, in font sizes, that a line has left when it ends on purpose."""
_ALIGNED: Final = 3.0
"""Maximum distance, in points, of left edges below each other."""
_LONG_LINE: Final = 40
_PARAGRAPH_LINES: Final = 400
_MIN_BOLD_START: Final = 3


def marker_of(line: Line) -> str:
    """Return the mark or the number with which a list's item begins; empty without one."""
    found = _BULLET.match(line.text) or _NUMBER.match(line.text)
    return found[0] if found else ""


def ends_sentence(text: str) -> bool:
    """Return whether the text ends like a sentence."""
    return _TERMINAL.search(text[-8:]) is not None


def is_next_in_column(last: Line, line: Line) -> bool:
    """Return whether the line is below the other, in the same column of the same page."""
    return line.page == last.page and line.box.bottom > last.box.bottom and overlap_in_width(last.box, line.box) > 0


class ParagraphLines:
    """The lines of one paragraph or list item as they are collected."""

    def __init__(self, first: Line, right: float) -> None:
        """Take the first line, and the right edge of its column."""
        self.lines = [first]
        self.right = right
        self.marker = marker_of(first)

    def takes(self, line: Line, right: float, style: DocumentStyle) -> bool:
        """Return whether the line goes on with the paragraph."""
        last = self.lines[-1]
        if not self._may_take(line):
            return False
        if not is_next_in_column(last, line):
            return _continues_in_next_column(last, line, self.right)
        if line.box.bottom - last.box.bottom > self._gap_max(line, max(self.right, right), style):
            return False
        if line.is_bold != last.is_bold:
            return not ends_sentence(last.text) and not last.is_bold and line.text[:1].islower()
        return not self._starts_bold(line, last) and self._is_same_block(line, last, max(self.right, right))

    def _may_take(self, line: Line) -> bool:
        """Return whether the line is neither a row of a form, nor an item of a list, nor of another size."""
        last = self.lines[-1]
        if line.is_row or line.is_note or len(self.lines) >= _PARAGRAPH_LINES:
            return False
        if last.is_row and abs(line.box.left - last.part_left) > _ALIGNED:
            return False
        is_of_size = abs(line.size - last.size) <= _SIZE_STEP * max(line.size, last.size, 1.0)
        return is_of_size and not marker_starts_item(line, self.lines, self.marker)

    def _gap_max(self, line: Line, right: float, style: DocumentStyle) -> float:
        """Return the maximum distance of base lines within the paragraph."""
        last = self.lines[-1]
        usual = _GAP_SHARE * style.leading_of(last.size) + _LEADING_TOLERANCE / 2
        if len(self.lines) > 1:
            before = last.box.bottom - self.lines[-2].box.bottom
            return max(before + _LEADING_TOLERANCE, min(usual, before * _GAP_SHARE)) if before > 0 else usual
        if ends_sentence(last.text) or self._ends_early(line, last, right):
            return usual
        return max(usual, _WIDE_GAP * last.size)

    def _starts_bold(self, line: Line, last: Line) -> bool:
        return (
            line.bold_start >= _MIN_BOLD_START
            and not line.is_bold
            and last.bold_start == 0
            and ends_sentence(last.text)
        )

    def _is_same_block(self, line: Line, last: Line, right: float) -> bool:
        size = max(line.size, 1.0)
        first = self.lines[0]
        if self.marker and len(self.lines) == 1:
            return line.box.left >= first.box.left - size / 2 and not self._ends_early(line, last, right)
        indentation = line.box.left - last.box.left
        if len(self.lines) > 1 and abs(indentation) >= _INDENT * size and not _is_right_aligned(line, last):
            return False
        if len(self.lines) == 1 and indentation >= _INDENT * size and ends_sentence(last.text):
            return False
        return not self._ends_early(line, last, right)

    def _ends_early(self, line: Line, last: Line, right: float) -> bool:
        """Return whether the line before had room for the next one's first word, so that it ends on purpose."""
        size = max(last.size, 1.0)
        if _is_right_aligned(line, last):
            return (
                ends_sentence(last.text)
                and last.box.left - min(line.box.left, first_left(self.lines)) > line.first_width + size
            )
        room = right - last.box.right - line.first_width - _FIT * size
        if ends_sentence(last.text):
            return room > 0
        return room > _FIT * size * 5 and not line.text[:1].islower()

    def add(self, line: Line, right: float) -> None:
        """Add the line."""
        self.lines.append(line)
        self.right = max(self.right, right) if line.page == self.lines[0].page else right


def first_left(lines: Sequence[Line]) -> float:
    """Return the left edge of the lines."""
    return min(line.box.left for line in lines)


def marker_starts_item(line: Line, lines: Sequence[Line], marker: str) -> bool:
    """Return whether the line is a new item: it begins with a mark, and not in the middle of a sentence."""
    found = marker_of(line)
    if not found:
        return False
    if _BULLET.match(found):
        # A dash at the start of a line can be one within a sentence.
        is_dash = found in "\u2013—-*"
        return not is_dash or bool(marker) or ends_sentence(lines[-1].text) or line.box.left != lines[-1].box.left
    if lines[-1].text[-2:-1].isdigit() and lines[-1].text.endswith(".") and found[0].isdigit():
        return False
    if marker and not _BULLET.match(marker):
        return True
    return ends_sentence(lines[-1].text) or abs(line.box.left - lines[-1].box.left) > line.size / 2


def _is_right_aligned(line: Line, last: Line) -> bool:
    """Return whether the text is written from the right."""
    return any("\u0590" <= character <= "\u08ff" for character in last.text[:3] + line.text[:3])


def _continues_in_next_column(last: Line, line: Line, right: float) -> bool:
    """Return whether a paragraph goes on in the next column or on the next page."""
    if line.page not in (last.page, last.page + 1) or last.is_bold != line.is_bold or ends_sentence(last.text):
        return False
    is_full = last.box.right >= right - 3 * last.size or (line.page > last.page and len(last.text) >= _LONG_LINE)
    first = line.text[:1]
    return last.text.endswith(("-", "\u00ad", ",")) or (is_full and (first.islower() or "\u3040" <= first <= "\ud7a3"))
