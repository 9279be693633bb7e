"""Detection of pages whose words are of no language, as old recognition and fonts with a wrong mapping give them."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]?[a-z]{3,}")
"""A word in lower case, or one with a capital first: codes and abbreviations have other forms."""
_FOLLOWING: Final = {
    "a": "bcdghijklmnprstuvy",
    "b": "aeiloruy",
    "c": "aehiklortuz",
    "d": "aeiosuy",
    "e": "acdefghijklmnprstuvwxyz",
    "f": "aefioru",
    "g": "aehior",
    "h": "aeiot",
    "i": "abcdefghjklmnorstv",
    "j": "ae",
    "k": "aeiotu",
    "l": "adeijklostuy",
    "m": "aeimopsu",
    "n": "acdegikosty",
    "o": "bcdfghjklmnoprstuvw",
    "p": "aehiloprtu",
    "q": "u",
    "r": "acdegikmnorstuyz",
    "s": "acehikopstuyz",
    "t": "aehilorstuy",
    "u": "acdeghiklmnprst",
    "v": "aeiou",
    "w": "aehioy",
    "x": "aceipt",
    "y": "enos",
    "z": "aeiuw",
}
"""Letters that often follow a letter in languages with Latin letters; accents are left out."""
_MIN_PAIRS: Final = 250
"""Number of pairs from which their share is certain."""
_MIN_LETTERS: Final = 12
"""Number of different letters of a language; sequences of nucleotides have four."""
_MIN_COMMON_SHARE: Final = 0.48
"""Minimum share of common pairs in a language; Welsh has .6, most others over .8, and random letters less than .4."""


def is_no_language(words: Iterable[str]) -> bool:
    """Return whether the words in Latin letters are of no language; False if they are too few to decide."""
    plain = (unicodedata.normalize("NFD", word).encode("ascii", "ignore").decode() for word in words)
    found = [part.lower() for word in plain for part in re.findall(r"[A-Za-z]+", word) if _WORD.fullmatch(part)]
    pairs = [pair for word in found for pair in pairwise(word)]
    if len(pairs) < _MIN_PAIRS or len(set("".join(found))) < _MIN_LETTERS:
        return False
    return sum(last in _FOLLOWING[first] for first, last in pairs) < _MIN_COMMON_SHARE * len(pairs)
