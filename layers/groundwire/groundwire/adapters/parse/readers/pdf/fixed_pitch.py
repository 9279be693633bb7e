"""Fonts whose letters all have one width although the file does not say so."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.adapters.parse.readers.pdf.page_content import Word

_MIN_WORDS: Final = 6
_MIN_CHARACTERS: Final = 4
_DISTINCT: Final = 3
_SPREAD: Final = 0.02
"""Maximum relative difference of the widths of a character in words of a font of one width."""


def with_monospaced(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words, those of fonts of one width marked as monospaced."""
    widths: defaultdict[str, list[float]] = defaultdict(list)
    for word in words:
        if word.size > 0 and not word.is_monospaced and not word.angle and _has_various_letters(word.text):
            widths[word.font].append((word.box.right - word.box.left) / len(word.text) / word.size)
    fonts = {font for font, found in widths.items() if len(found) >= _MIN_WORDS and _is_one_width(found)}
    if not fonts:
        return tuple(words)
    return tuple(replace(word, is_monospaced=True) if word.font in fonts else word for word in words)


def _has_various_letters(text: str) -> bool:
    return len(text) >= _MIN_CHARACTERS and text.isascii() and len(set(filter(str.isalpha, text))) >= _DISTINCT


def _is_one_width(widths: Sequence[float]) -> bool:
    return max(widths) - min(widths) <= _SPREAD * max(widths)
