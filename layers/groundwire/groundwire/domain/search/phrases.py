"""Search phrases: truncation to the part that is searched."""

import re
import unicodedata
from itertools import islice
from typing import Final

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS

_WORD: Final = re.compile(r"\S+")
_MAX_WORD_CHARACTERS: Final = 100
"""Length above which a run without a space is cut between characters: its script has no spaces, or it is no word."""
_JOINER: Final = "\u200d"
_CONTINUATION_CHARACTERS: Final = re.compile("[\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff\u200d]")
"""Characters that continue the one before them, though their category is not `Mark`: vowels of Thai and Lao, vowels and
final consonants of decomposed Korean syllables, skin tones, the zero-width joiner.
"""


def truncate_phrase(phrase: str) -> str:
    """Return the part of the phrase that is searched: its first `MAX_PHRASE_WORDS` words and `MAX_PHRASE_CHARACTERS`.

    A phrase within both limits is returned unchanged. The cut is between two words where words are written with spaces,
    and never between a letter and its marks.
    """
    if len(phrase) <= MAX_PHRASE_CHARACTERS and _end_of_words(phrase) is None:
        return phrase
    text = _first_characters(phrase.strip())
    return text[: _end_of_words(text)]


def _end_of_words(text: str) -> int | None:
    """Return where the last searched word ends; None when no word is beyond the limit."""
    # One word beyond the limit is enough to know: a pasted book is not read to its end.
    words = list(islice(_WORD.finditer(text), MAX_PHRASE_WORDS + 1))
    return None if len(words) <= MAX_PHRASE_WORDS else words[-2].end()


def _first_characters(text: str) -> str:
    if len(text) <= MAX_PHRASE_CHARACTERS:
        return text
    first = text[:MAX_PHRASE_CHARACTERS]
    if text[MAX_PHRASE_CHARACTERS].isspace():
        return first.rstrip()
    *before, last = first.rsplit(maxsplit=1)
    if before and len(last) <= _MAX_WORD_CHARACTERS:
        return before[0]
    return text[: _end_of_character(text)]


def _end_of_character(text: str) -> int:
    """Return the last position within the limit that is not inside a character as people count them."""
    end = MAX_PHRASE_CHARACTERS
    while end and _is_inside(text, end):
        end -= 1
    # A phrase of marks alone has no better place for a cut.
    return end or MAX_PHRASE_CHARACTERS


def _is_inside(text: str, position: int) -> bool:
    following = text[position]
    is_mark = unicodedata.category(following).startswith("M")
    return is_mark or text[position - 1] == _JOINER or _CONTINUATION_CHARACTERS.match(following) is not None
