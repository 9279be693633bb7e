"""Logical order of a line of which the visual order is known: the Unicode Bidirectional Algorithm (UAX #9), reversed.

Several logical lines can look alike. Of these, the result is the one whose left-to-right parts are whole.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_CLASSES: Final = {"L": "L", "R": "R", "AL": "B", "EN": "E", "AN": "A", "ES": "S", "CS": "C", "ET": "T"}
"""One letter for each bidirectional class that matters here; the others are neutral."""
_NEUTRAL: Final = "N"
_STRONG: Final = re.compile("[LRB]")
_RIGHT_TO_LEFT: Final = re.compile("[RB](?:[^L]*[RB])?")
_STRETCH: Final = re.compile("[^RB]+")
"""Characters between two right-to-left letters."""
_NUMBER: Final = re.compile("T*E+(?:[SC]E+)*T*|A+(?:CA+)*")
"""A number after a Hebrew letter, with its signs (rules W4 and W5)."""
_ARABIC_NUMBER: Final = re.compile("(?:E|A)+(?:C[EA]+)*")
"""A number after an Arabic letter, where signs and hyphens are neutral (rule W2)."""
_SEEN_WHOLE: Final = re.compile(
    r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)|\+\d+(?:-\d+)*|\d+(?:[.,]\d+)*%|(?<![\d-])(\d+)-(\d+)(?![\d-])"
)
"""Dates, telephone numbers, percentages and ranges, which Arabic text also has in the order of other scripts."""
_BRACKETS: Final = dict(zip("([{<«‹", ")]}>»›", strict=True))  # noqa: RUF001 - quotation marks
MIRRORED: Final = _BRACKETS | {closing: opening for opening, closing in _BRACKETS.items()}

_Unit = tuple[int, int]
"""Start and end of characters that are read from left to right."""


def logical_order(text: str, *, is_right_to_left: bool) -> list[tuple[int, str]]:
    """Return place and character of each character of a line in logical order.

    Args:
        text: the line's characters from left to right.
        is_right_to_left: direction of its paragraph.
    """
    line = _VisualLine(text)
    if is_right_to_left:
        return list(line.reversed(0, len(text)))
    ordered: list[tuple[int, str]] = []
    place = 0
    for stretch in _RIGHT_TO_LEFT.finditer(line.kinds):
        start, end = line.with_brackets(*stretch.span(), place, len(text))
        ordered += ((index, line.shapes[index]) for index in range(place, start))
        ordered += line.reversed(start, end)
        place = end
    return [*ordered, *((index, line.shapes[index]) for index in range(place, len(text)))]


class _VisualLine:
    """Characters from left to right, with the class of each.

    Attributes:
        kinds: letters of `_CLASSES`.
        shapes: the characters, with brackets as they look.
    """

    def __init__(self, text: str) -> None:
        self.kinds = "".join(_CLASSES.get(unicodedata.bidirectional(each), _NEUTRAL) for each in text)
        self.shapes = list(text)
        self._closing: dict[int, int] = {}
        for opening, closing in _BRACKETS.items():
            places = [place for place, each in enumerate(text) if each in (opening, closing)]
            pairs = _nested(text, places, opening) or _nested(text, places, closing) or _adjacent(text, places)
            self._closing |= pairs
            for first, last in pairs.items():
                self.shapes[first], self.shapes[last] = opening, closing
        self._opening = {closing: place for place, closing in self._closing.items()}

    def reversed(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the characters from right to left, except those of left-to-right units."""
        place = end
        # The last unit is empty, so that the characters before the first one are yielded too.
        for first, last in [*reversed(list(self._units(start, end))), (start, start)]:
            for index in range(place - 1, last - 1, -1):
                yield index, MIRRORED.get(self.shapes[index], self.shapes[index])
            yield from ((index, self.shapes[index]) for index in range(first, last))
            place = first

    def _units(self, start: int, end: int) -> Iterator[_Unit]:
        for stretch in _STRETCH.finditer(self.kinds, start, end):
            first, last = stretch.span()
            if "L" not in stretch[0]:
                yield from self._numbers(first, last)
                continue
            unit = self.with_brackets(*self._words(first, last), first, last)
            yield from self._numbers(first, unit[0])
            yield unit
            yield from self._numbers(unit[1], last)

    def _words(self, start: int, end: int) -> _Unit:
        """Return the words of another script, with the numbers beside them, which have their direction (rule W7)."""
        first, last = self.kinds.index("L", start), self.kinds.rindex("L", start, end) + 1
        closing = next((place for place in range(last, end) if self._opening.get(place, first) < first), end)
        opening = next((place for place in range(first, start, -1) if place - 1 in self._closing), start)
        for number in _NUMBER.finditer(self.kinds, opening, closing):
            first, last = min(first, number.start()), max(last, number.end())
        return first, last

    def with_brackets(self, first: int, last: int, start: int, end: int) -> _Unit:
        """Return the unit with the brackets around it that belong to brackets within it (rule N0)."""
        while last < end and self._opening.get(last, -1) >= first:
            last += 1
        while first > start and first <= self._closing.get(first - 1, -1) < last:
            first -= 1
        return first, last

    def _numbers(self, start: int, end: int) -> Iterator[_Unit]:
        # Numbers have the direction of the letter before them, to the right (rules W2 and W7).
        before = _STRONG.search(self.kinds, end)
        if before is None or before[0] != "B":
            yield from (number.span() for number in _NUMBER.finditer(self.kinds, start, end))
            return
        text = "".join(self.shapes[start:end])
        whole = [
            (start + seen.start(), start + seen.end())
            for seen in _SEEN_WHOLE.finditer(text)
            if seen[1] is None or (len(seen[1]) == len(seen[2]) and seen[1] <= seen[2])
        ]
        place = start
        for first, last in [*whole, (end, end)]:
            yield from (number.span() for number in _ARABIC_NUMBER.finditer(self.kinds, place, first))
            if first < last:
                yield first, last
            place = last


def _nested(text: str, places: list[int], opening: str) -> dict[int, int]:
    """Return the place of the closing bracket for each opening one; empty if they are not nested."""
    pairs: dict[int, int] = {}
    pending: list[int] = []
    for place in places:
        if text[place] == opening:
            pending.append(place)
        elif pending:
            pairs[pending.pop()] = place
        else:
            return {}
    return {} if pending else pairs


def _adjacent(text: str, places: list[int]) -> dict[int, int]:
    """Return each bracket and the next one as a pair: PDFium mirrors those that it takes for right-to-left text."""
    pairs = dict(zip(places[::2], places[1::2], strict=False))
    return pairs if all(text[first] != text[last] for first, last in pairs.items()) and len(places) % 2 == 0 else {}
