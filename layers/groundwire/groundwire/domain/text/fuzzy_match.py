"""Fuzzy match of a typed text with names: how well a name completes what somebody typed."""

import re
from enum import IntEnum
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_MAX_TYPED_CHARACTERS: Final = 200
"""Longer texts match by their beginning alone: no name is that long, and each name costs time."""


class MatchRank(IntEnum):
    """Degree to which a name fits, best first."""

    EXACT = 0
    PREFIX = 1
    WORD_PREFIXES = 2
    SUBSTRING = 3
    SUBSEQUENCE = 4


class FuzzyPattern:
    """A typed text, prepared for the comparison with many names; case does not count."""

    def __init__(self, typed: str) -> None:
        self._is_long = len(typed) > _MAX_TYPED_CHARACTERS
        self._text = typed.casefold()
        self._words = () if self._is_long else tuple(_WORD.findall(self._text))

    def rank(self, name: str) -> MatchRank | None:
        """Return how the name fits; None when it does not."""
        text = name.casefold()
        if text.startswith(self._text):
            return MatchRank.EXACT if text == self._text else MatchRank.PREFIX
        if self._is_long:
            return None
        words = _WORD.findall(text)
        if self._words and all(any(word.startswith(typed) for word in words) for typed in self._words):
            return MatchRank.WORD_PREFIXES
        if self._text in text:
            return MatchRank.SUBSTRING
        return MatchRank.SUBSEQUENCE if self._is_subsequence_of(text) else None

    def _is_subsequence_of(self, text: str) -> bool:
        remaining = iter(text)
        # `in` consumes the iterator up to the character, so the order counts.
        return all(character in remaining for character in self._text)
