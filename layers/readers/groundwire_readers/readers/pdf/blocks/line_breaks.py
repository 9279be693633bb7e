"""Text of a paragraph from its lines: divided words joined, blanks where the script has them."""

import re
from typing import Final

from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle

_SOFT_HYPHEN: Final = "\u00ad"
_HYPHENS: Final = ("-", "\u2010", _SOFT_HYPHEN)
_LAST_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*$")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_NO_BLANK: Final = re.compile("[\u2e80-\u2fdf\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff9f]")
"""Signs of Chinese and Japanese, which are written without blanks."""
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_LOST_LIGATURE: Final = re.compile(r"\b([^\W\d_]{0,20})ff([bcdgknt][^\W\d_]{0,20})\b")
_WORD_CHARACTERS: Final = 60
_COMPOUND_CHARACTERS: Final = 4
"""Minimum length of a part of a compound; shorter ones are syllables."""


def join_lines(first: str, second: str, style: DocumentStyle, *, is_full: bool, ends_word: bool) -> str:
    """Return the text of two lines of one paragraph.

    Args:
        first: text so far.
        second: the next line.
        style: of the document.
        is_full: the first line reaches the column's edge, so that a word of Korean may be divided there.
        ends_word: the first line ends with a word of Korean.
    """
    if not first or not second:
        return first or second
    if first.endswith(_HYPHENS):
        return _join_at_hyphen(first, second, style)
    last, following = first[-1], second[0]
    if _NO_BLANK.match(last) and _NO_BLANK.match(following):
        return first + second
    if is_full and _HANGUL.match(last) and _HANGUL.match(following) and not ends_word:
        return first + second if style.has_line_end_blanks else _join_korean(first, second, style)
    return f"{first} {second}"


def with_ligatures(text: str, style: DocumentStyle) -> str:
    """Return the text with whole ligatures "ffi", where the font has them as "ff" and the document has the word."""
    return _LOST_LIGATURE.sub(lambda word: _with_letter(word, style), text) if "ff" in text else text


def _with_letter(word: re.Match[str], style: DocumentStyle) -> str:
    whole = f"{word[1]}ffi{word[2]}"
    return whole if whole.casefold() in style.words else word[0]


def _join_at_hyphen(first: str, second: str, style: DocumentStyle) -> str:
    stem = first[:-1]
    before, after = _LAST_WORD.search(stem[-_WORD_CHARACTERS:]), _FIRST_WORD.match(second[:_WORD_CHARACTERS])
    if before is None or after is None:
        return f"{stem}-{second}" if before is not None or stem[-1:].isdigit() else f"{stem}- {second}"
    whole, compound = (before[0] + after[0]).casefold(), f"{before[0]}-{after[0]}".casefold()
    if compound in style.words and whole not in style.words:
        return f"{stem}-{second}"
    # Divided words are more common than compounds, unless the document has both parts as words.
    if whole in style.words or (after[0][0].islower() and not _is_compound(before[0], after[0], style)):
        return stem + second
    return f"{stem}-{second}"


def _is_compound(before: str, after: str, style: DocumentStyle) -> bool:
    """Return whether both parts are words of the document of their own."""
    return min(len(before), len(after)) >= _COMPOUND_CHARACTERS and {before.casefold(), after.casefold()} <= style.words


def _join_korean(first: str, second: str, style: DocumentStyle) -> str:
    """Return the parts as one word if the document has that word, or neither of them."""
    before, after = _LAST_WORD.search(first[-_WORD_CHARACTERS:]), _FIRST_WORD.match(second[:_WORD_CHARACTERS])
    if before is None or after is None:
        return f"{first} {second}"
    is_one = before[0] + after[0] in style.words or not {before[0], after[0]} & style.words
    return first + second if is_one else f"{first} {second}"
