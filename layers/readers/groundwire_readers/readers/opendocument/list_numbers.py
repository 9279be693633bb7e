"""Numbering of headings and list items of OpenDocument texts; the labels are inserted into the tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.opendocument.styles import STYLE, TABLE, TEXT, StyleChains, has_text
from groundwire_readers.readers.opendocument.text_blocks import SKIPPED_ELEMENTS

_FORMATS: Final = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""Word's names of the number formats of OpenDocument 1.3 (20.322)."""
_MAX_LEVEL: Final = 10
_MAX_DIGITS: Final = 6
_SEPARATED_BULLET: Final = "-"
"""Bullet in a table cell, where list items are not on separate lines."""
_IDENTITY: Final = "http://www.w3.org/XML/1998/namespace id"
_PARAGRAPHS: Final = (f"{TEXT} p", f"{TEXT} h")


@dataclass(frozen=True, slots=True)
class _Level:
    """One level of a list style; `number_format` is None for bullets, and empty for no number."""

    number_format: str | None
    prefix: str
    suffix: str
    start: int
    shown_levels: int


_ListStyle = Mapping[int, _Level]


@dataclass(slots=True)
class _ListCounts:
    """Item counts of a list, by level from 1."""

    counts: dict[int, int] = field(default_factory=dict[int, int])

    def next_label(self, style: _ListStyle, level: int, start: int | None) -> str | None:
        """Count one more item and return its label; None for a bullet, empty without a number."""
        own = style.get(level)
        first = 1 if own is None else own.start
        self.counts[level] = start if start is not None else self.counts.get(level, first - 1) + 1
        # An item restarts the levels below its own.
        self.counts = {one: count for one, count in self.counts.items() if one <= level}
        if own is None:
            return ""
        if not own.number_format:
            return own.number_format
        shown = range(max(1, level - own.shown_levels + 1), level + 1)
        numbers = [text for one in shown if (text := self._number(style, one))]
        return f"{own.prefix}{'.'.join(numbers)}{own.suffix}".strip()

    def _number(self, style: _ListStyle, level: int) -> str:
        own = style.get(level)
        if own is None or not own.number_format:
            return ""
        return number_text(self.counts.get(level, own.start), own.number_format)


class ListNumbers:
    """Numbering of the lists and headings of one file."""

    def __init__(self, trees: Sequence[Element]) -> None:
        """Take the XML trees that define styles."""
        self._styles: dict[str, _ListStyle] = {}
        self._chains = StyleChains(trees)
        self._outline: _ListStyle = {}
        for tree in trees:
            for style in tree.iter(f"{TEXT} list-style"):
                self._styles[style.get(f"{STYLE} name", "")] = _levels(style)
            for style in tree.iter(f"{TEXT} outline-style"):
                self._outline = _levels(style)
        self._headings = _ListCounts()
        self._lists: dict[str, _ListCounts] = {}
        self._last_of_style: dict[str, _ListCounts] = {}

    def write(self, element: Element, *, is_in_cell: bool = False) -> None:
        """Insert the labels of the lists and headings within an element, in document order."""
        for child in element:
            if child.tag in SKIPPED_ELEMENTS:
                continue
            if child.tag == f"{TEXT} list":
                self._write_list(child, None, "", 1, is_in_cell=is_in_cell)
            elif child.tag == f"{TEXT} h":
                self._write_heading(child)
            else:
                self.write(child, is_in_cell=is_in_cell or child.tag == f"{TABLE} table-cell")

    def _write_heading(self, heading: Element) -> None:
        if heading.get(f"{TEXT} is-list-header") == "true" or not self._follows_outline(heading):
            return
        level = min(_number(heading.get(f"{TEXT} outline-level", "1")) or 1, _MAX_LEVEL)
        restart = heading.get(f"{TEXT} restart-numbering") == "true"
        start = (_number(heading.get(f"{TEXT} start-value", "")) or 1) if restart else None
        if has_text(heading):
            _write_label(heading, self._headings.next_label(self._outline, level, start) or "")

    def _follows_outline(self, heading: Element) -> bool:
        """Return whether no style excludes the heading from outline numbering."""
        chain = self._chains.chain("paragraph", heading.get(f"{TEXT} style-name", ""))
        listed = (style.get(f"{STYLE} list-style-name") for style in chain)
        return next((name for name in listed if name is not None), None) != ""

    def _write_list(
        self, element: Element, outer: _ListCounts | None, name: str, level: int, *, is_in_cell: bool
    ) -> None:
        name = element.get(f"{TEXT} style-name", name)
        list_counts = self._list_of(element, name) if outer is None else outer
        self._last_of_style[name] = list_counts
        self._lists[element.get(_IDENTITY, "")] = list_counts
        for item in element:
            if item.tag == f"{TEXT} list-item":
                self._write_item(item, list_counts, name, level, is_in_cell=is_in_cell)
            is_second = False
            for child in item:
                if child.tag == f"{TEXT} list":
                    if is_second:
                        # A second nested list in the same item starts again.
                        list_counts.counts.pop(level + 1, None)
                    self._write_list(child, list_counts, name, min(level + 1, _MAX_LEVEL), is_in_cell=is_in_cell)
                    is_second = True
                elif child.tag not in _PARAGRAPHS:
                    self.write(child, is_in_cell=is_in_cell)

    def _write_item(self, item: Element, list_counts: _ListCounts, name: str, level: int, *, is_in_cell: bool) -> None:
        """Count an item with a paragraph, and insert its label."""
        first = next((child for child in item if child.tag in _PARAGRAPHS), None)
        if first is None:
            return
        if first.tag == f"{TEXT} h" and name not in self._styles:
            self._write_heading(first)
            return
        start = _number(item.get(f"{TEXT} start-value", ""))
        label = list_counts.next_label(self._styles.get(name, {}), level, start)
        bullet = _SEPARATED_BULLET if is_in_cell else ""
        _write_label(first, bullet if label is None else label)

    def _list_of(self, element: Element, name: str) -> _ListCounts:
        """Return the list that an outermost list element continues, else a new one."""
        identity = element.get(f"{TEXT} continue-list")
        continued = None if identity is None else self._lists.get(identity)
        if continued is None and element.get(f"{TEXT} continue-numbering") == "true":
            continued = self._last_of_style.get(name)
        return _ListCounts() if continued is None else continued


def _levels(style: Element) -> _ListStyle:
    return {
        level: _level(element)
        for element in style
        if (level := _number(element.get(f"{TEXT} level", ""))) and level <= _MAX_LEVEL
    }


def _level(element: Element) -> _Level:
    is_bullet = element.tag in (f"{TEXT} list-level-style-bullet", f"{TEXT} list-level-style-image")
    form = element.get(f"{STYLE} num-format", "")
    return _Level(
        None if is_bullet else (_FORMATS.get(form, "decimal") if form else ""),
        element.get(f"{STYLE} num-prefix", ""),
        element.get(f"{STYLE} num-suffix", ""),
        _number(element.get(f"{TEXT} start-value", "")) or 1,
        min(_number(element.get(f"{TEXT} display-levels", "")) or 1, _MAX_LEVEL),
    )


def _write_label(paragraph: Element, label: str) -> None:
    if label and has_text(paragraph):
        paragraph.text = f"{label} {paragraph.text or ''}"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None
