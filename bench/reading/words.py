"""Words of a text as they are compared: their number, their order, and those that are there in pieces only."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

MAX_WORDS: Final = 200_000
"""Words of a text that are compared in order: the comparison takes words times words, 64 at a time."""
_MAX_ENTRY: Final = 30
"""Words of an entry in a table of contents."""
_MAX_PIECES: Final = 4
_IDEOGRAPHS: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
"""Scripts whose lines may end within a word, joined or not in references: each character is compared as a word."""
_WORD: Final = re.compile(rf"\d[\d.,]*\d|\d|[{_IDEOGRAPHS}]|[^\W\d_{_IDEOGRAPHS}]+")
"""Letters and digits are words apart: `H2O` with its 2 below the line is written `H 2 O` as well."""
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BETWEEN_PIECES: Final = re.compile(r"[\s|.,]*[\s|][\s|.,]*")
_BLANKS: Final = re.compile(r"[\s|]+")
_LEADERS: Final = re.compile(r"(?:\.[ \t\u00a0]?){5}|\u2026{2}|\u2026[\s|]*(?:\d+|[ivxlc]+)\s*$")


def plain(text: str) -> str:
    """Return the text in one spelling: compatible characters joined, letter case folded, soft hyphens left out."""
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).casefold()


def words(text: str) -> list[str]:
    """Return the words and numbers of a text, in order; a number keeps the points and commas within it."""
    return _WORD.findall(plain(text))


def is_number(word: str) -> bool:
    """Return true for a number as `words` returns it."""
    return word[:1].isdigit()


def is_contents_line(line: str) -> bool:
    """Return true for a short line with leaders, as tables of contents have them."""
    return _LEADERS.search(line) is not None and len(words(line)) <= _MAX_ENTRY


def without_contents_lines(text: str) -> str:
    """Return the text without the lines of a table of contents: to read them or not is a choice, and no error."""
    return "\n".join(line for line in text.splitlines() if not is_contents_line(line))


def common_words(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of words that are in both, each as often as in the one that has it less often."""
    return (Counter(left) & Counter(right)).total()


def common_in_order(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of the first `MAX_WORDS` words.

    Hyyrö's algorithm: a bit per word of `left`, and one addition of such numbers per word of `right`.
    """
    left, right = left[:MAX_WORDS], right[:MAX_WORDS]
    places: dict[str, int] = {}
    for at, word in enumerate(left):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(left)) - 1
    open_places = every
    for word in right:
        if matched := open_places & places.get(word, 0):
            open_places = ((open_places + matched) | (open_places - matched)) & every
    return len(left) - open_places.bit_count()


def longest_ascent(places: Sequence[int]) -> int:
    """Return the length of the longest subsequence that never falls."""
    ends: list[int] = []
    for place in places:
        at = bisect_right(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


def in_pieces(reference: Sequence[str], text: str) -> Counter[str]:
    """Return the words of the reference that the text lacks and has as neighbours with blanks between them instead.

    The pieces of a number are on one line; there a column of numbers below each other makes none.
    """
    spans = list(_WORD.finditer(spelled := plain(text)))
    missing = Counter(reference) - Counter(span[0] for span in spans)
    found = Counter[str]()
    for first, span in enumerate(spans):
        last = span
        for following in spans[first + 1 : first + _MAX_PIECES]:
            if not _BETWEEN_PIECES.fullmatch(spelled, last.end(), following.start()):
                break
            last = following
            written = spelled[span.start() : last.end()]
            word = _BLANKS.sub("", written)
            if word in missing and not (is_number(word) and "\n" in written):
                found[word] += 1
    return found & missing
