"""Filtering of heading candidates without lists and bylines, and the heading level of each."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from groundwire_readers.contents.heading_levels import MAX_LEVEL

_MIN_LIST_RUN: Final = 4
"""Number of adjacent candidates of one style, without text between them, from which they are a list."""
_MIN_RECURRENCES: Final = 3
"""Number of candidates with one text from which it is no item of a list."""
_SAME_LEVEL_RATIO: Final = 0.92
"""Minimum ratio of two font sizes at which their headings have the same level."""

_MIN_NUMBERED: Final = 3
"""Number of numbered headings of a style from which its unnumbered headings are one level deeper."""
_BACK_MATTER: Final = re.compile(
    r"(?:references|bibliography|literature|acknowledge?ments?|appendi(?:x|ces)|annex|glossary|index|signatures?|exhibits?"
    r"|abbreviations|literatur|anhang|quellen|bibliographie|annexe|bibliograf[ií]a)\b",
    re.IGNORECASE,
)
"""Start of the headings after the numbered sections, which usually have no number."""
_NUMBERED: Final = re.compile(
    r"(?:[^\W\d_]{3,12}\s(?:\d{1,3}(?:\.\d{1,3}){0,5}[A-Z]?|[A-Z]|[IVX]{1,6})[.:)]?|\d{1,3}(?:\.\d{1,3}){0,5}[.:)]?"
    r"|(?:[A-Z]|[IVX]{1,6})[.:)])(?=\s)"
)
"""Section number at the start of a heading, such as "Chapter 3" or "2.1"; a single letter needs "." or ")" after it."""
_SECTION_NUMBER: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s")

_PLACEHOLDER: Final = re.compile(r"<\s?[^\W\d_][^<>]{0,80}>")
_MONTH_FORM: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE_FORM: Final = (
    rf"(?:[a-z]{{2,9}},?\s)?(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s{_MONTH_FORM},?\s\d{{4}}"
    rf"|{_MONTH_FORM}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?\d{{4}})"
)
_DATE: Final = re.compile(_DATE_FORM, re.IGNORECASE)
_NAME_FORM: Final = r"[^\W\d_a-z][\w.'\u2019-]*"
_PERSON_FORM: Final = rf"{_NAME_FORM}(?:\s(?:(?:van|von|de|der|da|di|la|le)\s)*{_NAME_FORM}){{1,3}}(?:\s?[\d*†‡]+)*"
_AUTHORS: Final = re.compile(
    rf"(?:[Bb]y\s{_PERSON_FORM}|{_PERSON_FORM}(?:(?:,|,?\sand|\s&)\s{_PERSON_FORM})+)(?:,?\s(?i:{_DATE_FORM}))?"
)
"""Two or more authors, or "By" and one author: a single name alone may be a heading."""

StyleKey = tuple[int, bool, bool]
"""Style of a heading: font size in whole points, whether it is bold, and whether it is all upper case."""


@dataclass(frozen=True, slots=True)
class HeadingCandidate:
    """Lines `start` to `end` (exclusive) that may be a heading; `outline_level` is 0 if the outline lacks it."""

    start: int
    end: int
    text: str
    style: StyleKey
    outline_level: int


def without_lists(candidates: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    """Return the candidates without runs of one style, such as a list of names, unless the outline has them."""
    counts = Counter(candidate.text for candidate in candidates)
    kept: list[HeadingCandidate] = []
    run: list[HeadingCandidate] = []
    for candidate in candidates:
        # No list repeats an item: a name above several statements is above the headings that follow.
        is_above = run and counts[run[-1].text] >= _MIN_RECURRENCES
        if run and (candidate.start != run[-1].end or candidate.style != run[-1].style or is_above):
            kept += _kept_of_run(run)
            run = []
        run.append(candidate)
    return kept + _kept_of_run(run)


def without_bylines(candidates: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    """Return the candidates without dates, and without the authors below the first one, which is the title."""
    kept: list[HeadingCandidate] = []
    for candidate in candidates:
        is_below_title = len(kept) == 1 and candidate.style < kept[0].style and _AUTHORS.fullmatch(candidate.text)
        if candidate.outline_level or not (_DATE.fullmatch(candidate.text) or is_below_title):
            kept.append(candidate)
    return kept


def without_statements(candidates: Sequence[HeadingCandidate], pages: Sequence[int]) -> list[HeadingCandidate]:
    """Return the candidates without lines of a statement of code, as manuals show them in bold type.

    A placeholder in angle brackets shows a statement. The lines in capitals beside it, of its size, are part of it.

    Args:
        candidates: in reading order.
        pages: the page of each candidate.
    """
    numbered = list(zip(pages, candidates, strict=True))
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for page, candidate in numbered:
        if _PLACEHOLDER.search(candidate.text):
            sizes[page].append(candidate.style[0])
    return [
        candidate
        for page, candidate in numbered
        if candidate.outline_level
        or not (candidate.text.isupper() or _PLACEHOLDER.search(candidate.text))
        # Rounding to whole points can separate two sizes that look the same.
        or not any(abs(candidate.style[0] - size) <= 1 for size in {*sizes[page]})
    ]


def _kept_of_run(run: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    if len(run) < _MIN_LIST_RUN:
        return list(run)
    return [candidate for candidate in run if candidate.outline_level]


def level_of_each(candidates: Sequence[HeadingCandidate]) -> list[int]:
    """Return the level of each heading: the outline's, else the level of its style.

    In a style with numbered headings, an unnumbered heading after a numbered one is one level deeper.
    """
    levels = levels_of(candidates)
    numbered = Counter(each.style for each in candidates if not each.outline_level and _NUMBERED.match(each.text))
    result: list[int] = []
    after_number: set[StyleKey] = set()
    for candidate in candidates:
        level = candidate.outline_level or levels[candidate.style]
        if not candidate.outline_level and numbered[candidate.style] >= _MIN_NUMBERED:
            if _NUMBERED.match(candidate.text):
                after_number.add(candidate.style)
            elif _BACK_MATTER.match(candidate.text):
                after_number.discard(candidate.style)
            elif candidate.style in after_number:
                level = min(level + 1, MAX_LEVEL)
        result.append(level)
    return result


def levels_of(candidates: Sequence[HeadingCandidate]) -> dict[StyleKey, int]:
    """Return the level of each style: a larger font is above a smaller one, bold above regular.

    Levels that the outline or section numbers state take precedence. A style used once, as on a cover, adds no level.
    """
    explicit = _explicit_levels(candidates)
    counts = Counter(candidate.style for candidate in candidates)
    has_shared_styles = any(count > 1 for count in counts.values())
    levels: dict[StyleKey, int] = {}
    level, last = 0, None
    for style in sorted(counts, reverse=True):
        # Rounding to whole points can separate two sizes that look the same.
        is_same = last is not None and style[1:] == last[1:] and style[0] >= _SAME_LEVEL_RATIO * last[0]
        if style in explicit:
            level, last = explicit[style], style
        elif has_shared_styles and counts[style] == 1:
            levels[style] = max(level, 1)
            continue
        elif not is_same:
            level, last = min(level + 1, MAX_LEVEL), style
        levels[style] = level
    return levels


def _explicit_levels(candidates: Sequence[HeadingCandidate]) -> dict[StyleKey, int]:
    """Return the level of each style that the outline lists, else the depth of its section numbers."""
    outlined: defaultdict[StyleKey, list[int]] = defaultdict(list)
    numbered: defaultdict[StyleKey, list[int]] = defaultdict(list)
    for candidate in candidates:
        if candidate.outline_level:
            outlined[candidate.style].append(candidate.outline_level)
        elif number := _SECTION_NUMBER.match(candidate.text):
            numbered[candidate.style].append(number[1].count(".") + 1)
    if all(depth == 1 for depths in numbered.values() for depth in depths):
        numbered.clear()
    levels = {style: max(depths) for style, depths in numbered.items()}
    # The median: one wrong entry of the outline does not change the level of the other headings.
    return levels | {style: median_low(listed_levels) for style, listed_levels in outlined.items()}
