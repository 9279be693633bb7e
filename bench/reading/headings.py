"""Headings and titles as a reader gives them, held against those that are expected."""

import re
from collections.abc import Sequence
from typing import Final

from bench.reading.share import Share
from bench.reading.words import common_in_order, words

_NUMBER: Final = re.compile(
    r"\s*(?:(?:chapter|appendix|annex|part|section)\s+)?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z](?=[.:)]))[.:)]?\s+",
    re.IGNORECASE,
)
_TITLE_SHARE: Final = 0.8
"""Share of the words of both titles that they have in common, in order."""


def headings_found(expected: Sequence[str], headings: Sequence[str]) -> tuple[Share, Share]:
    """Return the share of the expected headings that are there, and that of the headings that are expected.

    A heading's number must be there if the expected one has it, before it or after it. The end of a heading may be
    missing in the expected one: a line is what is known of it. Each heading is found once.
    """
    left = list(map(_parts, headings))
    found = 0
    for heading in map(_parts, expected):
        match = next((one for is_same in _MATCHES for one in left if is_same(heading, one)), None)
        if match is not None:
            left.remove(match)
            found += 1
    return Share(found, len(expected)), Share(found, len(headings))


def number_of(heading: str) -> str:
    """Return the section's number at the beginning of a heading; empty where there is none."""
    return _parts(heading)[0]


def _parts(heading: str) -> tuple[str, list[str]]:
    """Return the number of a heading and its words."""
    number = _NUMBER.match(heading)
    return (number[1].casefold(), words(heading[number.end() :])) if number else ("", words(heading))


_Parts = tuple[str, list[str]]


def _is_equal(expected: _Parts, given: _Parts) -> bool:
    return expected[1] == given[1] and expected[0] in {"", given[0]}


def _is_beginning(expected: _Parts, given: _Parts) -> bool:
    return expected[0] == given[0] != "" and expected[1] == given[1][: len(expected[1])]


def _is_turned(expected: _Parts, given: _Parts) -> bool:
    return sorted([*words(expected[0]), *expected[1]]) == sorted([*words(given[0]), *given[1]])


_MATCHES: Final = (_is_equal, _is_beginning, _is_turned)
"""Ways to be the same heading, the closest first."""


def is_title(expected: str, title: str | None) -> bool:
    """Return true when the titles have nearly all words in common, in order."""
    wanted, given = words(expected), words(title or "")
    return 2 * common_in_order(wanted, given) >= _TITLE_SHARE * (len(wanted) + len(given)) > 0
