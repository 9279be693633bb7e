"""Terms of a passage as fields of its row: words are scored by them, without a statistic of the engine.

`weights` has the saturated weight of each term, as a feature of the engine's type `rank_features`. A query adds, for
each of its terms, the term's rarity among what the caller may read times the stored weight. So no row but those that
the caller may read changes a score. Lucene stores a feature with nine significant bits, to which
`adapters.lexical.weighting` cuts weights, so scores equal those of the embedded index.
"""

import base64
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from groundwire.adapters.lexical.analyzer import TERM_BITS
from groundwire.adapters.lexical.weighting import TermCounts, cut, saturated_weight

_ID_BYTES: Final = TERM_BITS // 8
_ID_LENGTH: Final = 7
_SIGNIFICANT_BITS: Final = 9


def term_fields(counts: TermCounts) -> dict[str, Any]:
    """Return the fields of a passage's terms; without a term there are no weights."""
    length = counts.length
    weights = {
        _name(term): _shortest(saturated_weight(each, length, counts.language)) for term, each in counts.counts.items()
    }
    return {"analyzer": counts.language, **({"weights": weights} if weights else {})}


def has_term(term: int) -> dict[str, Any]:
    """Return the clause for rows with the term, whose score is its weight."""
    return {"rank_feature": {"field": f"weights.{_name(term)}", "linear": {}}}


def weighted_term(term: int, factor: float) -> dict[str, Any]:
    """Return the clause for rows with the term, whose score is its weight times a factor."""
    return {"rank_feature": {"field": f"weights.{_name(term)}", "linear": {}, "boost": factor}}


def term_scores(counts: TermCounts, factors: Mapping[int, float]) -> float:
    """Return the score that a row with these terms has for the weighted terms."""
    length = counts.length
    return sum(
        factor * saturated_weight(counts.counts[term], length, counts.language)
        for term, factor in factors.items()
        if term in counts.counts
    )


@lru_cache(maxsize=8_192)
def _shortest(weight: float) -> float:
    """Return the number of the fewest digits that Lucene cuts to this weight."""
    above = weight * (1 + 2.0**-_SIGNIFICANT_BITS)
    for digits in range(1, 10):
        number = round(above, digits)
        if cut(number) == weight:
            return number
    return weight


@lru_cache(maxsize=65_536)
def _name(term: int) -> str:
    """Return the name of a term's feature: seven characters, none of them a dot."""
    return base64.urlsafe_b64encode(term.to_bytes(_ID_BYTES, "big")).decode()[:_ID_LENGTH]
