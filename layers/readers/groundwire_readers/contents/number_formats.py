"""Number formats of lists, by Word's names (ISO/IEC 29500-1, 17.18.59) and three for CSS; others are decimal."""

from collections.abc import Callable, Mapping
from typing import Final

_ROMAN_VALUES: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MAX_ROMAN: Final = 32_767
_MAX_REPETITIONS: Final = 30
"""Maximum repetition of a letter: in Word, "aa" follows "z"."""
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_GREEK: Final = "αβγδεζηθικλμνξοπρστυφχψω"
_RUSSIAN: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"
_KATAKANA: Final = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA: Final = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"
_HEAVENLY: Final = "甲乙丙丁戊己庚辛壬癸"
_EARTHLY: Final = "子丑寅卯辰巳午未申酉戌亥"
_GANADA: Final = "가나다라마바사아자차카타파하"
_ARABIC: Final = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
_HEBREW: Final = "אבגדהוזחטיכלמנסעפצקרשת"
_CHINESE_DIGITS: Final = "零一二三四五六七八九"
_CHINESE_ZERO: Final = "\u3007"
_FULL_WIDTH_ZERO: Final = 0xFF10
_CHINESE_UNITS: Final = ("", "十", "百", "千")
_MAX_CHINESE: Final = 9_999
_MAX_CIRCLED: Final = 20
_NOTE_SIGNS: Final = "*†‡§"
_WORDS: Final = (
    *("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"),
    *("Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"),
)
_TENS: Final = ("Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety")
_ORDINAL_WORDS: Final = (
    *(("one", "first"), ("two", "second"), ("three", "third"), ("ve", "fth"), ("eight", "eighth"), ("nine", "ninth")),
    ("y", "ieth"),
)
"""Ends of cardinals in words, with those of their ordinals; others add the end of `fourth`."""
_MAX_IN_WORDS: Final = 99


def number_text(number: int, number_format: str) -> str:
    """Return the number in the format of this name."""
    return _FORMATS.get(number_format, str)(number) if number >= 0 else str(number)


def _letters(alphabet: str) -> Callable[[int], str]:
    def text(number: int) -> str:
        turns, index = divmod(number - 1, len(alphabet))
        return alphabet[index] * min(turns + 1, _MAX_REPETITIONS) if number > 0 else ""

    return text


def _alphabetic(alphabet: str) -> Callable[[int], str]:
    """Return the format of CSS, in which "ab" follows "aa"."""

    def text(number: int) -> str:
        letters = ""
        while number > 0:
            number, index = divmod(number - 1, len(alphabet))
            letters = alphabet[index] + letters
        return letters

    return text


def _cycle(signs: str) -> Callable[[int], str]:
    return lambda number: signs[(number - 1) % len(signs)] if number > 0 else ""


def _roman(number: int) -> str:
    if number > _MAX_ROMAN:
        return str(number)
    text = ""
    for value, sign in _ROMAN_VALUES:
        count, number = divmod(number, value)
        text += sign * count
    return text


def _ordinal(number: int) -> str:
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _in_words(number: int) -> str:
    """Return the number as an English word, such as `Twenty-one`."""
    if number > _MAX_IN_WORDS:
        return str(number)
    if number < len(_WORDS):
        return _WORDS[number]
    tens, rest = divmod(number - len(_WORDS), 10)
    return _TENS[tens] + (f"-{_WORDS[rest].lower()}" if rest else "")


def _ordinal_in_words(number: int) -> str:
    if number > _MAX_IN_WORDS:
        return _ordinal(number)
    word = _in_words(number)
    found = next(((end, new) for end, new in _ORDINAL_WORDS if word.lower().endswith(end)), ("", "th"))
    ordinal = word[: len(word) - len(found[0])] + found[1]
    return ordinal[0].upper() + ordinal[1:]


def _chinese(number: int) -> str:
    """Return the number in Chinese counting words, such as 十二 and 一百零五."""
    if not 0 < number <= _MAX_CHINESE:
        return str(number)
    text = ""
    for power in (3, 2, 1, 0):
        digit = number // 10**power % 10
        if digit:
            text += _CHINESE_DIGITS[digit] + _CHINESE_UNITS[power]
        elif text and number % 10**power and not text.endswith("零"):
            text += "零"
    # Ten to nineteen are written without the one before the ten.
    return text.removeprefix("一") if text.startswith("一十") else text


def _ideographs(number: int) -> str:
    return "".join(_CHINESE_ZERO if digit == "0" else _CHINESE_DIGITS[int(digit)] for digit in str(number))


def _circled(number: int) -> str:
    return chr(0x2460 + number - 1) if 0 < number <= _MAX_CIRCLED else str(number)


def _full_width(number: int) -> str:
    return "".join(chr(ord(digit) - ord("0") + _FULL_WIDTH_ZERO) for digit in str(number))


_FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "decimalZero": lambda number: f"{number:02}",
    "lowerLetter": _letters(_LATIN),
    "upperLetter": _letters(_LATIN.upper()),
    "lowerAlphabetic": _alphabetic(_LATIN),
    "upperAlphabetic": _alphabetic(_LATIN.upper()),
    "lowerGreek": _alphabetic(_GREEK),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "ordinal": _ordinal,
    "cardinalText": _in_words,
    "ordinalText": _ordinal_in_words,
    "chicago": _letters(_NOTE_SIGNS),
    "none": lambda _: "",
    "russianLower": _letters(_RUSSIAN),
    "russianUpper": _letters(_RUSSIAN.upper()),
    "hebrew2": _letters(_HEBREW),
    "arabicAlpha": _letters(_ARABIC),
    "aiueo": _letters(_KATAKANA),
    "aiueoFullWidth": _letters(_KATAKANA),
    "iroha": _letters(_IROHA),
    "irohaFullWidth": _letters(_IROHA),
    "ganada": _letters(_GANADA),
    "ideographTraditional": _cycle(_HEAVENLY),
    "ideographZodiac": _cycle(_EARTHLY),
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "taiwaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
    "japaneseCounting": _chinese,
    "koreanDigital2": _chinese,
    "ideographDigital": _ideographs,
    "taiwaneseDigital": _ideographs,
    "japaneseDigitalTenThousand": _chinese,
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalFullWidth": _full_width,
    "decimalFullWidth2": _full_width,
    "numberInDash": lambda number: f"- {number} -",
}
