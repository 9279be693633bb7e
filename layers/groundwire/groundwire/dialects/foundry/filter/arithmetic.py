"""Arithmetic of Milvus expressions: results of literals, and ranges of the fields that a sum or product admits.

A sum or product with a number never falls, or never rises, as the field grows. The values that meet a comparison are
therefore neighbours, and the bounds are found by halving the numbers that a field can have.
"""

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from groundwire.dialects.foundry.filter.errors import ExpressionError
from groundwire.domain.filters.expression import AllOf, Compare, Filter, Not, Operator
from groundwire.domain.filters.outcomes import Language

_INTEGERS: Final = 2**63
_EXACT_AS_FLOAT: Final = 2**53
_LARGEST: Final = 1.7976931348623157e308
(_LAST_ORDINAL,) = struct.unpack(">q", struct.pack(">d", _LARGEST))


def calculate(operator: str, left: float, right: float) -> float:
    """Return the result of two numbers; whole numbers have a whole result.

    Raises:
        ExpressionError: it has none, or one that is too large; the message says so.
    """
    whole = isinstance(left, int) and isinstance(right, int)
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        # Later Milvus servers refuse a zero divisor; earlier ones crashed.
        case _ if right == 0:
            raise ExpressionError("division by zero")
        case "/":
            result = _quotient(int(left), int(right)) if whole else left / right
        case _ if not whole:
            raise ExpressionError("`%` takes whole numbers")
        case _:
            result = left - right * _quotient(int(left), int(right))
    if (isinstance(result, float) and not math.isfinite(result)) or (whole and abs(result) > _INTEGERS):
        raise ExpressionError("the result is too large")
    return result


def _quotient(left: int, right: int) -> int:
    """Return the whole part of the quotient."""
    # Milvus cuts a quotient towards zero, and Python rounds it down.
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def calculation_range(field: str, operator: Operator, value: float, *, number: float, is_product: bool) -> Filter:
    """Return the range of a field whose sum or product with a number compares so with a value.

    Results are those of floats. Whole numbers from 2**53 on, which floats confuse, are calculated exactly.
    """
    if operator is Operator.NE:
        return Not(calculation_range(field, Operator.EQ, value, number=number, is_product=is_product))
    falls = is_product and number < 0
    result = _result(abs(number) if falls else number, value, is_product=is_product)

    def reaches(ordinal: int) -> bool:
        return result(_from_ordinal(ordinal)) >= value

    def exceeds(ordinal: int) -> bool:
        return result(_from_ordinal(ordinal)) > value

    low, high = -_LAST_ORDINAL, _LAST_ORDINAL
    if operator in (Operator.EQ, Operator.GE, Operator.GT):
        low = _first(exceeds if operator is Operator.GT else reaches)
    if operator in (Operator.EQ, Operator.LE, Operator.LT):
        high = _first(reaches if operator is Operator.LT else exceeds) - 1
    return _range(field, -high, -low) if falls else _range(field, low, high)


def _result(number: float, value: float, *, is_product: bool) -> Callable[[float], float | Fraction]:
    """Return the function of the field's value."""
    is_whole = isinstance(number, int) and isinstance(value, int)
    if is_whole and max(abs(number), abs(value)) >= _EXACT_AS_FLOAT:
        exact = Fraction(number)
        return (lambda held: Fraction(held) * exact) if is_product else (lambda held: Fraction(held) + exact)
    rounded = float(number)
    return (lambda held: held * rounded) if is_product else (lambda held: held + rounded)


def _first(test: Callable[[int], bool]) -> int:
    """Return the least ordinal that passes a test that all greater ones pass, too; the one after the last: none."""
    low, high = -_LAST_ORDINAL, _LAST_ORDINAL + 1
    while low < high:
        middle = (low + high) // 2
        if test(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _from_ordinal(ordinal: int) -> float:
    """Return the finite float at this place in the order of all, counted from zero."""
    (size,) = struct.unpack(">d", struct.pack(">q", abs(ordinal)))
    return math.copysign(size, ordinal)


def _range(field: str, low: int, high: int) -> Filter:
    """Return the filter for numbers between two places; it is unknown for other values."""

    def compare(operator: Operator, ordinal: int) -> Compare:
        return Compare(field, operator, _from_ordinal(ordinal), Language.MILVUS)

    if low > high:
        # No number is less: this is false for numbers and unknown for other values.
        return compare(Operator.LT, -_LAST_ORDINAL)
    if low == high:
        return compare(Operator.EQ, low)
    if high == _LAST_ORDINAL:
        return compare(Operator.GE, low)
    if low == -_LAST_ORDINAL:
        return compare(Operator.LE, high)
    return AllOf((compare(Operator.GE, low), compare(Operator.LE, high)))
