"""Regions of a page whose lines have parts in columns: candidates for tables without a grid of rules."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageWord
from groundwire_readers.readers.pdf.tables.visual_lines import LIST_MARK, Part, VisualLine

_LINE_GAP: Final = 2.2
"""Maximum distance of two lines of a table, in font sizes; a wider one that is not its usual one ends it."""
_LABEL_LINES: Final = 4
"""Maximum number of lines without columns in a row: a label on several lines, or labels of parts."""
_LABEL_WORDS: Final = 16
"""Maximum number of words of a line without columns that is a label."""
_LARGER: Final = 1.25
"""Font size, of the table's, from which a line is a heading."""
_LABEL_SHARE: Final = 0.3
"""Share of a table's width that its labels take at least."""
_NAME_LINES: Final = 3
"""Maximum number of lines above a table's first line with columns that name its columns of values."""
_JUSTIFIED_WORDS: Final = 4
_SAME_GAP: Final = 0.15
"""Maximum difference of the blanks of one justified line, in font sizes."""
_SENTENCE_GAP: Final = 1.5
"""Maximum blank after a sentence of a justified line, in font sizes."""
_LAST_WORD: Final = re.compile(r"[^\W\d]{2,}[.?!]$")
_HEADING_NUMBER: Final = re.compile(
    r"(?:(?:Item|Section|Article|Chapter|Part|Note|Appendix|Annex)\s+)?[0-9A-Z]{1,4}(?:\.\d+)*[.:]?", re.IGNORECASE
)
_MIN_LINES: Final = 2
_MONOSPACED_SHARE: Final = 0.8


def table_regions(lines: Sequence[VisualLine]) -> Iterator[tuple[int, int]]:
    """Yield the first line and the end of each region, in order; the regions do not overlap."""
    start = before = 0
    while start < len(lines):
        if not _has_columns(lines[start]) or _is_heading(lines, start):
            start += 1
            continue
        end = _end_of_region(lines, start)
        if sum(_has_columns(line) for line in lines[start:end]) >= _MIN_LINES and not _is_code(lines[start:end]):
            yield _with_names_above(lines, start, end, before), end
            before = end
        start = max(end, start + 1)


def _with_names_above(lines: Sequence[VisualLine], start: int, end: int, lowest: int) -> int:
    """Return the start with the lines of one part in the middle above the columns of values."""
    tabular = [line for line in lines[start:end] if _has_columns(line)]
    left, right = min(line.left for line in tabular), max(line.right for line in tabular)
    values = [part for line in tabular for part in line.parts if part.left > left + _LABEL_SHARE * (right - left)]
    first = max(lowest, start - _NAME_LINES)
    for position in range(start - 1, first - 1, -1):
        if not values or not _names(lines[position], lines[position + 1], (left, right), values):
            return position + 1
    return first


def _names(line: VisualLine, below: VisualLine, span: tuple[float, float], values: Sequence[Part]) -> bool:
    """Return whether the line is above the columns of values, nearer to their middle than to the table's."""
    if len(line.parts) != 1 or below.top - line.bottom > line.size or line.size > _LARGER * below.size:
        return False
    left = min(part.left for part in values)
    middle, of_values = (line.left + line.right) / 2, (left + max(part.right for part in values)) / 2
    is_beside_labels = line.left > span[0] + _LABEL_SHARE * (span[1] - span[0]) and line.right <= span[1] + line.size
    return is_beside_labels and abs(middle - of_values) < abs(middle - (span[0] + span[1]) / 2)


def _is_heading(lines: Sequence[VisualLine], position: int) -> bool:
    """Return whether a line is a heading whose number has a place of its own: no line with columns follows it."""
    parts = lines[position].parts
    if len(parts) != 2 or not _HEADING_NUMBER.fullmatch(parts[0].text) or parts[1].is_value:  # noqa: PLR2004
        return False
    return position + 1 == len(lines) or not _has_columns(lines[position + 1])


def _has_columns(line: VisualLine) -> bool:
    return len(line.parts) > 1 and not _is_justified(line)


def _is_justified(line: VisualLine) -> bool:
    """Return whether the line is prose drawn apart to its full width: blanks of one width between unlike words.

    The blank after a list's mark, and the wider one after a sentence, are of another width.
    """
    words = [*line.words]
    pairs = [*pairwise(words)]
    if LIST_MARK.fullmatch(words[0].text):
        pairs = pairs[1:]
    gaps = [right.box.left - left.box.right for left, right in pairs if not _ends_sentence(left, right, line.size)]
    widths = [word.box.right - word.box.left for word in words]
    if len(gaps) < _JUSTIFIED_WORDS - 1:
        return False
    return max(gaps) - min(gaps) <= _SAME_GAP * line.size and max(widths) - min(widths) >= line.size


def _ends_sentence(left: PageWord, right: PageWord, size: float) -> bool:
    is_near = right.box.left - left.box.right <= _SENTENCE_GAP * size
    return is_near and _LAST_WORD.search(left.text) is not None and right.text[:1].isupper()


def _end_of_region(lines: Sequence[VisualLine], start: int) -> int:
    """Return the position after the last line with columns that belongs to the region."""
    size = lines[start].size
    left, right = lines[start].left, lines[start].right
    has_data = False
    gaps: list[float] = []
    end, labels = start + 1, 0
    for position in range(start + 1, len(lines)):
        line, before = lines[position], lines[position - 1]
        gap = line.top - before.bottom
        # Of the last lines alone: the median of all would cost quadratic time on a long page.
        usual = median(gaps[-9:]) if gaps else 0.0
        following = next((each for each in lines[position + 1 : position + _LABEL_LINES] if _has_columns(each)), None)
        limit = max(size, following.size) if following is not None and not _has_columns(line) else _LARGER * size
        if gap > max(_LINE_GAP * size, 2 * usual) or line.size > _LARGER * limit:
            break
        gaps.append(max(gap, 0.0))
        if _has_columns(line):
            if labels and has_data and line.left > left + _LABEL_SHARE * (right - left):
                # Names of columns again: the labels before them introduce another table.
                break
            end, labels, size = position + 1, 0, max(size, line.size)
            left, right = min(left, line.left), max(right, line.right)
            has_data = has_data or any(part.is_value for part in line.parts[1:])
            continue
        labels += 1
        if labels > _LABEL_LINES or following is None or not _is_label(line, following, left, right):
            break
    return end


def _is_label(line: VisualLine, following: VisualLine, left: float, right: float) -> bool:
    """Return whether a line without columns may be a label: short, and ending before the last column."""
    width = max(right, following.right) - min(left, following.left)
    is_before_last = line.right < following.parts[-1].left
    return len(line.parts[0].words) <= _LABEL_WORDS and (is_before_last or line.right - line.left < 0.8 * width)


def _is_code(lines: Sequence[VisualLine]) -> bool:
    words = [word for line in lines for word in line.words]
    return sum(word.is_monospaced for word in words) >= _MONOSPACED_SHARE * len(words)
