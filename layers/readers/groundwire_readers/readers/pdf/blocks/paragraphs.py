"""Grouping of lines in reading order into paragraphs and list items."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.layout.lines import Line, overlap_in_width
from groundwire_readers.readers.pdf.text_layer.line_ends import is_broken

_BULLET: Final = re.compile(r"[•◦▪▫‣●○■□☐☒☑➢➤✓✔✗❖◆◇►▶·∙\u2043\u2013—*-](?=\s|$)|[•●▪■➢☐☒☑](?=\S)|\[[ x]\](?=\s)")
_NUMBER: Final = re.compile(
    r"(?:\(?\d{1,3}[.)]|\(?[A-Za-z][.)]|\(?[ivxIVX]{1,6}[.)]|\[\d{1,3}\]|\d{1,3}(?:\.\d{1,3}){1,4}\.?|[①-⑳])(?=\s)"
)
_SENTENCE_END: Final = re.compile(r"[.!?:;。\uff01\uff1f…][\"'”\u2019)\]»]*$")
_LEADER_TO_VALUE: Final = re.compile(r"(?:[.·…]\s?){4}\s*\S{1,12}(?:\s\S{1,4})?$")
"""End of a line of a price list: a leader of dots, and the figure."""
_MAX_SIZE_DIFFERENCE: Final = 0.12
"""Maximum relative difference of the font sizes of one paragraph."""
_MAX_LEADING_RATIO: Final = 1.3
"""Maximum baseline distance within a paragraph, as a ratio to the document's leading."""
_MIN_INDENTATION: Final = 0.8
"""Minimum indentation of the first line of a paragraph, in font sizes."""
_LEADING_TOLERANCE: Final = 2.0
"""Tolerance of baseline distances, in points."""
_MAX_FIRST_LINE_DISTANCE: Final = 2.2
"""Maximum baseline distance after a first line that is full and ends no sentence, in font sizes."""
_FREE_SPACE: Final = 0.3
"""Free space beyond the width of the next word at which a line ended early on purpose, in font sizes."""
_ALIGNMENT_TOLERANCE: Final = 3.0
"""Maximum difference of two aligned left edges, in points."""
_LONG_LINE: Final = 40
"""Length from which the last line of a page is taken as full, in characters."""
_MAX_LINES: Final = 400
"""Maximum number of lines of one paragraph."""
_MIN_BOLD_START: Final = 3
"""Number of bold characters at the start of a line that are a run-in heading."""


def marker_of(line: Line) -> str:
    """Return the bullet or number at the start of a list item; empty for other lines."""
    match = _BULLET.match(line.text) or _NUMBER.match(line.text)
    return match[0] if match else ""


def ends_sentence(text: str) -> bool:
    """Return whether the text ends with a sentence's punctuation."""
    return _SENTENCE_END.search(text[-8:]) is not None


def is_next_in_column(last: Line, line: Line) -> bool:
    """Return whether `line` is below `last` in the same column of the same page."""
    return line.page == last.page and line.box.bottom > last.box.bottom and overlap_in_width(last.box, line.box) > 0


