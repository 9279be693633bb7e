# ruff: noqa: RUF001 - these characters are meant
"""Unicode characters of symbol fonts, so that search finds what is displayed."""

from collections.abc import Mapping
from typing import Final

_SYMBOL: Final = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_UPPER: Final = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪�⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_WINGDINGS: Final = (
    " ✏✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠⚐🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉"
    "♊♋♌♍♎♏♐♑♒♓&&●❍■□❐❑❒⬧⧫◆❖⬥⌧⮹⌘❀✿❝❞�⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟·•�○○○◉◎○▪◻🟂✦★✶✴✹✵"
    "⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘⮚⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⇔⇕⬀⬁⬃⬂▭▫✗✓☒☑"
)
_FONTS: Final[Mapping[str, Mapping[int, str]]] = {
    "symbol": dict(enumerate(_SYMBOL, 0x20)) | dict(enumerate(_SYMBOL_UPPER, 0xA0)),
    "wingdings": dict(enumerate(_WINGDINGS, 0x20)),
    "wingdings 2": dict(zip(map(ord, " OPQRST\x96\x97\x98£"), " ✗✓☒☑☒☒•●⬤☐", strict=True)),
    "wingdings 3": {ord(" "): " "},
    "webdings": dict(zip(map(ord, " 3456acgnrY"), " ◀▶▲▼✓□■●✗♥", strict=True)),
}
"""Unicode characters of symbol fonts, by character code in the font."""
_UNKNOWN: Final = "\ufffd"
"""Replacement of a character without a Unicode equivalent."""
PRIVATE_USE: Final = range(0xF000, 0xF100)
"""Private use code points of the 256 codes of a symbol font."""
_MAX_HEX_DIGITS: Final = 6


def symbol(code: str, font: str) -> str:
    """Return the character that a font displays for a code in hexadecimal digits."""
    return _character(_number(code), font)


def text_in_font(text: str, font: str) -> str:
    """Return the characters that a font displays for a text."""
    return "".join(_displayed(sign, font) for sign in text) if font.lower() in _FONTS else text


def _displayed(sign: str, font: str) -> str:
    return sign if sign.isspace() else _character(ord(sign), font)


def _character(number: int, font: str) -> str:
    font_characters = _FONTS.get(font.lower())
    if font_characters is not None and (number < 0x100 or number in PRIVATE_USE):  # noqa: PLR2004 - a number of the font
        # Programs store such a character by its code in the font, either bare or added to F000.
        return font_characters.get(number & 0xFF, _UNKNOWN)
    is_character = 0x20 <= number < 0x110000 and not 0xD800 <= number < 0xE000  # noqa: PLR2004 - bounds of Unicode
    return _UNKNOWN if number in PRIVATE_USE or not is_character else chr(number)


def _number(digits: str) -> int:
    try:
        return int(digits, 16) if len(digits) <= _MAX_HEX_DIGITS else -1
    except ValueError:
        return -1
