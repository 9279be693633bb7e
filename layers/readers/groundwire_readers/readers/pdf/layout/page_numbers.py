"""Page numbers and page labels in lines of text."""

import re
from typing import Final

_MAX_DIGITS: Final = 6
"""Maximum number of digits of a page number."""
_MAX_ROMAN_LETTERS: Final = 7
"""Maximum number of letters of a Roman page number, as in "lxxxiii"."""
_MIN_LABEL_WORDS: Final = 3
"""Minimum number of words of a page label such as "3 of 5"."""
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_NUMBER_DECORATION: Final = "-\u2013—|.:[]()· "
_WORDS_FOR_OF: Final = ("of", "/", "von", "de", "sur", "di", "из")
WHOLE_PAGE_LABEL: Final = re.compile(
    r"\W{0,3}(?:page|seite|página|pagina|стр\.?|p\.)\s{0,3}\d{1,6}(?:\s{0,3}(?:of|/|von|de|sur|di|из)\s{0,3}\d{1,6})?\W{0,3}"
    r"|\W{0,3}\d{1,6}\s{0,2}(?:of|/)\s{0,2}\d{1,6}\W{0,3}",
    re.IGNORECASE,
)
PAGE_LABEL_WITHIN: Final = re.compile(
    r"\b(?:page|seite|página|pagina|стр)\.?\s{0,3}\d{1,6}(?:\s{0,3}(?:of|/|von|de|sur|di|из)\s{0,3}\d{1,6})?",
    re.IGNORECASE,
)
OUTER_NUMBER: Final = re.compile(r"^\W{0,3}\d{1,6}(?=\s|$)|(?<=\s)\d{1,6}\W{0,3}$")
BARE_NUMBER: Final = re.compile(r"[\W_]{0,3}(?:\d{1,6}|[ivxlc]{1,7})[\W_]{0,3}", re.IGNORECASE)


def outer_numbers(text: str) -> set[int]:
    """Return the numbers that are the first or the last word of the text."""
    words = text.casefold().strip(_NUMBER_DECORATION).split()
    if not words:
        return set()
    numbers = {_number(word.strip(_NUMBER_DECORATION)) for word in (words[0], words[-1])}
    return numbers - {0}


def _number(word: str) -> int:
    """Return the value of an Arabic or lower-case Roman numeral; 0 for other words."""
    if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS:
        return int(word)
    if not word or len(word) > _MAX_ROMAN_LETTERS or not all(letter in _ROMAN_VALUES for letter in word):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in word]
    return sum(-value if value < max(values[index:]) else value for index, value in enumerate(values))


def numberless(text: str) -> str:
    """Return the text with "#" in place of page numbers: at its start, at its end, and after a word for "page"."""
    words = PAGE_LABEL_WITHIN.sub("#", text).casefold().strip(_NUMBER_DECORATION).split()
    if words and _number(words[-1].strip(_NUMBER_DECORATION)):
        words[-1] = "#"
        if (
            len(words) >= _MIN_LABEL_WORDS
            and words[-2] in _WORDS_FOR_OF
            and _number(words[-3].strip(_NUMBER_DECORATION))
        ):
            words[-3] = "#"
    if words and _number(words[0].strip(_NUMBER_DECORATION)):
        words[0] = "#"
    return " ".join(words)
