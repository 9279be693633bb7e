"""Sentence windows: parts of about fifty words, so that one relevant sentence has a vector of its own.

The document's title precedes each window's text in embedding. The similarity of the best window is part of the
passage's semantic score.
"""

from collections.abc import Iterator
from typing import Final

from groundwire.domain.text.sentences import sentences

WINDOW_WORDS: Final = 50
_LONGEST: Final = WINDOW_WORDS * 3 // 2
_SHORTEST: Final = WINDOW_WORDS // 3


def windows(text: str) -> tuple[str, ...]:
    """Return the windows of a passage, as whole sentences and rows where they fit; none if one window is enough."""
    packed = list(_pack_windows(text))
    if len(packed) > 1 and len(packed[-1]) < _SHORTEST:
        packed[-2:] = [packed[-2] + packed[-1]]
    return tuple(" ".join(words) for words in packed) if len(packed) > 1 else ()


def _pack_windows(text: str) -> Iterator[list[str]]:
    window: list[str] = []
    for unit in _units(text):
        if window and len(window) + len(unit) > WINDOW_WORDS + _SHORTEST:
            yield window
            window = []
        window = window + unit
        if len(window) >= WINDOW_WORDS:
            yield window
            window = []
    if window:
        yield window


def _units(text: str) -> Iterator[list[str]]:
    """Yield sentences as lists of words, splitting the longest ones."""
    for line in text.splitlines():
        for sentence in sentences(line):
            words = sentence.split()
            for start in range(0, len(words), _LONGEST):
                yield words[start : start + _LONGEST]
