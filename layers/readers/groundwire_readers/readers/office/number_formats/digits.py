"""Digits of a number in the places of a format: decimals, thousands, percent, scientific form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Final

from groundwire_readers.readers.office.number_formats.tokens import Token, TokenKind

FILL_MARK: Final = "\x1f"
"""Character for the room that a format fills: a blank between words and numbers, nothing beside signs."""
_GROUP: Final = 3
_THOUSAND: Final = 3
"""Exponent of a thousand."""
_PRECISION: Final = 1_400
"""Digits of a calculation: those of the largest number, of its factors and of the decimals of the longest format."""


@dataclass(frozen=True, slots=True)
class DecimalLayout:
    """A section that shows digits.

    Attributes:
        whole, decimals, power: tokens before the decimal point, after it, and after the mark of the exponent.
        has_point: whether the point is shown.
        is_grouped: whether a comma stands between thousands.
        shift: power of ten that the number is multiplied by, for percent and for thousands left out.
        power_mark: such as "E+"; empty without an exponent.
    """

    whole: tuple[Token, ...]
    decimals: tuple[Token, ...]
    power: tuple[Token, ...]
    has_point: bool
    is_grouped: bool
    shift: int
    power_mark: str


def decimal_layout(tokens: Sequence[Token]) -> DecimalLayout:
    """Return the layout of the tokens of a section."""
    parts: tuple[list[Token], list[Token], list[Token]] = [], [], []
    at, has_point, power_mark = 0, False, ""
    for token in tokens:
        # A second point is shown as it is written, so only the first one divides the places.
        if token.kind is TokenKind.POINT and not has_point and not at:
            at, has_point = 1, True
        elif token.kind is TokenKind.EXPONENT and not power_mark:
            at, power_mark = 2, token.text.upper()
        else:
            parts[at].append(token)
    whole, grouping, scaling = _without_commas(parts[0], groups=True)
    decimals, _, more_scaling = _without_commas(parts[1], groups=False)
    percents = sum(token.kind is TokenKind.PERCENT for token in tokens)
    # Each percent sign multiplies by a hundred, each comma at the end divides by a thousand (ECMA-376, 18.8.31).
    shift = 2 * percents - _THOUSAND * (scaling + more_scaling)
    return DecimalLayout(whole, decimals, tuple(parts[2]), has_point, grouping, shift, power_mark)


def _without_commas(tokens: Sequence[Token], *, groups: bool) -> tuple[tuple[Token, ...], bool, int]:
    """Return the other tokens, whether a comma is between places, and the number of commas behind the last."""
    places = [position for position, token in enumerate(tokens) if token.kind is TokenKind.DIGIT]
    first, last = (places[0], places[-1]) if places else (len(tokens), len(tokens))
    kept: list[Token] = []
    is_grouped, scaling = False, 0
    after_place = False
    for position, token in enumerate(tokens):
        if token.kind is TokenKind.COMMA and first < position < last:
            is_grouped = groups
        elif token.kind is TokenKind.COMMA and after_place:
            scaling += 1
        else:
            after_place = position == last
            kept.append(token)
    return tuple(kept), is_grouped, scaling


def decimal_text(layout: DecimalLayout, size: Decimal) -> tuple[str, bool]:
    """Return the text of a number without its sign, and whether it shows any digit but zero."""
    with localcontext() as context:
        # The default of 28 digits would raise an error for large numbers of a workbook.
        context.prec = _PRECISION
        size = size.scaleb(layout.shift)
        places = _count_places(layout.decimals)
        exponent = 0
        if layout.power_mark:
            size, exponent = _mantissa(size, max(1, _count_places(layout.whole)), places)
        rounded = size.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
        whole, _, decimals = format(rounded, "f").partition(".")
    text = [*_whole_part(layout, whole.lstrip("0"))]
    text += ["."] if layout.has_point and not _drops_point(layout.decimals, decimals) else []
    text += _decimal_part(layout.decimals, decimals)
    if layout.power_mark:
        text += _power_part(layout, exponent)
    return "".join(text), bool(rounded)


def _drops_point(tokens: Sequence[Token], digits: str) -> bool:
    """Return whether no decimals are shown, since those of the number are zeros that the format does not ask for."""
    places = [token.text for token in tokens if token.kind is TokenKind.DIGIT]
    return bool(places) and all(place == "#" for place in places) and not digits.strip("0")


def _count_places(tokens: Sequence[Token]) -> int:
    return sum(token.kind is TokenKind.DIGIT for token in tokens)


def _mantissa(size: Decimal, step: int, places: int) -> tuple[Decimal, int]:
    """Return the mantissa, and the exponent as a multiple of the number of places before the point."""
    # Zero has no leading digit, and every program shows it with the exponent 0.
    if not size:
        return size, 0
    exponent = size.adjusted() // step * step
    mantissa = size.scaleb(-exponent)
    # With one decimal, 9.99 is rounded to 10.0, which needs one digit more than the format has.
    if mantissa.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) >= Decimal(1).scaleb(step):
        return mantissa.scaleb(-step), exponent + step
    return mantissa, exponent


def _whole_part(layout: DecimalLayout, digits: str) -> Iterator[str]:
    """Yield the pieces before the point; the first place takes all digits that have no place."""
    left = _count_places(layout.whole)
    if not left and layout.has_point and digits:
        yield digits
    is_first = True
    for token in layout.whole:
        if token.kind is not TokenKind.DIGIT:
            yield shown_literal(token)
            continue
        end = len(digits) - left + 1
        own = digits[0 if is_first else max(0, end - 1) : max(0, end)] or _empty_place(token.text)
        yield _grouped(own, left - 1) if layout.is_grouped else own
        is_first, left = False, left - 1


def _grouped(digits: str, behind: int) -> str:
    """Return digits with a comma after each that has a multiple of three digits `behind` it."""
    if not digits.strip():
        return digits
    pieces: list[str] = []
    for position, digit in enumerate(digits):
        after = behind + len(digits) - 1 - position
        pieces.append(f"{digit}," if after and after % _GROUP == 0 else digit)
    return "".join(pieces)


def _empty_place(place: str) -> str:
    return {"0": "0", "?": " "}.get(place, "")


def _decimal_part(tokens: Sequence[Token], digits: str) -> Iterator[str]:
    """Yield the pieces after the point: zeros at the end only in places that ask for them."""
    pieces: list[str] = []
    left = _count_places(tokens)
    is_shown = False
    for token in reversed(tokens):
        if token.kind is not TokenKind.DIGIT:
            pieces.append(shown_literal(token))
            continue
        left -= 1
        is_shown = is_shown or token.text == "0" or digits[left] != "0"
        pieces.append(digits[left] if is_shown else _empty_place(token.text))
    yield from reversed(pieces)


def _power_part(layout: DecimalLayout, exponent: int) -> Iterator[str]:
    yield layout.power_mark[0]
    if exponent < 0 or layout.power_mark.endswith("+"):
        yield "-" if exponent < 0 else "+"
    plain = DecimalLayout(layout.power, (), (), has_point=False, is_grouped=False, shift=0, power_mark="")
    yield from _whole_part(plain, str(abs(exponent)).lstrip("0"))


def shown_literal(token: Token) -> str:
    """Return the characters of a token that is no place of a digit; room that is left free is a blank or a mark."""
    if token.kind in (TokenKind.BLANK, TokenKind.FILL):
        return " " if token.kind is TokenKind.BLANK else FILL_MARK
    return token.text
