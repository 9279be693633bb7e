"""Formulas of conditions whose value does not depend on any cell."""

import re
from enum import StrEnum
from typing import Final

_LENGTH_MAX: Final = 8_192
"""Maximum length of a formula in a workbook."""
_TEXT: Final = re.compile(r'"(?:[^"]|"")*"')
_NAME: Final = re.compile(r"[^\W\d][\w.$!]*|\$")
_CONSTANT_NAMES: Final = frozenset({"TRUE", "FALSE", "NOT", "AND", "OR"})
_VALUES: Final = {"TRUE": True, "TRUE()": True, "FALSE": False, "FALSE()": False}
_NUMBER: Final = r"[-+]?\d{1,15}(?:\.\d{1,15})?"
_COMPARED: Final = re.compile(rf'({_NUMBER}|"[^"]{{0,255}}")(=|<>|<=|>=|<|>)({_NUMBER}|"[^"]{{0,255}}")')


class Holding(StrEnum):
    """Time at which a condition holds; CONSTANT is one that always or never does, without a computed value."""

    ALWAYS = "always"
    NEVER = "never"
    CONSTANT = "constant"
    SOMETIMES = "sometimes"


def holding_of(formula: str) -> Holding:
    """Return the cases in which a condition with this formula holds.

    Only numbers, truth values and single comparisons of constants are computed.
    """
    text = formula.strip().lstrip("=").replace(" ", "").upper()
    if len(text) > _LENGTH_MAX:
        return Holding.SOMETIMES
    value = _value_of(text)
    if value is not None:
        return Holding.ALWAYS if value else Holding.NEVER
    names = _NAME.findall(_TEXT.sub('""', text))
    return Holding.CONSTANT if _CONSTANT_NAMES.issuperset(names) else Holding.SOMETIMES


def _value_of(text: str) -> bool | None:
    if text in _VALUES:
        return _VALUES[text]
    if re.fullmatch(_NUMBER, text):
        return float(text) != 0
    found = _COMPARED.fullmatch(text)
    if found is None or found[1].startswith('"') != found[3].startswith('"'):
        return None
    first, sign, second = found.groups()
    order = (first > second) - (first < second)
    if not first.startswith('"'):
        order = (float(first) > float(second)) - (float(first) < float(second))
    return {"=": order == 0, "<>": order != 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0}[sign]
