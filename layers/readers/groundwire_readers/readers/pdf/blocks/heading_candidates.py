"""Lines that may be headings: lists among them, and the levels of their styles."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from groundwire_readers.contents.heading_levels import MAX_LEVEL

_RUN: Final = 4
"""Number of headings of one style in a row, without text, that are a list of names or of contents."""
_SAME_RANK: Final = 0.92
"""Minimum share of the larger size at which headings are of one level."""

_MIN_NUMBERED: Final = 3
"""Minimum number of numbered headings of a style under which those without a number are placed."""
_BACK_MATTER: Final = re.compile(
    r"(?:references|bibliography|literature|acknowledge?ments?|appendi(?:x|ces)|annex|glossary|index|signatures?|exhibits?"
    r"|abbreviations|literatur|anhang|quellen|bibliographie|annexe|bibliograf[ií]a)\b",
    re.IGNORECASE,
)
"""Beginning of a heading that often has no number, and belongs to no numbered section."""
_NUMBERED: Final = re.compile(
    r"(?:[^\W\d_]{3,12}\s(?:\d{1,3}(?:\.\d{1,3}){0,5}[A-Z]?|[A-Z]|[IVX]{1,6})[.:)]?|\d{1,3}(?:\.\d{1,3}){0,5}[.:)]?"
    r"|(?:[A-Z]|[IVX]{1,6})[.:)])(?=\s)"
)
"""Number at the beginning of a heading, with or without a word before it; a letter alone needs a sign behind it."""
_SECTION_NUMBER: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s")

_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE_FORM: Final = (
    rf"(?:[a-z]{{2,9}},?\s)?(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s{_MONTH},?\s\d{{4}}"
    rf"|{_MONTH}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?\d{{4}})"
)
_DATE: Final = re.compile(_DATE_FORM, re.IGNORECASE)
_NAME: Final = r"[^\W\d_a-z][\w.'\u2019-]*"
_PERSON: Final = rf"{_NAME}(?:\s(?:(?:van|von|de|der|da|di|la|le)\s)*{_NAME}){{1,3}}(?:\s?[\d*†‡]+)*"
_AUTHORS: Final = re.compile(
    rf"(?:[Bb]y\s{_PERSON}|{_PERSON}(?:(?:,|,?\sand|\s&)\s{_PERSON})+)(?:,?\s(?i:{_DATE_FORM}))?"
)
"""Names with a word or a sign between them; a single name may be a heading as well."""

StyleKey = tuple[int, bool, bool]
"""Size of the font in whole points, whether it is bold, and whether all letters are capitals."""


@dataclass(frozen=True, slots=True)
class HeadingCandidate:
    """Lines from `start` to before `end` that may be a heading; `outline_level` is 0 where the outline has none."""

    start: int
    end: int
    text: str
    key: StyleKey
    outline_level: int


def without_lists(candidates: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    """Return the candidates without runs of many in one style, which are lists of names or of contents."""
    kept: list[HeadingCandidate] = []
    run: list[HeadingCandidate] = []
    for candidate in candidates:
        if run and (candidate.start != run[-1].end or candidate.key != run[-1].key):
            kept += _kept_of_run(run)
            run = []
        run.append(candidate)
    return kept + _kept_of_run(run)


def without_bylines(candidates: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    """Return the candidates without dates, and without the authors below the first one, which is the title."""
    kept: list[HeadingCandidate] = []
    for candidate in candidates:
        is_below_title = len(kept) == 1 and candidate.key < kept[0].key and _AUTHORS.fullmatch(candidate.text)
        if candidate.outline_level or not (_DATE.fullmatch(candidate.text) or is_below_title):
            kept.append(candidate)
    return kept


def _kept_of_run(run: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    if len(run) < _RUN:
        return list(run)
    return [each for each in run if each.outline_level]


def level_of_each(candidates: Sequence[HeadingCandidate]) -> list[int]:
    """Return the level of each heading: the outline's, else that of its style.

    Where a style has numbered headings, one without a number after them is below them.
    """
    levels = levels_of(candidates)
    numbered = Counter(each.key for each in candidates if not each.outline_level and _NUMBERED.match(each.text))
    found: list[int] = []
    under_number: set[StyleKey] = set()
    for candidate in candidates:
        level = candidate.outline_level or levels[candidate.key]
        if not candidate.outline_level and numbered[candidate.key] >= _MIN_NUMBERED:
            if _NUMBERED.match(candidate.text):
                under_number.add(candidate.key)
            elif _BACK_MATTER.match(candidate.text):
                under_number.discard(candidate.key)
            elif candidate.key in under_number:
                level = min(level + 1, MAX_LEVEL)
        found.append(level)
    return found


def levels_of(candidates: Sequence[HeadingCandidate]) -> dict[StyleKey, int]:
    """Return the level of each style: larger above smaller, bold above plain, as the outline and numbers have them.

    A style that is used once, as those of a cover are, makes no level of its own.
    """
    stated = _stated_levels(candidates)
    counts = Counter(candidate.key for candidate in candidates)
    has_ranks = any(count > 1 for count in counts.values())
    levels: dict[StyleKey, int] = {}
    level, last = 0, None
    for key in sorted(counts, reverse=True):
        # Sizes are rounded to whole points, which can part two that look the same.
        is_same = last is not None and key[1:] == last[1:] and key[0] >= _SAME_RANK * last[0]
        if key in stated:
            level, last = stated[key], key
        elif has_ranks and counts[key] == 1:
            levels[key] = max(level, 1)
            continue
        elif not is_same:
            level, last = min(level + 1, MAX_LEVEL), key
        levels[key] = level
    return levels


def _stated_levels(candidates: Sequence[HeadingCandidate]) -> dict[StyleKey, int]:
    """Return the levels of styles that the outline has, or else the depth of their section numbers."""
    outlined: defaultdict[StyleKey, list[int]] = defaultdict(list)
    numbered: defaultdict[StyleKey, list[int]] = defaultdict(list)
    for candidate in candidates:
        if candidate.outline_level:
            outlined[candidate.key].append(candidate.outline_level)
        elif number := _SECTION_NUMBER.match(candidate.text):
            numbered[candidate.key].append(number[1].count(".") + 1)
    if all(depth == 1 for depths in numbered.values() for depth in depths):
        numbered.clear()
    levels = {key: max(depths) for key, depths in numbered.items()}
    # The median: a single wrong entry of an outline moves no other heading.
    return levels | {key: median_low(found) for key, found in outlined.items()}
