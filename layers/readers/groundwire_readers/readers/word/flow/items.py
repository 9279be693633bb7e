"""Items of the flow of a Word part."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.contents.parsed import Block
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.text.markup import text_with_host

_SEPARATED_BULLET: Final = "-"
"""Bullet in a table cell, where list items are not on separate lines."""


@dataclass(frozen=True, slots=True)
class Link:
    """Text of a link, and its address."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Image in a paragraph.

    Attributes:
        relationship: id of the relationship that leads to its file.
        title, alt_text: by its author.
        description: its alternative text as text of the document; a drawing of several pictures has it once.
    """

    relationship: str
    title: str
    alt_text: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class DrawnData:
    """Reference of a drawing to a chart or a diagram: tag of its element, and path of the part."""

    tag: str
    target: str


@dataclass(slots=True)
class Container:
    """Items of a body, a cell, a text box or a note.

    Attributes:
        element: its element; None for the whole part.
        boxes: of a text box: the boxes within it, which follow it.
        pending: paragraph whose mark is deleted, so that it may be the start of the next paragraph.
    """

    element: OpenElement | None
    items: "list[Item]" = field(default_factory=list["Item"])
    boxes: "list[Container]" = field(default_factory=list["Container"])
    pending: "Paragraph | None" = None


@dataclass(slots=True)
class Paragraph:
    """Line of text of its own, with its parts in order.

    Attributes:
        style: id of its style.
        in_cell: whether it is within a table cell.
        in_gallery: whether it is in a block that Word inserts as table of contents.
        number_id, level: its direct reference to a list.
        is_deleted: whether its paragraph mark is deleted or hidden.
        continues: whether its paragraph mark is deleted, so that it goes on in the next paragraph.
        ends_section: whether a section of pages ends with it.
        has_text, has_content: whether it has visible text, or a visible drawing or formula.
        label: its number; None for a bullet, empty outside of lists.
    """

    element: OpenElement
    style: str
    in_cell: bool = False
    in_gallery: bool = False
    number_id: str = ""
    level: int | None = None
    is_deleted: bool = False
    continues: bool = False
    ends_section: bool = False
    has_text: bool = False
    has_content: bool = False
    label: str | None = ""
    parts: "list[Part]" = field(default_factory=list["Part"])

    @property
    def own_text(self) -> str:
        """Its text with its number, without the addresses of links."""
        return self._label_before("".join(_texts(self.parts)))

    @property
    def text(self) -> str:
        """Its text as people see it, with the hosts of links."""
        shown = (
            text_with_host(part.text, part.address) if isinstance(part, Link) and part.text.strip() else text
            for part in self.parts
            for text in _texts([part])
        )
        return self._label_before("".join(shown))

    @property
    def pictures(self) -> "Iterator[Picture]":
        """Its pictures."""
        return (part for part in self.parts if isinstance(part, Picture))

    def remove_text(self) -> None:
        """Remove its text and its number; its pictures stay."""
        self.parts, self.label = list(self.pictures), ""

    def _label_before(self, text: str) -> str:
        label = _SEPARATED_BULLET if self.label is None and self.in_cell else self.label
        return f"{label} {text}" if label and self.has_text else text


def _texts(parts: "Iterable[Part]") -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Link):
            yield part.text


@dataclass(slots=True)
class TableCell:
    """Cell of a table, with the number of columns that it spans.

    Attributes:
        is_merged, is_continued: whether it is merged with cells of other rows, and not the first of them.
    """

    items: "list[Item]" = field(default_factory=list["Item"])
    columns: int = 1
    is_merged: bool = False
    is_continued: bool = False


@dataclass(slots=True)
class TableRow:
    """Row of a table."""

    cells: list[TableCell] = field(default_factory=list[TableCell])
    is_header: bool = False


@dataclass(slots=True)
class Table:
    """Rows of a table of a document; `caption` is its title in its properties."""

    rows: list[TableRow] = field(default_factory=list[TableRow])
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Footnote or endnote: the label that its mark shows, and its items; no mark refers to a note without a label."""

    label: str
    items: "list[Item]"


Part = str | Link | Picture | DrawnData | Container
"""Part of a paragraph: text, link, picture, chart or diagram, or text box."""
Item = Paragraph | Table | Block
"""Item of a flow; blocks are those of charts and diagrams."""


def flattened(items: Iterable[Item]) -> Iterator[Paragraph | Block]:
    """Yield the paragraphs of items and of the cells of their tables, in order; cells hold no tables."""
    for item in items:
        if isinstance(item, Table):
            for row in item.rows:
                for cell in row.cells:
                    yield from (inner for inner in cell.items if not isinstance(inner, Table))
        else:
            yield item
