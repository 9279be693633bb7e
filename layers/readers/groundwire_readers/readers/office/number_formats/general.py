"""The General format: as many digits as a cell shows."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

_WIDTH: Final = 11
"""Characters of a number with decimals, its sign apart (ISO/IEC 29500-1, 18.8.30)."""
_WHOLE_LIMIT: Final = 10**15
"""Whole numbers below it are shown with all their digits: they are often identifiers."""
_DECIMALS: Final = 9
_SIGNIFICANT_DIGITS: Final = 10
_SMALLEST_FIXED: Final = Decimal("0.0001")
_SCIENTIFIC_DECIMALS: Final = 5


def decimal_of(value: float) -> Decimal:
    """Return the number as a workbook holds it: with 15 significant digits."""
    return Decimal(format(value, ".15g"))


def general_text(value: float) -> str:
    """Return the text of a number in the General format."""
    if value.is_integer() and abs(value) < _WHOLE_LIMIT:
        return str(int(value))
    number = decimal_of(value)
    size = abs(number)
    sign = "-" if number < 0 else ""
    exact = format(size, "f")
    if size < _SMALLEST_FIXED and len(exact) <= _WIDTH:
        return sign + exact
    if size < _SMALLEST_FIXED or size >= _WHOLE_LIMIT:
        return sign + _scientific(size)
    whole_digits = len(str(int(size)))
    places = min(_DECIMALS, max(0, _SIGNIFICANT_DIGITS - whole_digits))
    return sign + _trimmed(format(size.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), "f"))


def _scientific(size: Decimal) -> str:
    mantissa, _, exponent = format(size, f".{_SCIENTIFIC_DECIMALS}E").partition("E")
    number = int(exponent)
    return f"{_trimmed(mantissa)}E{'-' if number < 0 else '+'}{abs(number):02d}"


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
