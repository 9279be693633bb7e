"""Counter styles of CSS: those of CSS Counter Styles 3, and those that a page defines (`@counter-style`)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.html.css.appearance import unescaped

AT_RULE: Final = "@counter-style "
_FORMATS: Final = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    **dict.fromkeys(("lower-alpha", "lower-latin"), "lowerAlphabetic"),
    **dict.fromkeys(("upper-alpha", "upper-latin"), "upperAlphabetic"),
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "lower-greek": "lowerGreek",
    "hebrew": "hebrew2",
    **dict.fromkeys(("cjk-ideographic", "simp-chinese-informal", "japanese-informal"), "chineseCounting"),
    "cjk-decimal": "ideographDigital",
}
"""Number formats by the names of CSS; other names show a bullet, nothing, or a style of the page."""
_BULLETS: Final = frozenset({"none", "disc", "circle", "square", "disclosure-open", "disclosure-closed"})
_SYMBOL: Final = re.compile(r"\"((?:[^\"\\\n]|\\.){0,40})\"|'((?:[^'\\\n]|\\.){0,40})'|([^\s\"',]{1,40})")
_BOUND: Final = re.compile(r"-?\d{1,9}|infinite")
_INFINITE: Final = 10**9
_MAX_SYMBOLS: Final = 200
_MAX_STYLES: Final = 100
_MAX_EXTENSIONS: Final = 8
_MAX_DESCRIPTOR: Final = 400
_MAX_SIGNS: Final = 60
"""Length of a number above which CSS lets a browser show it in digits."""


@dataclass(frozen=True, slots=True)
class CounterStyle:
    """Rule for the numbers of a page; `values` are the descriptors of its rule and of those that it extends."""

    system: str
    values: Mapping[str, str]
    symbols: Sequence[str]

    def number(self, number: int) -> str | None:
        """Return the number without prefix and suffix; None where the style has none for it."""
        if not self._is_in_range(number):
            return None
        if self.system in _FORMATS:
            shown = number_text(number, _FORMATS[self.system])
        else:
            first = [int(word) for word in self.values.get("system", "").split()[1:2] if word.isdecimal()]
            shown = self._shown(number, first[0] if first else 1)
        length, padding = self._padding()
        return None if not shown or len(shown) > _MAX_SIGNS else padding * (length - len(shown)) + shown

    def _shown(self, number: int, first: int) -> str:
        negative = "-" if number < 0 and self.system not in ("cyclic", "fixed") else ""
        if self.system == "fixed":
            place = number - first
            return self.symbols[place] if 0 <= place < len(self.symbols) else ""
        system = _SYSTEMS.get(self.system, _symbolic)
        return negative + system(number if self.system == "cyclic" else abs(number), self.symbols)

    def _is_in_range(self, number: int) -> bool:
        bounds = _BOUND.findall(self._descriptor("range"))
        pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
        if not pairs:
            return number >= _LEAST.get(self.system, -_INFINITE)
        return any(_bound(low, -_INFINITE) <= number <= _bound(high, _INFINITE) for low, high in pairs)

    def _padding(self) -> tuple[int, str]:
        found = _symbols(self._descriptor("pad"))
        lengths = [int(one) for one in found if one.isdecimal() and len(one) < 3]  # noqa: PLR2004 - no longer padding
        return (min(lengths[0], _MAX_SIGNS), found[-1]) if lengths and len(found) > 1 else (0, "")

    def marker(self, number: str) -> str:
        """Return the number with prefix and suffix."""
        prefix, suffix = ("".join(_symbols(self._descriptor(name)))[:_MAX_SIGNS] for name in ("prefix", "suffix"))
        return f"{prefix}{number}{suffix if 'suffix' in self.values else '. '}"

    def _descriptor(self, name: str) -> str:
        # Read for each item of a list, so that a page must not make it long.
        return self.values.get(name, "")[:_MAX_DESCRIPTOR]


def _bound(text: str, infinite: int) -> int:
    return infinite if text == "infinite" else int(text)


def _cyclic(number: int, symbols: Sequence[str]) -> str:
    return symbols[(number - 1) % len(symbols)]


def _numeric(number: int, symbols: Sequence[str]) -> str:
    shown = ""
    while number and len(symbols) > 1:
        number, digit = divmod(number, len(symbols))
        shown = symbols[digit] + shown
    return shown or symbols[0]


def _alphabetic(number: int, symbols: Sequence[str]) -> str:
    shown = ""
    while number > 0 and len(symbols) > 1:
        number, place = divmod(number - 1, len(symbols))
        shown = symbols[place] + shown
    return shown


def _symbolic(number: int, symbols: Sequence[str]) -> str:
    turns, place = divmod(number - 1, len(symbols))
    return symbols[place] * (turns + 1) if 0 < number <= _MAX_SIGNS * len(symbols) else ""


def _additive(number: int, symbols: Sequence[str]) -> str:
    pairs = [
        (int(weight), sign) for weight, sign in zip(symbols[::2], symbols[1::2], strict=False) if weight.isdecimal()
    ]
    shown = next((sign for weight, sign in pairs if weight == number), "") if number == 0 else ""
    for weight, sign in pairs:
        if weight and number >= weight and len(shown) <= _MAX_SIGNS:
            count = min(number // weight, _MAX_SIGNS)
            shown += sign * count
            number -= weight * count
    return "" if number else shown


_SYSTEMS: Final[Mapping[str, Callable[[int, Sequence[str]], str]]] = {
    "cyclic": _cyclic,
    "numeric": _numeric,
    "alphabetic": _alphabetic,
    "symbolic": _symbolic,
    "additive": _additive,
}
_LEAST: Final = {"alphabetic": 1, "symbolic": 1, "additive": 0}
"""Least number of a system without a range of its own."""


def defined_styles(rules: Mapping[str, str]) -> dict[str, CounterStyle]:
    """Return the counter styles by name, in lower case, from the descriptors of their rules."""
    values = {name: _descriptors(text) for name, text in list(rules.items())[:_MAX_STYLES]}
    return {name: style for name in values if (style := _style(name, values)) is not None}


def _style(name: str, values: Mapping[str, Mapping[str, str]]) -> CounterStyle | None:
    own = dict(values[name])
    system = own.get("system", "symbolic").split()
    for _ in range(_MAX_EXTENSIONS):
        if system[:1] != ["extends"]:
            break
        base = system[1].lower() if len(system) > 1 else ""
        # Styles that extend each other in a circle extend the decimal one.
        if base not in values or _extends(base, name, values):
            system = [base if base in _FORMATS else "decimal"]
        else:
            own = {**values[base], **{key: text for key, text in own.items() if key != "system"}}
            system = own.get("system", "symbolic").split()
    if system[0] in _FORMATS:
        return CounterStyle(system[0], own, ())
    symbols = _symbols(own.get("additive-symbols" if system[0] == "additive" else "symbols", ""))[:_MAX_SYMBOLS]
    return CounterStyle(system[0], own, symbols) if symbols else None


def _extends(name: str, other: str, values: Mapping[str, Mapping[str, str]]) -> bool:
    for _ in range(_MAX_EXTENSIONS):
        words = values.get(name, {}).get("system", "").lower().split()
        if words[:1] != ["extends"] or len(words) == 1:
            return False
        name = words[1]
        if name == other:
            return True
    return True


def _descriptors(text: str) -> dict[str, str]:
    parts = (part.partition(":") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, colon, value in parts if colon and value.strip()}


def _symbols(text: str) -> list[str]:
    return [unescaped(one[1] or one[2] or one[3] or "") for one in _SYMBOL.finditer(text)]


def is_known(name: str, styles: Mapping[str, CounterStyle]) -> bool:
    """Return whether a counter style of this name exists, on the page or in CSS."""
    return name in styles or name in _FORMATS or name in _BULLETS


def styled_number(number: int, name: str, styles: Mapping[str, CounterStyle]) -> str:
    """Return a number in the counter style of this name; in digits where it is unknown."""
    style = styles.get(name)
    if style is None:
        return number_text(number, _FORMATS.get(name, "decimal")) or str(number)
    shown = style.number(number)
    if shown is None:
        fallback = style.values.get("fallback", "").lower()
        return styled_number(number, fallback if fallback in _FORMATS else "decimal", {})
    return shown


def item_marker(number: int, name: str, styles: Mapping[str, CounterStyle]) -> str:
    """Return the marker of a list item; empty for a bullet."""
    if name in _BULLETS:
        return ""
    shown = styled_number(number, name, styles)
    marker = styles[name].marker(shown) if name in styles else f"{shown}. "
    return marker if any(map(str.isalnum, shown)) or styles[name].system == "symbolic" else ""
