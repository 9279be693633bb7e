"""Numbers of a page's list items, as a browser shows them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.number_formats import number_text

Attributes = Mapping[str, str | None]
Position = tuple[int, int]
"""Line, from 1, and column of a tag."""

_TYPES: Final = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
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
"""Number formats by the names of CSS Counter Styles 3; other names show a bullet, nothing, or an own style."""
_BULLETS: Final = frozenset({"none", "disc", "circle", "square", "disclosure-open", "disclosure-closed"})
_INTEGER: Final = re.compile(r"\s*([-+]?[0-9]{1,9})")
_LIST_TAG: Final = re.compile(r"<(/?)(ol|ul|menu|dir|li)(?=[\s/>])([^<>]{0,2000})", re.IGNORECASE)
_REVERSED: Final = re.compile(r"\sreversed\b", re.IGNORECASE)
LISTS: Final = ("ul", "ol", "menu", "dir")


@dataclass(slots=True)
class OpenList:
    """Numbering of a list that has not ended; `shape` names its counter style, and `step` separates two numbers."""

    shape: str
    next_number: int
    step: int

    def next_marker(self, attributes: Attributes, style: str) -> str:
        """Count an item, and return its number with the point behind it; empty for a bullet."""
        number = _integer(attributes.get("value"), self.next_number)
        self.next_number = number + self.step
        shape = style or _TYPES.get(attributes.get("type") or "", self.shape)
        if shape in _BULLETS:
            return ""
        return f"{number_text(number, _FORMATS.get(shape, 'decimal')) or number}. "


def open_list(tag: str, attributes: Attributes, style: str, items: int) -> OpenList:
    """Return a list that starts.

    Args:
        tag: name of its element.
        attributes: attributes of its element.
        style: counter style that its CSS declares; empty without one.
        items: number of its items, which a reversed list counts down from.
    """
    is_ordered = tag == "ol"
    is_reversed = is_ordered and "reversed" in attributes
    start = _integer(attributes.get("start") if is_ordered else None, items if is_reversed else 1)
    shape = style or _TYPES.get(attributes.get("type") or "", "decimal" if is_ordered else "disc")
    return OpenList(shape, start, -1 if is_reversed else 1)


def counter_style(style: Mapping[str, str]) -> str:
    """Return the name of the counter style that CSS declares for a list or an item; empty without a known one."""
    words = (style.get("list-style-type") or style.get("list-style") or "").split()
    return next((word for word in words if word in _FORMATS or word in _BULLETS), "")


def reversed_items(page: str) -> Mapping[Position, int]:
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
