"""Choice among code pages by the evidence of language: common letters of one language, within words, in their case."""

import re
import unicodedata
from collections import Counter
from itertools import islice
from typing import Final

_CANDIDATES: Final = (
    *("cp1252", "iso8859_15", "cp1250", "iso8859_2", "cp1254", "cp1257", "cp1251", "koi8_u", "cp1253"),
    *("cp437", "cp858", "cp852", "cp865", "cp857", "cp775", "cp737", "cp869", "cp866", "cp855"),
    *("mac_roman", "mac_latin2", "mac_turkish", "mac_greek", "mac_cyrillic"),
)
"""Code pages of Windows, of DOS and of the Mac, and of ISO 8859; of equal ones, the first is taken."""
_ALPHABETS: Final = (
    *("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíóúüñ", "áâãàçéêíóôõúü", "àèéìòù", "éëïóüöá", "æøåéê", "åäöé", "áðéíóúýþæö"),
    *("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîșțşţ", "čćđšž", "çğıöşüâî", "äõöüšž"),
    *("āčēģīķļņšūž", "ąčęėįšųūž", "àçéèíïóòúü·"),
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґђјљњћџў",
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
)
"""Letters beyond ASCII of European languages, one language each; of other scripts the whole alphabet."""
_MOST_CHARACTERS: Final = 2_000
_OTHER: Final = re.compile(r"[^\x00-\x7f]")
_OPENING: Final = "\u201c\u201e\u2018\u201a\u00bf\u00a1\u2039"
_CLOSING: Final = "\u201d\u2019\u2026\u203a"
_SIGNS: Final = "«»\u2013—€£§°·²³½¼¾±\xd7©®™•ºªµ\xa0"
_WORDS: Final = "àéóåöø"
"""Letters that are words."""
_RULES: Final = "\u2502\u2551"
"""Vertical lines of drawn tables, which may touch the text of a cell."""
_WITHIN_WORDS: Final = {"\u2019": 1.0, "\xa0": 0.0}
_IN_WORD, _UNLIKELY, _IMPOSSIBLE = -3.0, -1.0, -5.0


def likeliest(content: bytes, detected: str) -> str:
    """Return the code page in which the bytes are most likely text; the detected one where none is likelier.

    Args:
        content: start of a text that is not UTF-8.
        detected: codec that was found otherwise, which may have several bytes per character.
    """
    codecs = dict.fromkeys([detected, *_CANDIDATES])
    return max(codecs, key=lambda codec: _score(content.decode(codec, errors="replace")))


def _score(text: str) -> float:
    letters = Counter[str]()
    score = 0.0
    for match in islice(_OTHER.finditer(text), _MOST_CHARACTERS):
        at = match.start()
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if match[0].isalpha() and match[0] not in _SIGNS:
            # A letter alone is evidence of a language only where it is a word.
            is_alone = not (before.isalpha() or after.isalpha()) and match[0] < "\u3000"
            letters[match[0].lower()] += not is_alone
            score += (0.0 if match[0] in _WORDS else _UNLIKELY) if is_alone else _letter(match[0], before, after)
        else:
            score += _sign(match[0], before, after)
    return score + _language(letters)


def _language(letters: Counter[str]) -> float:
    """Return the evidence of the language that explains the letters best; ideographs explain themselves."""
    total = letters.total()
    ideographs = sum(number for letter, number in letters.items() if letter >= "\u3000")
    own = (sum(letters[letter] for letter in alphabet) for alphabet in _ALPHABETS)
    explained = ideographs + max(own, default=0)
    # An ideograph is two bytes, each of which can be a letter in other code pages, and few byte pairs are ideographs.
    return 2.0 * explained + 3.0 * ideographs - (total - explained)


def _letter(letter: str, before: str, after: str) -> float:
    if letter.isupper() and before.islower():
        return _IN_WORD
    # In a word of capitals, a single small letter is as unlikely.
    if letter.islower() and before.isupper() and after.isupper():
        return _IN_WORD
    scripts = {_script(each) for each in (before, letter, after) if each.isalpha()}
    return _IN_WORD if len(scripts) > 1 else 0.0


def _script(letter: str) -> str:
    return "" if letter.isascii() else unicodedata.name(letter, "").partition(" ")[0].removeprefix("LATIN")


def _sign(sign: str, before: str, after: str) -> float:
    if sign == "\ufffd" or "\x80" <= sign <= "\x9f":
        return _IMPOSSIBLE
    if before.isalpha() and after.isalpha():
        return _WITHIN_WORDS.get(sign, _IN_WORD)
    if _is_box(sign):
        # Tables are drawn with runs of one sign; capitals in other code pages do not recur so.
        is_in_cell = sign in _RULES or not (before.isalpha() or after.isalpha())
        return 3.0 if sign in (before, after) else 0.5 if is_in_cell else _IN_WORD
    if sign in _OPENING:
        is_in_place = after.isalnum() and not before.isalnum()
    elif sign in _CLOSING:
        is_in_place = not after.isalnum() and bool(before.strip())
    else:
        is_in_place = sign in _SIGNS or sign >= "\u3000"
    return 1.0 if is_in_place else _UNLIKELY


def _is_box(sign: str) -> bool:
    return "\u2500" <= sign <= "\u259f"
