"""Words of a text, and the places of a phrase among them."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case: letters, digits and `_` in a row."""
    return tuple(_WORD.findall(text.lower()))


def has_phrase(held: Sequence[str], phrase: Sequence[str], slop: int) -> bool:
    """Return whether the phrase is among the words.

    Args:
        held: words of the text.
        phrase: words of the phrase; of none, it is nowhere.
        slop: places by which two words may be farther apart, or nearer, than in the phrase.
    """
    # A word that the phrase has twice must be there twice.
    if not phrase or Counter(phrase) - Counter(held):
        return False
    places: dict[str, list[int]] = {word: [] for word in phrase}
    for place, word in enumerate(held):
        if word in places:
            places[word].append(place)
    shifts = [[place - number for place in places[word]] for number, word in enumerate(phrase)]
    starts = {shift for each in shifts for shift in each}
    return any(all(_has_between(each, start, start + slop) for each in shifts) for start in starts)


def _has_between(ascending: Sequence[int], low: int, high: int) -> bool:
    place = bisect_left(ascending, low)
    return place < len(ascending) and ascending[place] <= high