class ParagraphLines:
    """Lines of one paragraph or list item, collected in reading order."""

    def __init__(self, first: Line, right: float) -> None:
        """Start with the first line; `right` is the right edge of its column."""
        self.lines = [first]
        self.right = right
        self.marker = marker_of(first)

    def accepts(self, line: Line, right: float, style: DocumentStyle) -> bool:
        """Return whether the line continues the paragraph."""
        last = self.lines[-1]
        if not self._may_continue(line):
            return False
        if not is_next_in_column(last, line):
            return _continues_in_next_column(last, line, self.right)
        if line.box.bottom - last.box.bottom > self._max_distance(line, max(self.right, right), style):
            return False
        if line.is_bold != last.is_bold:
            return not ends_sentence(last.text) and not last.is_bold and line.text[:1].islower()
        return not self._starts_run_in_heading(line, last) and self._is_aligned(line, last, max(self.right, right))

    def _may_continue(self, line: Line) -> bool:
        """Return whether the line is no form row, footnote or list item, and has the paragraph's font size."""
        last = self.lines[-1]
        if line.is_row or line.is_note or len(self.lines) >= _MAX_LINES or _LEADER_TO_VALUE.search(last.text[-40:]):
            return False
        if last.is_row and abs(line.box.left - last.part_left) > _ALIGNMENT_TOLERANCE:
            return False
        is_of_size = abs(line.size - last.size) <= _MAX_SIZE_DIFFERENCE * max(line.size, last.size, 1.0)
        return is_of_size and not marker_starts_item(line, self.lines, self.marker)

    def _max_distance(self, line: Line, right: float, style: DocumentStyle) -> float:
        """Return the maximum baseline distance between the last line and the next one."""
        last = self.lines[-1]
        from_leading = _MAX_LEADING_RATIO * style.leading_of(last.size) + _LEADING_TOLERANCE / 2
        if len(self.lines) > 1:
            previous_distance = last.box.bottom - self.lines[-2].box.bottom
            return (
                max(previous_distance + _LEADING_TOLERANCE, min(from_leading, previous_distance * _MAX_LEADING_RATIO))
                if previous_distance > 0
                else from_leading
            )
        if ends_sentence(last.text) or self._ends_early(line, last, right):
            return from_leading
        return max(from_leading, _MAX_FIRST_LINE_DISTANCE * last.size)

    def _starts_run_in_heading(self, line: Line, last: Line) -> bool:
        """Return whether a run-in heading in bold starts a new paragraph at the line."""
        return (
            line.bold_start >= _MIN_BOLD_START
            and not line.is_bold
            and last.bold_start == 0
            and ends_sentence(last.text)
        )

    def _is_aligned(self, line: Line, last: Line, right: float) -> bool:
        """Return whether neither indentation nor an early line end separates the line from the paragraph."""
        size = max(line.size, 1.0)
        first = self.lines[0]
        if self.marker and len(self.lines) == 1:
            return line.box.left >= first.box.left - size / 2 and not self._ends_early(line, last, right)
        indentation = line.box.left - last.box.left
        if (
            len(self.lines) > 1
            and abs(indentation) >= _MIN_INDENTATION * size
            and not (line.is_right_to_left or last.is_right_to_left)
        ):
            return False
        if len(self.lines) == 1 and indentation >= _MIN_INDENTATION * size and ends_sentence(last.text):
            return False
        return not self._ends_early(line, last, right)

    def _ends_early(self, line: Line, last: Line, right: float) -> bool:
        """Return whether the next word would have fit on the last line, so that the line break ends a paragraph."""
        if is_broken(last.text):
            return False
        size = max(last.size, 1.0)
        if line.is_right_to_left or last.is_right_to_left:
            return (
                ends_sentence(last.text)
                and last.box.left - min(line.box.left, leftmost_edge(self.lines)) > line.first_width + size
            )
        free = right - last.box.right - line.first_width - _FREE_SPACE * size
        if ends_sentence(last.text):
            return free > 0
        return free > _FREE_SPACE * size * 5 and not line.text[:1].islower()

    def add(self, line: Line, right: float) -> None:
        """Add the line."""
        self.lines.append(line)
        self.right = max(self.right, right) if line.page == self.lines[0].page else right


def leftmost_edge(lines: Sequence[Line]) -> float:
    """Return the leftmost edge of the lines."""
    return min(line.box.left for line in lines)


def marker_starts_item(line: Line, lines: Sequence[Line], marker: str) -> bool:
    """Return whether the line starts a new list item: it has a marker, and the sentence before it has ended."""
    own_marker = marker_of(line)
    if not own_marker or is_broken(lines[-1].text):
        return False
    if _BULLET.match(own_marker):
        # A dash at the start of a line may belong to the sentence.
        is_dash = own_marker in "\u2013—-*"
        return not is_dash or bool(marker) or ends_sentence(lines[-1].text) or line.box.left != lines[-1].box.left
    if lines[-1].text[-2:-1].isdigit() and lines[-1].text.endswith(".") and own_marker[0].isdigit():
        return False
    if marker and not _BULLET.match(marker):
        return True
    return ends_sentence(lines[-1].text) or abs(line.box.left - lines[-1].box.left) > line.size / 2


def _continues_in_next_column(last: Line, line: Line, right: float) -> bool:
    """Return whether the paragraph continues at the top of the next column or page."""
    if line.page not in (last.page, last.page + 1) or last.is_bold != line.is_bold or ends_sentence(last.text):
        return False
    is_full = last.box.right >= right - 3 * last.size or (line.page > last.page and len(last.text) >= _LONG_LINE)
    first = line.text[:1]
    return (
        is_broken(last.text)
        or last.text.endswith(",")
        or (is_full and (first.islower() or "\u3040" <= first <= "\ud7a3"))
    )
