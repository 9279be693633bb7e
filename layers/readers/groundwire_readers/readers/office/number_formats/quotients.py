"""Fractions of a number format, such as `# ?/?` and `# ?/8`."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from groundwire_readers.readers.office.number_formats.digits import DecimalLayout, decimal_layout, decimal_text
from groundwire_readers.readers.office.number_formats.digits import shown_literal as literal
from groundwire_readers.readers.office.number_formats.tokens import Token, TokenKind

_MAX_PLACES: Final = 7
"""Places of a denominator that are used; Excel uses fewer."""


@dataclass(frozen=True, slots=True)
class FractionLayout:
    """A section with a fraction.

    Attributes:
        before: literals before its numbers.
        whole: layout of the whole number; None if the fraction holds all.
        denominator: the denominator that is given; 0 where it is found.
        largest: largest denominator that is found.
        after: literals after it.
    """

    before: str
    whole: DecimalLayout | None
    denominator: int
    largest: int
    after: str


def fraction_layout(tokens: Sequence[Token]) -> FractionLayout | None:
    """Return the layout of a fraction; None if the slash of the section is between no places."""
    slash = next((position for position, token in enumerate(tokens) if token.kind is TokenKind.SLASH), 0)
    start = slash
    while start and tokens[start - 1].kind is TokenKind.DIGIT:
        start -= 1
    end = slash + 1
    while end < len(tokens) and (tokens[end].kind is TokenKind.DIGIT or _is_figure(tokens[end])):
        end += 1
    if start == slash or end == slash + 1:
        return None
    head = tokens[:start]
    has_whole = any(token.kind is TokenKind.DIGIT for token in head)
    places = "".join(token.text for token in tokens[slash + 1 : end])[:_MAX_PLACES]
    denominator = int(places) if places.isdecimal() and places.strip("0") else 0
    return FractionLayout(
        "" if has_whole else "".join(map(literal, head)),
        decimal_layout(head) if has_whole else None,
        denominator,
        10 ** len(places) - 1,
        "".join(map(literal, tokens[end:])),
    )


def _is_figure(token: Token) -> bool:
    return token.kind is TokenKind.LITERAL and len(token.text) == 1 and token.text in "123456789"


def fraction_text(layout: FractionLayout, size: Decimal) -> tuple[str, bool]:
    """Return the text of a number without its sign, and whether it shows any digit but zero."""
    exact = Fraction(size)
    whole = exact.numerator // exact.denominator if layout.whole is not None else 0
    rest = exact - whole
    if layout.denominator:
        top, bottom = int(rest * layout.denominator + Fraction(1, 2)), layout.denominator
    else:
        found = rest.limit_denominator(layout.largest)
        top, bottom = found.numerator, found.denominator
    if layout.whole is not None and top == bottom:
        whole, top = whole + 1, 0
    pieces = [layout.before]
    if layout.whole is not None:
        text, _ = decimal_text(layout.whole, Decimal(whole))
        pieces.append(text if whole or top else text.strip() or "0")
    if top or layout.whole is None:
        pieces.append(f" {top}/{bottom}" if layout.whole is not None and whole else f"{top}/{bottom}")
    return "".join([*pieces, layout.after]), bool(whole or top)
