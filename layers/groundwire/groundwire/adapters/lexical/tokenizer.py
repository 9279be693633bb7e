"""Tokenizer for passages and phrases alike: query operators in a phrase are only words or nothing."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_COMBINING_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u103e\u17b4-\u17d3"
)
"""Combining marks, which `\\w` leaves out although words in many scripts cannot be written without them."""

_UNSPACED: Final = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"
)
"""Scripts without spaces between words, or, as in Korean, with endings; pairs of characters match despite both."""

_COMPOUND: Final = re.compile(rf"[\w{_COMBINING_MARKS}]+(?:[-./,'\u2019\u2010][\w{_COMBINING_MARKS}]+)*")
_SEPARATOR: Final = re.compile(r"[-./,_\u2010]+")
_RUN: Final = re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED: Final = re.compile(rf"[{_UNSPACED}]")


def tokenize(text: str) -> Iterator[str]:
    """Yield the words in order, folded in case and compatibility forms (full width, ligatures).

    A compound yields its parts; one with a digit or an underscore ("ISO-9001", "x_y", "3.14") is a name and also yields
    itself. Scripts without spaces yield overlapping pairs of characters.
    """
    for compound in _COMPOUND.findall(unicodedata.normalize("NFKC", text).casefold()):
        # Most words of most texts, which need no further look.
        if compound.isascii() and compound.isalnum():
            yield compound
        else:
            yield from _parts(compound)


def _parts(compound: str) -> Iterator[str]:
    parts = [part for part in _SEPARATOR.split(compound) if part]
    for part in parts:
        for run in _RUN.findall(part):
            yield from _pairs(run) if _IS_UNSPACED.match(run) else _without_possessive(run)
    if len(parts) > 1 and ("_" in compound or any(character.isdigit() for character in compound)):
        yield _join_name(compound, parts)


def _join_name(compound: str, parts: list[str]) -> str:
    """Join the parts of a name, which is the same with or without hyphens; a number keeps its decimal point."""
    if any(character.isalpha() for character in compound):
        return "".join(parts)
    return compound.replace(",", "")


def _pairs(run: str) -> Iterator[str]:
    # A single character has no pair, and must be found all the same.
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        yield first + second


def _without_possessive(run: str) -> Iterator[str]:
    word = run.replace("\u2019", "'").removesuffix("'s")
    if word:
        yield word
