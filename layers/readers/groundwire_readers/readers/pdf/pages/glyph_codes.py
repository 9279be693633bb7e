"""Characters of a text layer that are no text: codes of glyphs for which a font has no Unicode map."""

import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

UNKNOWN: Final = 0xFFFD
"""Replacement character, for a glyph of which nothing is known."""
BULLET_CODE: Final = 0x02
"""Code without a Unicode map that stays: glyphs of it are bullets where they begin a word."""
_UNKNOWN_SIGN, _BULLET_SIGN = chr(UNKNOWN), chr(BULLET_CODE)
_SHIFTS: Final = (28, 29, 30, 31)
"""Differences of ASCII and a glyph's place in its font, whose first one to four glyphs are no letters."""
_BLANKS: Final = (0x20, 0xA0)
_SPACE, _TILDE = 0x20, 0x7E
_FEWEST_LETTERS, _FEWEST_SHIFTED_LETTERS = 12, 30
"""Minimum number of letters that make text certain, as they are and at a distance."""
_WORD_SHARE: Final = 0.7
"""Minimum share of letters and digits in text."""
_LOWER_SHARE: Final = 0.6
"""Minimum share of small letters in text."""
_COMMON: Final = frozenset("aeinorst")
_COMMON_SHARE, _COMMON_SHARE_OF_CAPITALS = 0.5, 0.6
"""Minimum share of the common letters: languages in Latin letters have .55 to .7 of them, other codes about .3."""
_KANA: Final = range(0x3041, 0x30FF)
_KANA_SHARE: Final = 0.2
"""Minimum share of kana in Japanese text, whose codes may be Unicode without a map that states it."""
_UNMAPPED_SHARE: Final = 0.3
"""Minimum share of unknown characters from which a page's text is of no use: a page with .23 had sentences."""
_DELETE, _LAST_CONTROL = 0x7F, 0x9F
_PRIVATE: Final = (range(0xE000, 0xF900), range(0xF0000, 0x110000))
_ADOBE_VARIANTS: Final = 0xF700
"""Code point of Adobe's small capitals and old-style figures to which the plain character's code is added."""


@dataclass(slots=True)
class GlyphCodes:
    """Tally of a page's characters.

    Attributes:
        shift: number that makes text of the unmapped codes; None where it is not known.
        lost: number of characters that are no text.
        unmapped: codes of the glyphs without a Unicode map.
    """

    shift: int | None = None
    lost: int = 0
    unmapped: list[int] = field(default_factory=list[int])

    def unmapped_code(self, code: int) -> int:
        """Return the code point of the glyph with this code, which has no Unicode map, and count it."""
        shift = self.shift or 0
        if not shift and code in _BLANKS:
            return code
        self.unmapped.append(code)
        shown = code if code == BULLET_CODE and not shift else _shifted(code, shift)
        self.lost += self.shift is None or shown in (UNKNOWN, BULLET_CODE)
        return shown

    def mapped_code(self, code: int) -> int:
        """Return the code point of a character, which is no blank, and count it."""
        code = _plain(code)
        self.lost += code == UNKNOWN or any(code in private for private in _PRIVATE)
        return code


def is_useless(lost: int, characters: int) -> bool:
    """Return whether so many characters are no text that the others are of no use, either."""
    return 0 < lost >= _UNMAPPED_SHARE * characters


def text_shift(codes: Sequence[int]) -> int | None:
    """Return the number that, added to the codes, makes text of them; None where none certainly does.

    It is 0 where they are text, as the codes of TeX's bitmap fonts are.
    """
    if _is_text(codes):
        return 0
    shifts = [shift for shift in _SHIFTS if _is_shifted_text([code + shift for code in codes])]
    # Two numbers that both make text prove neither.
    return shifts[0] if len(shifts) == 1 else None


def _shifted(code: int, shift: int) -> int:
    if shift:
        return code + shift if _SPACE <= code + shift <= _TILDE else UNKNOWN
    return UNKNOWN if _is_control(code) else code


def _plain(code: int) -> int:
    """Return the code point of a mapped character: control codes are glyphs that a program could not name."""
    if _is_control(code):
        return UNKNOWN
    plain = code - _ADOBE_VARIANTS
    return plain if 0 < plain <= _TILDE and chr(plain).isalnum() else code


def _is_control(code: int) -> bool:
    return code < _SPACE or _DELETE <= code <= _LAST_CONTROL


def _is_text(codes: Sequence[int]) -> bool:
    if len(codes) >= _FEWEST_LETTERS and sum(code in _KANA for code in codes) >= _KANA_SHARE * len(codes):
        return True
    letters = _letters(codes, _FEWEST_LETTERS)
    share = _COMMON_SHARE if _is_lower(letters) else _COMMON_SHARE_OF_CAPITALS
    return bool(letters) and _has_common(letters, share)


def _is_shifted_text(codes: Sequence[int]) -> bool:
    letters = _letters(codes, _FEWEST_SHIFTED_LETTERS)
    return bool(letters) and _is_lower(letters) and _has_common(letters, _COMMON_SHARE)


def _letters(codes: Sequence[int], fewest: int) -> str:
    """Return the letters; none where they are few, or among many other signs."""
    shown = [chr(code) for code in codes if _SPACE < code <= _TILDE]
    inked = sum(code != _SPACE for code in codes)
    letters = "".join(filter(str.isalpha, shown))
    return letters if len(letters) >= fewest and sum(map(str.isalnum, shown)) >= _WORD_SHARE * inked else ""


def _is_lower(letters: str) -> bool:
    return sum(map(str.islower, letters)) >= _LOWER_SHARE * len(letters)


def _has_common(letters: str, share: float) -> bool:
    return sum(letter in _COMMON for letter in letters.casefold()) >= share * len(letters)


def character_of(code: int) -> str:
    """Return the character; a ligature or a form of an Arabic letter in its plain letters."""
    character = chr(code) if 0 < code <= sys.maxunicode else _UNKNOWN_SIGN
    return unicodedata.normalize("NFKC", character) if _is_presentation_form(code) else character


def word_of(characters: Sequence[str]) -> str:
    """Return the word of these characters.

    The code of a bullet is one where it begins the word, unless it may be the sign of a number. Pairs of surrogates are
    one character.
    """
    word = "".join(characters)
    if word.startswith(_BULLET_SIGN) and not word[1:2].isdigit():
        word = f"•{word[1:]}"
    return _joined(word.replace(_BULLET_SIGN, _UNKNOWN_SIGN))


def _joined(text: str) -> str:
    """Return the text with pairs of surrogates as one character."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")


def _is_presentation_form(code: int) -> bool:
    """Return whether the character is a ligature, or a letter of Arabic or Hebrew in the form of its place."""
    return 0xFB00 <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC  # noqa: PLR2004 - the blocks of Unicode
