"""Recovery of text from glyph codes of fonts without a Unicode map (ToUnicode), and a count of what is lost."""

import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.text.runs import rendered, run_of

UNKNOWN: Final = 0xFFFD
"""Replacement character, for a glyph whose character is unknown."""
BULLET_CODE: Final = 0x02
"""Unmapped code that is kept: at the start of a word, its glyph is a bullet."""
_UNKNOWN_CHARACTER, _BULLET_CHARACTER = chr(UNKNOWN), chr(BULLET_CODE)
_SHIFTS: Final = (28, 29, 30, 31)
"""Differences between an ASCII code and a glyph index: subset fonts start with one to four special glyphs."""
_SPACES: Final = (0x20, 0xA0)
_SPACE, _TILDE = 0x20, 0x7E
_MIN_LETTERS, _MIN_SHIFTED_LETTERS = 12, 30
"""Minimum number of letters that prove text: with unshifted codes, and with shifted ones."""
_WORD_SHARE: Final = 0.7
"""Minimum share of letters and digits among the visible characters of text."""
_LOWER_SHARE: Final = 0.6
"""Minimum share of lower-case letters in text."""
_FREQUENT_LETTERS: Final = frozenset("aeinorst")
"""The most frequent letters of languages in Latin script."""
_FREQUENT_SHARE, _FREQUENT_SHARE_UPPER_CASE = 0.5, 0.6
"""Minimum share of the frequent letters: texts in Latin script measured .55 to .7, arbitrary codes about .3."""
_KANA: Final = range(0x3041, 0x30FF)
_KANA_SHARE: Final = 0.2
"""Minimum share of kana in Japanese text: its codes may be Unicode although no map declares it."""
_USELESS_SHARE: Final = 0.3
"""Share of unknown characters from which a page's text is useless; a page with .23 still had whole sentences."""
_DELETE, _LAST_CONTROL = 0x7F, 0x9F
_PRIVATE: Final = (range(0xE000, 0xF900), range(0xF0000, 0x110000))
_ADOBE_VARIANTS: Final = 0xF700
"""Start of the private code points of Adobe's small capitals and old-style figures: 0xF700 plus the ASCII code."""


@dataclass(slots=True)
class GlyphCodes:
    """Conversion of one page's glyph codes, with counts.

    Attributes:
        shift: number to add to unmapped codes to get ASCII; None if unknown.
        lost: number of characters that could not be recovered.
        unmapped: codes without a Unicode map, in order.
    """

    shift: int | None = None
    lost: int = 0
    unmapped: list[int] = field(default_factory=list[int])

    def unmapped_code(self, code: int) -> int:
        """Return the code point of a glyph without a Unicode map, and count it."""
        shift = self.shift or 0
        if not shift and code in _SPACES:
            return code
        self.unmapped.append(code)
        code_point = code if code == BULLET_CODE and not shift else _shifted(code, shift)
        self.lost += self.shift is None or code_point in (UNKNOWN, BULLET_CODE)
        return code_point

    def mapped_code(self, code: int) -> int:
        """Return the code point of a mapped character other than whitespace, and count it if it is no text."""
        code = _without_variants(code)
        self.lost += code == UNKNOWN or any(code in private for private in _PRIVATE)
        return code


def is_useless(lost: int, characters: int) -> bool:
    """Return whether the share of lost characters makes the text of a page useless."""
    return 0 < lost >= _USELESS_SHARE * characters


def text_shift(codes: Sequence[int]) -> int | None:
    """Return the number that turns the codes into ASCII text when added; None if no single one certainly does.

    It is 0 for codes that are text already, as in TeX's bitmap fonts.
    """
    if _is_text(codes):
        return 0
    shifts = [shift for shift in _SHIFTS if _is_shifted_text([code + shift for code in codes])]
    # If two shifts both give plausible text, neither is certain.
    return shifts[0] if len(shifts) == 1 else None


def _shifted(code: int, shift: int) -> int:
    if shift:
        return code + shift if _SPACE <= code + shift <= _TILDE else UNKNOWN
    return UNKNOWN if _is_control(code) else code


def _without_variants(code: int) -> int:
    """Return a mapped code point, with control codes as unknown and Adobe's variants as ASCII."""
    if _is_control(code):
        return UNKNOWN
    plain = code - _ADOBE_VARIANTS
    return plain if 0 < plain <= _TILDE and chr(plain).isalnum() else code


def _is_control(code: int) -> bool:
    return code < _SPACE or _DELETE <= code <= _LAST_CONTROL


def _is_text(codes: Sequence[int]) -> bool:
    if len(codes) >= _MIN_LETTERS and sum(code in _KANA for code in codes) >= _KANA_SHARE * len(codes):
        return True
    letters = _letters(codes, _MIN_LETTERS)
    share = _FREQUENT_SHARE if _is_lower(letters) else _FREQUENT_SHARE_UPPER_CASE
    return bool(letters) and _has_frequent_letters(letters, share)


def _is_shifted_text(codes: Sequence[int]) -> bool:
    letters = _letters(codes, _MIN_SHIFTED_LETTERS)
    return bool(letters) and _is_lower(letters) and _has_frequent_letters(letters, _FREQUENT_SHARE)


def _letters(codes: Sequence[int], minimum: int) -> str:
    """Return the ASCII letters; empty if they are fewer than `minimum`, or among too many other characters."""
    visible = [chr(code) for code in codes if _SPACE < code <= _TILDE]
    visible_count = sum(code != _SPACE for code in codes)
    letters = "".join(filter(str.isalpha, visible))
    return letters if len(letters) >= minimum and sum(map(str.isalnum, visible)) >= _WORD_SHARE * visible_count else ""


def _is_lower(letters: str) -> bool:
    return sum(map(str.islower, letters)) >= _LOWER_SHARE * len(letters)


def _has_frequent_letters(letters: str, share: float) -> bool:
    return sum(letter in _FREQUENT_LETTERS for letter in letters.casefold()) >= share * len(letters)


def character_of(code: int) -> str:
    """Return the character; ligatures and presentation forms are decomposed to plain letters (NFKC)."""
    character = chr(code) if 0 < code <= sys.maxunicode else _UNKNOWN_CHARACTER
    return unicodedata.normalize("NFKC", character) if _is_presentation_form(code) else character


def word_of(characters: Sequence[str], marks: Mapping[int, str]) -> str:
    """Return the word that consists of these characters, with the mark of each raised or lowered one.

    `BULLET_CODE` becomes a bullet at the start of the word, except before a digit, where it may be a sign. Surrogate
    pairs become one character.
    """
    word = "".join(characters)
    if marks:
        word = rendered("".join(run_of(sign, marks.get(place, "")) for place, sign in enumerate(characters)))
    if word.startswith(_BULLET_CHARACTER) and not word[1:2].isdigit():
        word = f"•{word[1:]}"
    return _with_joined_surrogates(word.replace(_BULLET_CHARACTER, _UNKNOWN_CHARACTER))


def _with_joined_surrogates(text: str) -> str:
    """Return the text with surrogate pairs combined."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")


def _is_presentation_form(code: int) -> bool:
    """Return whether the character is a ligature or an Arabic or Hebrew presentation form."""
    return 0xFB00 <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC  # noqa: PLR2004 - the blocks of Unicode
