"""Counters of CSS (CSS Lists 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.html.css.counter_styles import CounterStyle, styled_number
from groundwire_readers.readers.html.css.ordered_lists import ITEM_COUNTER, counter_value

_CHANGES: Final = ("counter-reset", "counter-increment", "counter-set")
_DEFAULTS: Final = {"counter-reset": 0, "counter-increment": 1, "counter-set": 0}
_MAX_DEPTH: Final = 40
_MAX_COUNTERS: Final = 100
"""Bounds of the work for each element, which is done for all counters."""


@dataclass(slots=True)
class Counters:
    """Values of the counters at a place of a page.

    Attributes:
        is_used: whether the page has generated text.
        styles: counter styles of the page.
        quotations: number of open quotation marks that style sheets put.
    """

    is_used: bool
    styles: Mapping[str, CounterStyle]
    quotations: int = 0
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

    def text(self, name: str, style: str, separator: str, *, is_nested: bool) -> str:
        """Return the value of a counter in a counter style; with those of the elements around it if it is nested."""
        values = [value for value, _ in self._values.get(name, [])] or [0]
        return separator.join(styled_number(value, style, self.styles) for value in values[0 if is_nested else -1 :])

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
