"""Joining of the lines of a paragraph: spaces are added where the script has them."""

import re
from typing import Final

from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.text_layer.line_ends import is_broken, join_broken

_WORD_AT_END: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*$")
_WORD_AT_START: Final = re.compile(r"[^\W\d_]+")
_UNSPACED_SCRIPT: Final = re.compile("[\u2e80-\u2fdf\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff9f]")
"""Characters of Chinese and Japanese, which are written without spaces."""
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_TRUNCATED_LIGATURE: Final = re.compile(r"\b([^\W\d_]{0,20})ff([bcdgknt][^\W\d_]{0,20})\b")
_MAX_WORD_CHARACTERS: Final = 60
"""Number of characters on each side of a line break in which the divided word is searched: bounds the matching."""


def join_lines(first: str, second: str, style: DocumentStyle, *, is_full: bool, ends_word: bool) -> str:
    """Return the text of two lines of one paragraph.

    Args:
        first: the text up to the line break.
        second: the text after it.
        style: the style and the vocabulary of the document.
        is_full: whether the first line reaches the column's edge, where Korean words are divided without a hyphen.
        ends_word: whether a space follows the last word of the first line; known for Korean only.
    """
    if not first or not second:
        return first or second
    if is_broken(first):
        return join_broken(first, second, style.words)
    last, following = first[-1], second[0]
    if _UNSPACED_SCRIPT.match(last) and _UNSPACED_SCRIPT.match(following):
        return first + second
    if is_full and _HANGUL.match(last) and _HANGUL.match(following) and not ends_word:
        return first + second if style.has_line_end_spaces else _join_korean(first, second, style)
    return f"{first} {second}"


def with_ligatures(text: str, style: DocumentStyle) -> str:
    """Return the text with "ff" replaced by "ffi" where the document has that word.

    Some fonts map the ligature "ffi" to the characters "ff".
    """
    return _TRUNCATED_LIGATURE.sub(lambda word: _restored_ligature(word, style), text) if "ff" in text else text


def _restored_ligature(word: re.Match[str], style: DocumentStyle) -> str:
    whole = f"{word[1]}ffi{word[2]}"
    return whole if whole.casefold() in style.words else word[0]


def _join_korean(first: str, second: str, style: DocumentStyle) -> str:
    """Return the texts joined without a space if the document has the joined word, or neither part as a word."""
    before, after = (
        _WORD_AT_END.search(first[-_MAX_WORD_CHARACTERS:]),
        _WORD_AT_START.match(second[:_MAX_WORD_CHARACTERS]),
    )
    if before is None or after is None:
        return f"{first} {second}"
    is_one = before[0] + after[0] in style.words or not {before[0], after[0]} & style.words
    return first + second if is_one else f"{first} {second}"
