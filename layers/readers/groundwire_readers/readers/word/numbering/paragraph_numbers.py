"""Editor that inserts the numbers of headings and list items as text at the start of their paragraphs.

The parser library numbers the items of each list from 1, and does not number headings. So each numbered paragraph is
moved to the one bullet list of `BULLETS`, and its number becomes text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.word.numbering.definitions import LEVELS, ListDefinition
from groundwire_readers.readers.word.part_editing import Edit, OpenElement, run_xml
from groundwire_readers.readers.word.styles import NumberReference, WordStyles
from groundwire_readers.readers.word.word_elements import number_of

BULLETS: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    b'<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum '
    b'w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl></w:abstractNum>'
    b'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)
"""Replacement of `numbering.xml` with a single bullet list."""
_LIST_ITEM: Final = b'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
_NO_LIST: Final = "0"
_LEVEL_PLACEHOLDER: Final = re.compile(r"%([1-9])")
_MAX_LABEL: Final = 200
_SEPARATED_BULLET: Final = "-"
"""Bullet in a table cell, where list items are not on separate lines."""
_TEXT_ELEMENTS: Final = ("w:t", "m:t")
_CONTENT_ELEMENTS: Final = ("w:drawing", "w:pict", "w:object", "m:oMath")
_PRIVATE_USE: Final = range(0xE000, 0xF900)


class NumberCounter:
    """Counters of all lists of a file."""

    def __init__(self, definitions: Mapping[str, ListDefinition]) -> None:
        self._definitions = definitions
        self._counts: dict[str, list[int | None]] = {}
        self._seen: set[tuple[str, int]] = set()

    def next_label(self, reference: NumberReference) -> str | None:
        """Count one more paragraph and return its label; None for a bullet, empty without a number."""
        definition = self._definitions.get(reference.number_id)
        if definition is None:
            return ""
        level = definition.level_of_style(reference.style) if reference.style else None
        if level is None:
            level = min(reference.level or 0, LEVELS - 1)
        counts = self._counts.setdefault(definition.counter, [None] * LEVELS)
        self._count(reference.number_id, definition, counts, level)
        own = definition.levels[level]
        return None if own.number_format == "bullet" else _label(definition, counts, level)

    def _count(self, number_id: str, definition: ListDefinition, counts: list[int | None], level: int) -> None:
        """Count the item; higher levels without an item yet get their start number."""
        for index in range(level + 1):
            if index in definition.restarts and (number_id, index) not in self._seen:
                self._seen.add((number_id, index))
                counts[index] = None
        for index in range(level):
            if counts[index] is None:
                counts[index] = definition.levels[index].start
        former = counts[level]
        counts[level] = definition.levels[level].start if former is None else former + 1
        for index in range(level + 1, LEVELS):
            restart = definition.levels[index].restart
            # `lvlRestart` counts levels from 1, this code from 0.
            if restart is None or level < restart:
                counts[index] = None


def _label(definition: ListDefinition, counts: list[int | None], level: int) -> str:
    own = definition.levels[level]

    def number(place: re.Match[str]) -> str:
        index = int(place[1]) - 1
        count = counts[index]
        shown = definition.levels[index].start if count is None else count
        used = definition.levels[index].number_format
        if own.is_legal and used not in ("none", "bullet"):
            used = "decimal"
        return number_text(shown, used)

    text = _LEVEL_PLACEHOLDER.sub(number, own.text[:_MAX_LABEL]).strip()
    return "".join(sign for sign in text if ord(sign) not in _PRIVATE_USE)


@dataclass(slots=True)
class _Paragraph:
    """An open paragraph.

    Attributes:
        label_at: byte at which its label is inserted.
        number_id, level: its direct reference to a list.
        own_first, own_end: byte range of that reference.
        is_deleted: whether its paragraph mark is deleted or hidden.
        has_text, has_content: whether it has visible text, or a visible drawing or formula.
    """

    element: OpenElement
    label_at: int
    is_in_cell: bool
    style: str
    properties: OpenElement | None = None
    number_id: str = ""
    level: int | None = None
    own_first: int = 0
    own_end: int = 0
    is_deleted: bool = False
    has_text: bool = False
    has_content: bool = False


@dataclass(slots=True)
class ParagraphNumbers:
    """Editor of one part; the counter is shared by all parts of the file."""

    styles: WordStyles
    counter: NumberCounter
    edits: list[Edit] = field(default_factory=list[Edit])
    _open: list[_Paragraph] = field(default_factory=list[_Paragraph])
    _cells: int = 0

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        tag = element.tag
        if tag == "w:p":
            style = self.styles.default_paragraph_style
            self._open.append(_Paragraph(element, element.content, self._cells > 0, style))
        elif tag == "w:tc":
            self._cells += 1
        elif self._open:
            if tag in _CONTENT_ELEMENTS:
                self._open[-1].has_content = True
            elif element.parent_tag in ("w:pPr", "w:numPr", "w:rPr"):
                self._read_property(element, self._open[-1])

    def _read_property(self, element: OpenElement, paragraph: _Paragraph) -> None:
        parent = element.parent
        holder = None if parent is None else parent.parent
        if element.parent_tag == "w:pPr" and holder is paragraph.element:
            paragraph.properties = parent
            if element.tag == "w:pStyle":
                paragraph.style = element.value
        elif element.parent_tag == "w:numPr" and holder is paragraph.properties:
            if element.tag == "w:numId":
                paragraph.number_id = element.value
            elif element.tag == "w:ilvl":
                paragraph.level = number_of(element.value)
        elif element.parent_tag == "w:rPr" and holder is paragraph.properties:
            paragraph.is_deleted |= element.tag in ("w:del", "w:vanish") and element.is_on

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag in _TEXT_ELEMENTS and self._open and data.strip():
            run = element.parent
            if run is None or not run.is_hidden:
                self._open[-1].has_text = True

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if element.tag == "w:tc":
            self._cells -= 1
        elif self._open:
            paragraph = self._open[-1]
            if element.tag == "w:p":
                self._end_paragraph(self._open.pop())
            elif element.tag == "w:pPr" and element.parent is paragraph.element:
                paragraph.properties, paragraph.label_at = element, end
            elif element.tag == "w:numPr" and element.parent is paragraph.properties:
                paragraph.own_first, paragraph.own_end = element.first, end

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        label = self._label(paragraph)
        is_listed = label != ""
        if paragraph.own_end:
            replacement = _LIST_ITEM if is_listed else b""
            self.edits.append(Edit(paragraph.own_first, paragraph.own_end, replacement))
        elif is_listed:
            self._add_list(paragraph)
        if label is None and paragraph.is_in_cell:
            label = _SEPARATED_BULLET
        if label and paragraph.has_text:
            self.edits.append(Edit(paragraph.label_at, paragraph.label_at, run_xml(f"{label} ")))

    def _label(self, paragraph: _Paragraph) -> str | None:
        """Count the paragraph and return its label; None for a bullet, empty outside of lists."""
        reference = self._reference(paragraph)
        if reference is None or reference.number_id == _NO_LIST:
            return ""
        if paragraph.is_deleted and not (paragraph.has_text or paragraph.has_content):
            return ""
        return self.counter.next_label(reference)

    def _reference(self, paragraph: _Paragraph) -> NumberReference | None:
        if paragraph.number_id:
            return NumberReference(paragraph.number_id, paragraph.level)
        found = self.styles.number_reference(paragraph.style)
        if found is None or paragraph.level is None:
            return found
        return NumberReference(found.number_id, paragraph.level)

    def _add_list(self, paragraph: _Paragraph) -> None:
        """Add a list reference to a paragraph that is numbered by its style."""
        properties = paragraph.properties
        if properties is not None and properties.content < paragraph.label_at:
            self.edits.append(Edit(properties.content, properties.content, _LIST_ITEM))
        else:
            whole = b"<w:pPr>" + _LIST_ITEM + b"</w:pPr>"
            self.edits.append(Edit(paragraph.label_at, paragraph.label_at, whole))


class StyleNumbers:
    """Editor that removes list references from styles, since each paragraph gets a direct one."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if element.tag == "w:numPr":
            self.edits.append(Edit(element.first, end))
