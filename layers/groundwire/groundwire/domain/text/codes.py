"""Codes of a question, such as part numbers, error codes and order numbers, and the passages that hold them.

Meaning says little about a code, and words only part of it: text with `S-0017/B` has a low relevance for `S-0017`.
A code is compared by its runs of letters and of digits, so that separators, and a suffix that one side leaves out, do
not count.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_COMPOUND: Final = re.compile(r"[^\W_]+(?:[-./_\u2010\u2011][^\W_]+)*")
_DIGIT: Final = re.compile(r"\d")
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_SEPARATOR: Final = r"[-./_\u2010\u2011]?"
_GAP: Final = r"[-./_\u2010\u2011\s]?"
"""Separators of letters and digits, as in `45 mm` and `45mm`. Between two numbers, a space ends the first one."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FEWEST_CHARACTERS: Final = 3
"""Letters and digits of a code of both: `Q3` and `3D` are in too many texts."""
_FEWEST_DIGITS: Final = 4
"""Digits of a code of digits alone: shorter numbers are amounts."""


def codes_of(phrases: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each code in the phrases, which finds it in the result of `comparable_text`."""
    # Most phrases have no digit, and need no further look.
    texts = [comparable_text(phrase) for phrase in phrases if _DIGIT.search(phrase)]
    found = [_runs(compound) for text in texts for compound in _COMPOUND.findall(text) if _DIGIT.search(compound)]
    return tuple(map(_pattern, dict.fromkeys(runs for runs in found if runs)))


def comparable_text(text: str) -> str:
    """Return the text without differences of case and of compatibility forms."""
    return unicodedata.normalize("NFKC", text).casefold()


def _runs(compound: str) -> tuple[str, ...]:
    """Return the runs of letters and of digits of a code; empty for another compound."""
    runs = tuple(_RUN.findall(compound))
    digits = [run for run in runs if run[0].isdecimal()]
    if len(digits) < len(runs):
        return runs if sum(map(len, runs)) >= _FEWEST_CHARACTERS else ()
    is_code = sum(map(len, runs)) >= _FEWEST_DIGITS and not _YEAR.fullmatch(compound)
    return runs if is_code else ()


def _pattern(runs: tuple[str, ...]) -> re.Pattern[str]:
    parts = [re.escape(runs[0])]
    for before, run in pairwise(runs):
        is_same_kind = before[0].isdecimal() == run[0].isdecimal()
        parts += [_SEPARATOR if is_same_kind else _GAP, re.escape(run)]
    # A run is compared whole: `17` is no part of `0017`, and `b` none of `bar`.
    return re.compile(f"(?<!{_kind(runs[0])}){''.join(parts)}(?!{_kind(runs[-1])})")


def _kind(run: str) -> str:
    return r"\d" if run[0].isdecimal() else r"[^\W\d_]"
