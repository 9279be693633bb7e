"""Codes of a question, such as part numbers, error codes and order numbers, and the passages that hold them.

Meaning says little about a code, and words only part of it: text with `S-0017/B` has a low relevance for `S-0017`.
A code is compared by its runs of letters and of digits, so that separators, and a suffix that one side leaves out, do
not count.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

_COMPOUND: Final = re.compile(r"[^\W_]+(?:[-./_\u2010\u2011][^\W_]+)*")
_DIGIT: Final = re.compile(r"\d")
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_SEPARATOR: Final = r"[-./_\u2010\u2011]?"
_GAP: Final = r"[-./_\u2010\u2011\s]?"
"""Separators of letters and digits, as in `45 mm` and `45mm`. Between two numbers, a space ends the first one."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FEWEST_CHARACTERS: Final = 3
"""Letters and digits of a code of both: `Q3` and `3D` are in too many texts."""
MAX_CODES: Final = 16
"""Codes of one search that are looked for: a list of parts has hundreds, and each is compared with every passage."""
_FEWEST_DIGITS: Final = 4
"""Digits of a code of digits alone: shorter numbers are amounts."""


class Code(NamedTuple):
    """Pattern of a code, with a part that every text with the code has.

    Attributes:
        run: its longest run of letters or digits, which a text with the code has.
        pattern: pattern of the code.
    """

    run: str
    pattern: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Return whether a result of `comparable_text` has the code."""
        # Most texts lack the run, which is found out without the pattern.
        return self.run in text and self.pattern.search(text) is not None


def codes_of(phrases: Sequence[str]) -> tuple[Code, ...]:
    """Return the first codes in the phrases, at most `MAX_CODES`."""
    # Most phrases have no digit, and need no further look.
    texts = [comparable_text(phrase) for phrase in phrases if _DIGIT.search(phrase)]
    compounds = (match[0] for text in texts for match in _COMPOUND.finditer(text) if _DIGIT.search(match[0]))
    codes = dict[tuple[str, ...], Code]()
    for runs in map(_runs, compounds):
        if runs and runs not in codes:
            codes[runs] = Code(max(runs, key=len), _pattern(runs))
        if len(codes) == MAX_CODES:
            break
    return tuple(codes.values())


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
