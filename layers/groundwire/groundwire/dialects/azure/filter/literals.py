"""Literals of OData: texts, exact integers, doubles, and points in time."""

import math
import re
from typing import Final

from groundwire.dialects.azure.filter.errors import OdataError
from groundwire.dialects.azure.filter.lexer import OdataToken
from groundwire.domain.filters.field_types import FieldType, field_type
from groundwire.domain.filters.moments import Moment, utc_moment
from groundwire_readers.text.normalisation import normalise

LiteralValue = str | int | float | bool | Moment | None
"""Value of a literal; None is `null`. A text has the form of stored ones."""

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DOUBLE: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(
    rf"({_DAY.pattern}T(?:[01][0-9]|2[0-3]):[0-9]{{2}}(?::[0-9]{{2}})?)"
    r"(?:(?<=:[0-9]{2}:[0-9]{2})\.([0-9]{1,12}))?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_INFINITIES: Final = {"INF": math.inf, "-INF": -math.inf, "NaN": math.nan}
_INTEGERS: Final = range(-(2**63), 2**63)

CONSTANTS: Final = {"true": True, "false": False, "null": None, "NaN": math.nan, "INF": math.inf}
"""Literals that are words."""


def read_text(token: OdataToken) -> str:
    """Return the text between quotes, in which a quote is written twice; it is normalised like stored texts."""
    return normalise(unquoted(token))


def unquoted(token: OdataToken) -> str:
    """Return the text between quotes as the caller wrote it."""
    return token.text[1:-1].replace("''", "'")


def read_number(token: OdataToken) -> int | float | Moment:
    """Return the number, an integer exactly, or the point in time; a date alone is midnight UTC.

    Raises:
        OdataError: it is neither, or is too large.
    """
    text = token.text
    # Whole numbers stay exact, for which a double has too few bits.
    if _INTEGER.fullmatch(text):
        number = int(text)
        if number not in _INTEGERS:
            raise OdataError(token.position, "the integer has more than 64 bits: put text in single quotes")
        return number
    if _DAY.match(text):
        return _moment(token)
    if text in _INFINITIES:
        return _INFINITIES[text]
    if not _DOUBLE.fullmatch(text):
        raise OdataError(token.position, "this is not a number or a date: put text in single quotes")
    number = float(text)
    if math.isinf(number):
        raise OdataError(token.position, "the number is too large")
    return number


def _moment(token: OdataToken) -> Moment:
    # The documentation of `filterAddOn` writes dates without a time, which the grammar does not have.
    found = _MOMENT.fullmatch(token.text if "T" in token.text else f"{token.text}T00:00Z")
    problem = (
        "write a point in time as 2024-05-31T00:00:00Z, with a zone, or as 2024-05-31 for the start of the day in UTC"
    )
    if found is None:
        raise OdataError(token.position, problem)
    try:
        return utc_moment(found[1] + found[3], found[2])
    except ValueError:
        raise OdataError(token.position, problem) from None


def literal_type(value: LiteralValue) -> FieldType | None:
    """Return the type of stored values that the literal is written for; null has no type."""
    match value:
        case None:
            return None
        case Moment():
            return FieldType.DATE
        case _:
            return field_type(value)
