"""Lengths and numbers of CSS, also those that its functions compute, in pixels of an ordinary page."""

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
"""Pixels of each unit, with common text and a common window."""
_RELATIVE: Final = frozenset({"em", "ex", "ch", "lh", "%"})
_NUMBER: Final = r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,2})?"
_LENGTH: Final = re.compile(rf"({_NUMBER})([a-z]{{1,4}}|%|)")
_TOKEN: Final = re.compile(rf"\s*(?:(calc|min|max|clamp)?\(|({_NUMBER})([a-z]{{1,4}}|%|)|([-+*/,)]))")
_CHARACTERS_MAX: Final = 100
_DEEPEST: Final = 8
_OPERATORS: Final = ("+-", "*/")
_ORDINARY: Final = 16.0


def pixels_of(value: str, whole: float, text: float = _ORDINARY) -> float | None:
    """Return a length in pixels, a number without a unit as it is; None for what is neither.

    Args:
        value: in lower case.
        whole: what 100 % is.
        text: size of the text that the length is in.
    """
    if (found := _LENGTH.fullmatch(value)) is not None:
        return _scaled(found[1], found[2], whole, text)
    if "(" not in value or len(value) > _CHARACTERS_MAX:
        return None
    try:
        return _Computation(value, whole, text).result()
    except (ValueError, ZeroDivisionError):
        return None


def _scaled(number: str, unit: str, whole: float, text: float) -> float | None:
    if unit == "%":
        return float(number) * whole / 100
    if unit not in _PIXELS:
        return None
    return float(number) * _PIXELS[unit] * (text / _ORDINARY if unit in _RELATIVE else 1)


class _Computation:
    """Value of `calc`, `min`, `max` and `clamp`."""

    def __init__(self, value: str, whole: float, text: float) -> None:
        self._value = value
        self._whole = whole
        self._text = text
        self._position = 0

    def result(self) -> float:
        """Return the value.

        Raises:
            ValueError: the text is no computation.
        """
        found = self._operation(0, 0)
        if self._value[self._position :].strip():
            raise ValueError(self._value)
        return found

    def _operation(self, rank: int, depth: int) -> float:
        """Return a sum (rank 0) or a product (rank 1)."""
        if rank == len(_OPERATORS):
            return self._operand(depth)
        found = self._operation(rank + 1, depth)
        while (token := _TOKEN.match(self._value, self._position)) and token[4] and token[4] in _OPERATORS[rank]:
            self._position = token.end()
            other = self._operation(rank + 1, depth)
            match token[4]:
                case "+":
                    found += other
                case "-":
                    found -= other
                case "*":
                    found *= other
                case _:
                    found /= other
        return found

    def _operand(self, depth: int) -> float:
        token = _TOKEN.match(self._value, self._position)
        # A hostile style sheet nests functions to exhaust the stack.
        if token is None or token[4] or depth > _DEEPEST:
            raise ValueError(self._value)
        self._position = token.end()
        if token[2] is None:
            return _joined(token[1] or "calc", self._arguments(depth + 1))
        if (found := _scaled(token[2], token[3], self._whole, self._text)) is None:
            raise ValueError(self._value)
        return found

    def _arguments(self, depth: int) -> list[float]:
        found = [self._operation(0, depth)]
        while True:
            token = _TOKEN.match(self._value, self._position)
            if token is None or token[4] not in (",", ")"):
                raise ValueError(self._value)
            self._position = token.end()
            if token[4] == ")":
                return found
            found.append(self._operation(0, depth))


def _joined(function: str, arguments: list[float]) -> float:
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
