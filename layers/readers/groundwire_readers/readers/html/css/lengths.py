"""Evaluation of CSS lengths and numbers, math functions included, in pixels of a typical page."""

import re
from typing import Final

_PIXELS: Final = {
    "px": 1.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "lh": 19.0,
    "rlh": 19.0,
    "vw": 12.0,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 12.0,
    "": 1.0,
}
"""Pixels per unit, for 16 px text and a 1,200 by 800 px viewport."""
_RELATIVE_UNITS: Final = frozenset({"em", "ex", "ch", "lh", "%"})
_NUMBER: Final = r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,2})?"
_LENGTH: Final = re.compile(rf"({_NUMBER})([a-z]{{1,4}}|%|)")
_TOKEN: Final = re.compile(rf"\s*(?:(calc|min|max|clamp)?\(|({_NUMBER})([a-z]{{1,4}}|%|)|([-+*/,)]))")
_MAX_CHARACTERS: Final = 100
_MAX_DEPTH: Final = 8
_OPERATORS: Final = ("+-", "*/")
_DEFAULT_FONT_PIXELS: Final = 16.0


def pixels_of(value: str, whole: float, text: float = _DEFAULT_FONT_PIXELS) -> float | None:
    """Return a length in pixels, or a number without a unit unchanged; None if the value is neither.

    Args:
        value: CSS value in lower case.
        whole: value of 100 %.
        text: font size in pixels, to which relative units such as "em" refer.
    """
    if (found := _LENGTH.fullmatch(value)) is not None:
        return _scaled(found[1], found[2], whole, text)
    if "(" not in value or len(value) > _MAX_CHARACTERS:
        return None
    try:
        return _Expression(value, whole, text).result()
    except (ValueError, ZeroDivisionError):
        return None


def _scaled(number: str, unit: str, whole: float, text: float) -> float | None:
    if unit == "%":
        return float(number) * whole / 100
    if unit not in _PIXELS:
        return None
    return float(number) * _PIXELS[unit] * (text / _DEFAULT_FONT_PIXELS if unit in _RELATIVE_UNITS else 1)


class _Expression:
    """Recursive descent evaluation of `calc`, `min`, `max` and `clamp`."""

    def __init__(self, value: str, whole: float, text: float) -> None:
        self._value = value
        self._whole = whole
        self._text = text
        self._position = 0

    def result(self) -> float:
        """Return the value.

        Raises:
            ValueError: the text is no valid expression.
        """
        value = self._operation(0, 0)
        if self._value[self._position :].strip():
            raise ValueError(self._value)
        return value

    def _operation(self, rank: int, depth: int) -> float:
        """Return the value of a sum (rank 0) or of a product (rank 1)."""
        if rank == len(_OPERATORS):
            return self._operand(depth)
        value = self._operation(rank + 1, depth)
        while (token := _TOKEN.match(self._value, self._position)) and token[4] and token[4] in _OPERATORS[rank]:
            self._position = token.end()
            other = self._operation(rank + 1, depth)
            match token[4]:
                case "+":
                    value += other
                case "-":
                    value -= other
                case "*":
                    value *= other
                case _:
                    value /= other
        return value

    def _operand(self, depth: int) -> float:
        token = _TOKEN.match(self._value, self._position)
        # A hostile style sheet nests functions to exhaust the stack.
        if token is None or token[4] or depth > _MAX_DEPTH:
            raise ValueError(self._value)
        self._position = token.end()
        if token[2] is None:
            return _apply_function(token[1] or "calc", self._arguments(depth + 1))
        if (value := _scaled(token[2], token[3], self._whole, self._text)) is None:
            raise ValueError(self._value)
        return value

    def _arguments(self, depth: int) -> list[float]:
        values = [self._operation(0, depth)]
        while True:
            token = _TOKEN.match(self._value, self._position)
            if token is None or token[4] not in (",", ")"):
                raise ValueError(self._value)
            self._position = token.end()
            if token[4] == ")":
                return values
            values.append(self._operation(0, depth))


def _apply_function(function: str, arguments: list[float]) -> float:
    match function, arguments:
        case "calc", [only]:
            return only
        case "min", _:
            return min(arguments)
        case "max", _:
            return max(arguments)
        case "clamp", [least, preferred, most]:
            return max(least, min(preferred, most))
        case _:
            raise ValueError(function)
