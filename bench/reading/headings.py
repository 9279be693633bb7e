"""Headings and titles as a reader gives them, held against those that are expected."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bench.reading.share import Share
from bench.reading.words import common_in_order, words

_NUMBER: Final = re.compile(
    r"\s*(?:(?:chapter|appendix|annex|part|section)\s+)?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z](?=[.:)]))[.:)]?\s+",
    re.IGNORECASE,
)
_TITLE_SHARE: Final = 0.8
"""Of the words of both titles that they have in common, in order."""


def headings_found(expected: Sequence[str], headings: Sequence[str]) -> tuple[Share, Share]:
    """Return the share of the expected headings that are there, and that of the headings that are expected.

    A heading's number must be there if the expected one has it. The end of a heading may be missing in the expected
    one: a line is what is known of it. Each heading is found once.
    """
    left: dict[str, list[list[str]]] = defaultdict(list)
    for heading in headings:
        number, text = _parts(heading)
        left[number].append(text)
    found = 0
    for heading in expected:
        number, text = _parts(heading)
        places = [number] if number else sorted(left)
        match = next(((place, one) for place in places for one in left[place] if one == text), None)
        if match is None and number:
            match = next(((number, one) for one in left[number] if one[: len(text)] == text), None)
        if match is not None:
            left[match[0]].remove(match[1])
            found += 1
    return Share(found, len(expected)), Share(found, len(headings))


def _parts(heading: str) -> tuple[str, list[str]]:
    """Return the number of a heading and its words."""
    number = _NUMBER.match(heading)
    return (number[1].casefold(), words(heading[number.end() :])) if number else ("", words(heading))


def is_title(expected: str, title: str | None) -> bool:
    """Return true when the titles have nearly all words in common, in order."""
    wanted, given = words(expected), words(title or "")
    return 2 * common_in_order(wanted, given) >= _TITLE_SHARE * (len(wanted) + len(given)) > 0
