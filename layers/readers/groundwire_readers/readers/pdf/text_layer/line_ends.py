"""Line ends within a word, a code, a path or an address, which go on in the next line."""

import re
from collections.abc import Container
from typing import Final

_HYPHENS: Final = ("-", "\u2010", "\u00ad")
_WORD_AT_END: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*$")
_WORD_AT_START: Final = re.compile(r"[^\W\d_]+")
_BROKEN: Final = re.compile(r"(?:\S[-\u2010\u00ad/\\@]|[^\W_]_)\Z")
"""End of a line within a word, a code, a path or an address."""
_CODE: Final = re.compile(r"\S*[\d/\\_@:]\S*\Z")
"""End of a text that is no plain word: each hyphen belongs to it."""
_CONJUNCTIONS: Final = frozenset(
    (
        "and",
        "or",
        "nor",
        "und",
        "oder",
        "bzw",
        "sowie",
        "et",
        "ou",
        "y",
        "og",
        "och",
        "eller",
        "oraz",
        "lub",
        "и",
        "или",
    )
)
_CONJUNCTIONS_OF_NUMBERS: Final = _CONJUNCTIONS | {"to", "bis", "à", "a", "of", "till", "til"}
"""Words after a suspended hyphen, as in "pre- and post-sale" or "10- to 12-week"."""
_HYPHENATED_PREFIXES: Final = frozenset({"non", "self", "ex", "quasi"})
_MAX_WORD_CHARACTERS: Final = 60
"""Number of characters on each side of a line break in which the divided word is searched: bounds the matching."""
_MIN_COMPOUND_PART: Final = 4
"""Minimum length of each part of a compound; shorter parts are syllables."""


def is_broken(line: str) -> bool:
    """Return whether a line ends within a word, a code, a path or an address, which goes on in the next line."""
    return _BROKEN.search(line[-2:]) is not None


def join_broken(first: str, second: str, words: Container[str]) -> str:
    """Return the text of two lines, the first of which is broken.

    Args:
        first: the text up to the line break.
        second: the text after it.
        words: vocabulary of the document, case folded.
    """
    if not first.endswith(_HYPHENS):
        return first + second
    stem = first[:-1]
    before, after = (
        _WORD_AT_END.search(stem[-_MAX_WORD_CHARACTERS:]),
        _WORD_AT_START.match(second[:_MAX_WORD_CHARACTERS]),
    )
    following = "" if after is None else after[0].casefold()
    if stem[-1].isdigit() and following in _CONJUNCTIONS_OF_NUMBERS:
        return f"{stem}- {second}"
    if before is None or after is None or _CODE.search(stem[-_MAX_WORD_CHARACTERS:]):
        return f"{stem}-{second}"
    if (before[0] + after[0]).casefold() in words:
        return stem + second
    if following in _CONJUNCTIONS:
        return f"{stem}- {second}"
    return stem + second if _is_divided(before[0], after[0], words) else f"{stem}-{second}"


def _is_divided(before: str, after: str, words: Container[str]) -> bool:
    """Return whether the hyphen divides a word: more often than not at a line end, unless both parts are words."""
    is_compound = f"{before}-{after}".casefold() in words or before.casefold() in _HYPHENATED_PREFIXES
    return after[0].islower() and not is_compound and not _is_compound(before, after, words)


def _is_compound(before: str, after: str, words: Container[str]) -> bool:
    """Return whether the document has each part as a separate word."""
    return min(len(before), len(after)) >= _MIN_COMPOUND_PART and (
        before.casefold() in words and after.casefold() in words
    )
