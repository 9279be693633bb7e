"""Terms of a passage as fields of its row: words are scored by them, without a statistic of the engine.

`terms` has one token per term: the term's id and the level of its saturated weight. A query gives each token a
constant score: the term's rarity among what the caller may read, times the weight of the level. So no row but those
that the caller may read changes what the engine chooses. `counts` has the exact counts of the same terms: the scores of
the candidates are computed from them, and equal those of the embedded index.
"""

import base64
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from groundwire.adapters.lexical.analyzer import TERM_BITS
from groundwire.adapters.lexical.terms import TermCounts
from groundwire.adapters.lexical.weighting import saturated_weight

LEVELS: Final = 8
"""Levels of weight. With twice as many a query has twice as many clauses, and chooses hardly other rows."""

_LOWEST: Final = 0.3
_STEP: Final = 0.2
"""Lower end and width of a level: most weights are between .5 and 1.7."""

_ID_BYTES: Final = TERM_BITS // 8
_ID_LENGTH: Final = 7
_TOKEN_LENGTH: Final = _ID_LENGTH + 1
_DISTANCE: Final = _TOKEN_LENGTH + 1
"""Distance from one token to the next, which a space separates."""

_DIGITS: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_COUNT_DIGITS: Final = 2
"""Digits of a count, which is cut at 4,095 eighths: 511 occurrences in one passage."""
_LENGTH_DIGITS: Final = 4


def term_fields(counts: TermCounts) -> dict[str, str]:
    """Return the fields of a passage's terms."""
    length = counts.length
    weights = {term: saturated_weight(each, length, counts.language) for term, each in counts.counts.items()}
    return {
        "language": counts.language,
        "terms": " ".join(token(term, _level(weight)) for term, weight in weights.items()),
        "counts": _number(length, _LENGTH_DIGITS)
        + "".join(_number(each, _COUNT_DIGITS) for each in counts.counts.values()),
    }


def token(term: int, level: int) -> str:
    """Return the token of a term whose weight has this level."""
    return f"{_term_id(term)}{level}"


def level_weight(level: int) -> float:
    """Return the weight in the middle of the level."""
    return _LOWEST + _STEP * (level + 0.5)


@dataclass(frozen=True, slots=True)
class RowTerms:
    """Terms of one row, as the fields of these names hold them."""

    language: str
    terms: str
    counts: str

    def weight(self, term: int) -> float:
        """Return the saturated weight of the term in the row; 0 where it does not occur."""
        at = self.terms.find(_term_id(term))
        if at < 0:
            return 0.0
        start = _LENGTH_DIGITS + at // _DISTANCE * _COUNT_DIGITS
        count, length = self.counts[start : start + _COUNT_DIGITS], self.counts[:_LENGTH_DIGITS]
        return saturated_weight(_from_number(count), _from_number(length), self.language)


def level_groups(most: int) -> Sequence[Sequence[int]]:
    """Return the levels in so many groups at most, neighbours together: each group is one clause of a query."""
    size = next((size for size in (1, 2, 4) if LEVELS // size <= most), LEVELS)
    return [range(first, first + size) for first in range(0, LEVELS, size)]


def _level(weight: float) -> int:
    return min(LEVELS - 1, max(0, int((weight - _LOWEST) / _STEP)))


@lru_cache(maxsize=65_536)
def _term_id(term: int) -> str:
    """Return seven characters; spaces between tokens keep an id from being found across two of them."""
    return base64.urlsafe_b64encode(term.to_bytes(_ID_BYTES, "big")).decode()[:_ID_LENGTH]


def _number(number: int, digits: int) -> str:
    """Write a number in base 64, the highest one of so many digits where it is too large."""
    least = min(number, len(_DIGITS) ** digits - 1)
    return "".join(_DIGITS[least >> 6 * place & 63] for place in reversed(range(digits)))


@lru_cache(maxsize=8_192)
def _from_number(text: str) -> int:
    number = 0
    for digit in text:
        number = number << 6 | _DIGITS.index(digit)
    return number
