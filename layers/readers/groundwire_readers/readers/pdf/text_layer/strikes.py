"""Search for the rules that strike text: thin lines through the middle of letters, which begin and end with them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord

_MAX_THICKNESS: Final = 0.15
"""Maximum thickness of the line, as a share of the height of the letters."""
_HIGHEST, _LOWEST = 0.35, 0.7
"""Range of the line's place, as shares of that height from the top: a line below the letters underlines them."""
_MIN_COVERED_SHARE: Final = 0.7
"""Minimum share of the line that is on letters: rules of tables reach into the space beside them."""
_MAX_EXCESS: Final = 0.25
"""Maximum length of each end of the line beside the letters, as a share of their height."""
_ROW_HEIGHT: Final = 4.0
"""Height of the rows by which words are found, in points."""
_MAX_ROWS: Final = 5
"""Number of rows above and below a line that are searched for words: taller letters are a drawing."""
_MAX_COMPARISONS: Final = 1_000_000
"""Maximum number of comparisons of lines with words on a page; beyond it, no text is struck."""


class Strikes:
    """Rules that strike text: those on one height that touch each other are one."""

    def __init__(self, rules: Iterable[PageBox] = ()) -> None:
        """Take the rules."""
        self._rows: defaultdict[int, list[PageBox]] = defaultdict(list)
        for rule in sorted(rules, key=lambda rule: rule.left):
            row = self._rows[_row_of((rule.top + rule.bottom) / 2)]
            if row and rule.left <= row[-1].right:
                row[-1] = replace(row[-1], right=max(row[-1].right, rule.right))
            else:
                row.append(rule)

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self._rows)

    def has(self, box: PageBox) -> bool:
        """Return whether one of them goes through the middle of a letter's box."""
        x = (box.left + box.right) / 2
        for row in _rows_at((box.top + box.bottom) / 2) if self._rows else ():
            rules = self._rows.get(row, ())
            place = bisect_right(rules, x, key=lambda rule: rule.left) - 1
            if place >= 0 and x <= rules[place].right and _is_in_middle(rules[place], box):
                return True
        return False


def strikes_of(words: Iterable[PageWord], rules: Iterable[PageBox]) -> Strikes:
    """Return the rules that strike words."""
    rows: defaultdict[int, list[tuple[float, int, PageBox]]] = defaultdict(list)
    for number, word in enumerate(words):
        if word.angle == 0 and any(map(str.isalnum, word.text)):
            rows[_row_of((word.box.top + word.box.bottom) / 2)].append((word.box.left, number, word.box))
    for row in rows.values():
        row.sort()
    strikes: list[PageBox] = []
    comparisons = 0
    for rule in dict.fromkeys(rules):
        if rule.right - rule.left > rule.bottom - rule.top:
            boxes = [*_boxes_at(rule, rows)]
            comparisons += len(boxes) + 1
            if comparisons > _MAX_COMPARISONS:
                return Strikes()
            if _strikes(rule, boxes):
                strikes.append(rule)
    return Strikes(strikes)


def _row_of(height: float) -> int:
    return int(height // _ROW_HEIGHT)


def _rows_at(height: float) -> range:
    return range(_row_of(height) - _MAX_ROWS, _row_of(height) + _MAX_ROWS + 1)


def _boxes_at(rule: PageBox, rows: dict[int, list[tuple[float, int, PageBox]]]) -> Iterator[PageBox]:
    """Yield the boxes of the words on the height of the rule that it touches."""
    for row in _rows_at((rule.top + rule.bottom) / 2):
        words = rows.get(row, ())
        place = bisect_left(words, rule.left, key=lambda item: item[0])
        # A word that begins before the rule may reach into it.
        for left, _, box in islice(words, max(place - 1, 0), None):
            if left >= rule.right:
                break
            if box.right > rule.left and _is_in_middle(rule, box):
                yield box


def _is_in_middle(rule: PageBox, box: PageBox) -> bool:
    """Return whether the rule is thin and on the height of the letters' middle."""
    height = box.bottom - box.top
    share = ((rule.top + rule.bottom) / 2 - box.top) / max(height, 1.0)
    return _HIGHEST <= share <= _LOWEST and rule.bottom - rule.top <= _MAX_THICKNESS * height


def _strikes(rule: PageBox, boxes: Sequence[PageBox]) -> bool:
    if not boxes:
        return False
    covered = sum(min(box.right, rule.right) - max(box.left, rule.left) for box in boxes)
    excess = _MAX_EXCESS * max(box.bottom - box.top for box in boxes)
    is_within = (
        min(box.left for box in boxes) - excess <= rule.left <= rule.right <= excess + max(box.right for box in boxes)
    )
    return is_within and covered >= _MIN_COVERED_SHARE * (rule.right - rule.left)
