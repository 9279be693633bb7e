"""Sentence boundaries, in scripts with and without spaces."""

import re
from typing import Final

# A run of marks is matched once, from its start, and never in part: the time must stay linear in its length.
_END: Final = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u2019\u201d\u00bb)\]]*+\s++"
    r"|[\u3002\uff01\uff1f\uff61]++[\u300d\u300f\uff09\u201d]*+\s*+"
)
_WORD_BOUNDARY: Final = re.compile(r"[\s(\[]")
_OPENING_QUOTES: Final = "\"'\u201c\u2018"
_MAX_WORD_CHARACTERS: Final = 40

_ABBREVIATIONS: Final = frozenset(
    [
        "adm",
        "al",
        "approx",
        "asst",
        "assn",
        "ave",
        "bzw",
        "ca",
        "cap",
        "cf",
        "ch",
        "chap",
        "cie",
        "co",
        "corp",
        "dept",
        "dr",
        "eds",
        "e.g",
        "eg",
        "esp",
        "est",
        "etc",
        "fig",
        "figs",
        "gen",
        "gov",
        "hr",
        "i.e",
        "ie",
        "inc",
        "incl",
        "jr",
        "lt",
        "ltd",
        "messrs",
        "mr",
        "mrs",
        "ms",
        "mt",
        "nos",
        "nr",
        "p",
        "par",
        "pp",
        "prof",
        "ref",
        "refs",
        "rep",
        "rev",
        "sec",
        "sr",
        "st",
        "tel",
        "u.a",
        "u.k",
        "u.s",
        "usw",
        "v",
        "vol",
        "vs",
        "z.b",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)

_BEFORE_NUMBERS: Final = frozenset({"art", "no", "op", "sec"})
"""Words that are abbreviations only before a number."""


def sentences(text: str) -> list[str]:
    """Split a paragraph into sentences, each with the space after it, so that their concatenation is the paragraph."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end.end() < len(text) and _is_sentence_end(text, end):
            found.append(text[start : end.end()])
            start = end.end()
    if start < len(text):
        found.append(text[start:])
    return found


def _is_sentence_end(text: str, end: re.Match[str]) -> bool:
    """Return whether this punctuation really ends a sentence."""
    if not end[0].startswith("."):
        return True
    following = text[end.end()]
    if following.islower():
        return False
    before = text[max(0, end.start() - _MAX_WORD_CHARACTERS) : end.start()]
    word = _WORD_BOUNDARY.split(before)[-1].lstrip(_OPENING_QUOTES).lower()
    if word in _ABBREVIATIONS or (following.isdigit() and word in _BEFORE_NUMBERS):
        return False
    return not _is_initial(text, end.start())


def _is_initial(text: str, dot: int) -> bool:
    """Return whether the dot follows a single capital, as in "J. Doe"."""
    return dot > 0 and text[dot - 1].isupper() and (dot == 1 or not text[dot - 2].isalnum())
