"""Evaluation of constant formulas of conditional formatting: those that do not depend on any cell."""

import re
from enum import StrEnum
from typing import Final

_MAX_CHARACTERS: Final = 8_192
"""Maximum length of a formula in Excel."""
_STRING_LITERAL: Final = re.compile(r'"(?:[^"]|"")*"')
_NAME: Final = re.compile(r"[^\W\d][\w.$!]*|\$")
_CONSTANT_NAMES: Final = frozenset({"TRUE", "FALSE", "NOT", "AND", "OR"})
_TRUTH_VALUES: Final = {"TRUE": True, "TRUE()": True, "FALSE": False, "FALSE()": False}
_NUMBER_FORM: Final = r"[-+]?\d{1,15}(?:\.\d{1,15})?"
_COMPARISON: Final = re.compile(rf'({_NUMBER_FORM}|"[^"]{{0,255}}")(=|<>|<=|>=|<|>)({_NUMBER_FORM}|"[^"]{{0,255}}")')


class ConditionTruth(StrEnum):
    """Cases in which a condition is true; CONSTANT is always or never, SOMETIMES depends on cells."""

    ALWAYS = "always"
    NEVER = "never"
    CONSTANT = "constant"
    SOMETIMES = "sometimes"


def condition_truth(formula: str) -> ConditionTruth:
    """Return when a condition with this formula is true.

    Only numbers, truth values and single comparisons of constants are evaluated.
    """
    text = formula.strip().lstrip("=").replace(" ", "").upper()
    if len(text) > _MAX_CHARACTERS:
        return ConditionTruth.SOMETIMES
    value = _value_of(text)
    if value is not None:
        return ConditionTruth.ALWAYS if value else ConditionTruth.NEVER
    names = _NAME.findall(_STRING_LITERAL.sub('""', text))
    return ConditionTruth.CONSTANT if _CONSTANT_NAMES.issuperset(names) else ConditionTruth.SOMETIMES


def _value_of(text: str) -> bool | None:
    """Return the truth value of a constant expression; None if it is not evaluated."""
    if text in _TRUTH_VALUES:
        return _TRUTH_VALUES[text]
    if re.fullmatch(_NUMBER_FORM, text):
        return float(text) != 0
    comparison = _COMPARISON.fullmatch(text)
    if comparison is None or comparison[1].startswith('"') != comparison[3].startswith('"'):
        return None
    first, operator, second = comparison.groups()
    order = (first > second) - (first < second)
    if not first.startswith('"'):
        order = (float(first) > float(second)) - (float(first) < float(second))
    return {"=": order == 0, "<>": order != 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0}[
        operator
    ]
