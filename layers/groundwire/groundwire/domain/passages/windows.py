"""Windows: a passage in pieces of about fifty words, so that one telling sentence is not lost in the mean of many.

Each becomes a vector of its own with the document's title before it; the best one joins the passage's signal.
"""

from collections.abc import Iterator
from typing import Final

from groundwire.domain.text.sentences import sentences

WINDOW_WORDS: Final = 50
_LONGEST: Final = WINDOW_WORDS * 3 // 2
_SHORTEST: Final = WINDOW_WORDS // 3


def windows(text: str) -> tuple[str, ...]:
    """The windows of a passage, in order, whole sentences and rows where they fit; none where it is but one itself."""
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
    """Sentences as words, the longest of them cut."""
    for line in text.splitlines():
        for sentence in sentences(line):
            words = sentence.split()
            for start in range(0, len(words), _LONGEST):
                yield words[start : start + _LONGEST]
