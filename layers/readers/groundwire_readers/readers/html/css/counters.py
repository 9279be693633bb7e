"""Counters of CSS, and the text with them that style sheets put before elements (CSS Lists 3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.html.css.appearance import declarations_of
from groundwire_readers.readers.html.css.counter_styles import CounterStyle, styled_number
from groundwire_readers.readers.html.css.ordered_lists import ITEM_COUNTER, counter_value

PSEUDO_ELEMENT: Final = re.compile(r"::?(before|marker)\Z", re.IGNORECASE)
"""End of a selector of text that a style sheet puts before an element."""
_CHANGES: Final = ("counter-reset", "counter-increment", "counter-set")
_DEFAULTS: Final = {"counter-reset": 0, "counter-increment": 1, "counter-set": 0}
_DECLARATION: Final = re.compile(r"(?:\A|;)\s*(content|display)\s*:\s*([^;]{1,400})", re.IGNORECASE)
_STRING: Final = r"\"((?:[^\"\\\n]|\\.){0,80})\"|'((?:[^'\\\n]|\\.){0,80})'"
_PIECE: Final = re.compile(
    rf"{_STRING}|counters?\(\s*([\w-]{{1,80}})\s*(?:,\s*[\"']([^\"'\n]{{0,20}})[\"']\s*)?(?:,\s*([a-z][\w-]{{0,39}})\s*)?\)"
)
_ESCAPE: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
_MAX_DEPTH: Final = 40
_MAX_COUNTERS: Final = 100
"""Bounds of the work for each element, which is done for all counters."""


def generated_of(declarations: str, pseudo_element: str) -> dict[str, str]:
    """Return what a rule of a pseudo-element declares, with the value of `content` by its name if it has counters."""
    found = {name.lower(): value.strip() for name, value in _DECLARATION.findall(declarations)}
    if found.get("display", "").lower() == "none":
        return {}
    return declarations_of(declarations) | (
        {pseudo_element: found["content"]} if "counter" in found.get("content", "") else {}
    )


@dataclass(slots=True)
class Counters:
    """Values of the counters at a place of a page.

    Attributes:
        is_used: whether the page has text with counters.
        styles: counter styles of the page.
    """

    is_used: bool
    styles: Mapping[str, CounterStyle]
    _values: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])
    _depth: int = 0

    def open(self, style: Mapping[str, str], generated: Mapping[str, str], item: int) -> None:
        """Apply what the style of an element, and that of the text before it, declare; `item` is its list's number."""
        self._depth += 1
        for declared, depth in ((style, self._depth), (generated, self._depth + 1)):
            for change in _CHANGES:
                words = declared.get(change, "").split()
                for name in words if len(words) <= _MAX_DEPTH else ():
                    number = counter_value(declared[change], name, _DEFAULTS[change])
                    if number is not None and not name.lstrip("+-").isdigit() and name != ITEM_COUNTER:
                        self._change(change, name, number, depth)
        if item:
            self._values[ITEM_COUNTER] = [(item, self._depth)]

    def close(self) -> None:
        """Leave the innermost element: counters that its children made end."""
        self._depth -= 1
        for name, values in self._values.items():
            self._values[name] = [value for value in values if value[1] <= self._depth + 1]

    def text(self, content: str) -> str:
        """Return the text of a value of `content`."""
        return "".join(map(self._piece, _PIECE.finditer(content)))

    def _change(self, change: str, name: str, number: int, depth: int) -> None:
        if name not in self._values and len(self._values) >= _MAX_COUNTERS:
            return
        values = self._values.setdefault(name, [])
        if len(values) >= _MAX_DEPTH:
            del values[-1]
        if change == _CHANGES[0] or not values:
            # A sibling's counter of this name ends where the next one begins.
            del values[next((place for place, value in enumerate(values) if value[1] >= depth), _MAX_DEPTH) :]
            values.append((number, depth))
        else:
            value, made_at = values[-1]
            values[-1] = (value + number if change == _CHANGES[1] else number, made_at)

    def _piece(self, piece: re.Match[str]) -> str:
        if piece[3] is None:
            return _ESCAPE.sub(_character, piece[1] if piece[1] is not None else piece[2])
        values = [value for value, _ in self._values.get(piece[3], [])] or [0]
        shown = values if piece[0].startswith("counters") else values[-1:]
        return (piece[4] or "").join(styled_number(value, piece[5] or "decimal", self.styles) for value in shown)


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if code < 0xD800 else " "  # noqa: PLR2004 - codes above are surrogates and rare signs
