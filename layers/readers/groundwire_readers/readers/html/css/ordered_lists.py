"""Numbers of a page's list items, as a browser shows them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.html.css.counter_styles import CounterStyle, is_known, item_marker

Attributes = Mapping[str, str | None]
Position = tuple[int, int]
"""Line, from 1, and column of a tag."""

_TYPES: Final = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_INTEGER: Final = re.compile(r"\s*([-+]?[0-9]{1,9})")
_LIST_TAG: Final = re.compile(r"<(/?)(ol|ul|menu|dir|li)(?=[\s/>])([^<>]{0,2000})", re.IGNORECASE)
_REVERSED: Final = re.compile(r"\sreversed\b", re.IGNORECASE)
LISTS: Final = ("ul", "ol", "menu", "dir")
_ITEM_END: Final = "; "
ITEM_COUNTER: Final = "list-item"
"""Counter of CSS that counts the items of each list."""


@dataclass(slots=True)
class _OpenList:
    """Numbering of a list that has not ended; `shape` names its counter style, and `step` separates two numbers."""

    shape: str
    number: int
    step: int


class OpenLists:
    """Lists of a page that have not ended, the innermost last."""

    def __init__(self, styles: Mapping[str, CounterStyle]) -> None:
        """Take the counter styles of the page."""
        self._styles = styles
        self._lists: list[_OpenList] = []
        self._reversed_items: Mapping[Position, int] = {}

    def begin(self, page: str) -> None:
        """Begin a page."""
        self._reversed_items = _reversed_items(page)

    def open(self, tag: str, attributes: Attributes, style: Mapping[str, str], position: Position) -> None:
        """Open the list whose tag, with this style, is at the position."""
        is_ordered = tag == "ol"
        is_reversed = is_ordered and "reversed" in attributes
        first = self._reversed_items.get(position, 0) if is_reversed else 1
        start = _integer(attributes.get("start") if is_ordered else None, first)
        step = -1 if is_reversed else 1
        before = counter_value(style.get("counter-reset", ""), ITEM_COUNTER, 0)
        shape = self._counter_style(style) or _TYPES.get(
            attributes.get("type") or "", "decimal" if is_ordered else "disc"
        )
        self._lists.append(_OpenList(shape, start - step if before is None else before, step))

    def close(self) -> None:
        """Close the innermost list."""
        del self._lists[-1:]

    @property
    def number(self) -> int:
        """The number of the innermost list's last item; 0 outside of lists."""
        return self._lists[-1].number if self._lists else 0

    def next_marker(self, attributes: Attributes, style: Mapping[str, str]) -> str:
        """Count an item, and return its number with the point behind it; empty for a bullet, and outside of lists."""
        # An item that is displayed as a block is not counted.
        if not self._lists or not style.get("display", "list-item").endswith("list-item"):
            return ""
        current = self._lists[-1]
        step = counter_value(style.get("counter-increment", ""), ITEM_COUNTER, 1)
        number = current.number + (current.step if step is None else step)
        number = _integer(attributes.get("value"), number)
        fixed = counter_value(style.get("counter-set", ""), ITEM_COUNTER, 0)
        current.number = number if fixed is None else fixed
        shape = self._counter_style(style) or _TYPES.get(attributes.get("type") or "", current.shape)
        return item_marker(current.number, shape, self._styles)

    def _counter_style(self, style: Mapping[str, str]) -> str:
        """Return the name of the counter style that CSS declares for a list or an item; empty without a known one."""
        declared = style.get("list-style-type") or style.get("list-style") or ""
        if declared[:1] in ("'", '"'):
            return "none"  # a text in place of the number
        return next((word for word in declared.split() if is_known(word, self._styles)), "")


def separate_from_item_before(text: list[str]) -> None:
    """Separate list items in a table cell by a semicolon."""
    while text and not text[-1].strip():
        text.pop()
    if text and text[-1] != _ITEM_END:
        text[-1] = text[-1].rstrip()
        text.append(_ITEM_END)


def counter_value(declared: str, name: str, default: int) -> int | None:
    """Return the number that `counter-reset` and its like declare for a counter; None without it."""
    words = declared.split()
    if name not in words:
        return None
    place = words.index(name) + 1
    return _integer(words[place] if place < len(words) else None, default)


def _reversed_items(page: str) -> Mapping[Position, int]:
    """Return the number of items of each reversed list, by the position of its tag."""
    if _REVERSED.search(page) is None:
        return {}
    counts: dict[Position, int] = {}
    opened: list[Position | None] = []
    line, line_start, position = 1, 0, 0
    for tag in _LIST_TAG.finditer(page):
        line += page.count("\n", position, tag.start())
        line_start = max(line_start, page.rfind("\n", position, tag.start()) + 1)
        position = tag.start()
        if tag[2].lower() == "li":
            if not tag[1] and opened and (current := opened[-1]) is not None:
                counts[current] += 1
        elif tag[1]:
            del opened[-1:]
        else:
            opened.append((line, position - line_start) if _REVERSED.search(tag[3]) else None)
            if (current := opened[-1]) is not None:
                counts[current] = 0
    return counts


def _integer(text: str | None, default: int) -> int:
    found = _INTEGER.match(text or "")
    return default if found is None else int(found[1])
