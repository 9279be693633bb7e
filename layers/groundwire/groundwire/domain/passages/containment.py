"""Containment: whether two passages hold one text that was only cut at other places.

The same section of two editions of a file, such as a PDF and an EPUB, is often cut into passages differently. Their
sketches then resemble each other little, although one contains most of the other (Broder, "On the resemblance
and containment of documents", 1997). The texts of a few passages are at hand, so nothing is estimated here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from groundwire.domain.text.words import words

MIN_CONTAINMENT: Final = 0.6
"""Minimum share of the smaller passage's word triples that the common part has."""
_MIN_AGREEMENT: Final = 0.9
"""Minimum share of triples within the common part that are the same, as for near-duplicates."""
_MIN_RUN: Final = 4
"""Consecutive equal triples that may begin or end the common part; single ones are set phrases."""
_TRIPLE: Final = 3


@dataclass(frozen=True, slots=True)
class _CommonPart:
    """Part of a passage that another one has too, between its first and its last run of equal triples.

    Attributes:
        words: words of the part, in order.
        equal: number of its triples that the other passage has.
    """

    words: Sequence[str]
    equal: int

    @property
    def agreement(self) -> float:
        """Share of the part's triples that the other passage has."""
        return self.equal / max(len(self.words) - _TRIPLE + 1, 1)

    @property
    def numbers(self) -> Sequence[str]:
        """Words of the part with a digit, sorted."""
        return sorted(word for word in self.words if any(character.isdigit() for character in word))


class ComparableText:
    """Words and word triples of a text; they are made when a comparison first needs them."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> Sequence[str]:
        """The words in order."""
        return words(self._text)

    @cached_property
    def triples(self) -> Sequence[tuple[str, ...]]:
        """Triples of consecutive words, in order."""
        return list(zip(self.words, self.words[1:], self.words[2:], strict=False))

    @cached_property
    def distinct(self) -> frozenset[tuple[str, ...]]:
        """Distinct triples."""
        return frozenset(self.triples)


def share_text(first: ComparableText, second: ComparableText) -> bool:
    """Return whether the other text contains most of the smaller one in a single piece, figures included."""
    smaller, larger = sorted((first, second), key=lambda each: len(each.words))
    enough = MIN_CONTAINMENT * max(len(smaller.words) - _TRIPLE + 1, 1)
    if sum(map(larger.distinct.__contains__, smaller.triples)) < enough:
        # The common part has some of these triples: most pairs end here.
        return False
    one, other = _common_part(smaller, larger), _common_part(larger, smaller)
    return (
        one.equal >= enough and min(one.agreement, other.agreement) >= _MIN_AGREEMENT and one.numbers == other.numbers
    )


def _common_part(text: ComparableText, other: ComparableText) -> _CommonPart:
    equal = [triple in other.distinct for triple in text.triples]
    runs = [list(run) for is_equal, run in groupby(range(len(equal)), key=equal.__getitem__) if is_equal]
    ends = [place for run in runs if len(run) >= _MIN_RUN for place in (run[0], run[-1])]
    if not ends:
        return _CommonPart((), 0)
    return _CommonPart(text.words[ends[0] : ends[-1] + _TRIPLE], sum(equal[ends[0] : ends[-1] + 1]))
