"""Parser of HTML: all that a browser shows as blocks, in order, and nothing that it hides.

It is the standard library's tokeniser, which does not recurse.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

from groundwire.adapters.parse.readers.html.appearance import Appearance, Declarations, hides_all
from groundwire.adapters.parse.readers.html.element_kinds import (
    BLOCK_ELEMENTS,
    VOID_ELEMENTS,
    ends_element,
    is_never_text,
)
from groundwire.adapters.parse.readers.html.formulas import shown_formula
from groundwire.adapters.parse.readers.html.furniture import SECTIONS, Region, is_furniture, is_page_link, region_of
from groundwire.adapters.parse.readers.html.open_table import OpenTable
from groundwire.adapters.parse.readers.html.style_sheets import HtmlAttributes, PageStyles
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.markup import text_with_host
from groundwire.domain.text.normalisation import normalise, normalise_code

_PROPERTIES: Final = {
    "author": "author",
    "description": "description",
    "keywords": "keywords",
    "date": "date",
    "article:published_time": "date",
    "dcterms.date": "date",
}
"""Names of `meta` elements, and of the fields that they become."""
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_ORDINARY: Final = Appearance()
_CELLS: Final = ("td", "th")
_SECTIONS_OF_TABLES: Final = ("thead", "tbody", "tfoot")


@dataclass(slots=True)
class _OpenElement:
    """An element that has not ended yet.

    Attributes:
        hides: it hides itself and all within.
        is_invisible: it does so by its style.
        is_furniture: it does so because it leads through the site.
    """

    tag: str
    hides: bool = False
    is_invisible: bool = False
    is_furniture: bool = False
    address: str = ""
    text_before: int = 0
    appearance: Appearance = _ORDINARY
    region: Region = Region.NONE


class PageReader(HTMLParser):
    """Reader that collects text into an open block, and ends the block where a browser starts a new line."""

    def __init__(self, styles: PageStyles, *, keeps_furniture: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.properties: dict[str, object] = {}
        self.regions: list[Region] = []
        self.has_hidden_text = False
        self.left_out_length = 0
        self._styles = styles
        self._keeps_furniture = keeps_furniture
        self._open: list[_OpenElement] = []
        self._hidden_depth = 0
        self._invisible_depth = 0
        self._furniture_depth = 0
        self._sections_open = 0
        self._has_title = False
        self._formula: str | None = None
        self._text: list[str] = []
        self._blocks: list[Block] = []
        self._tables: list[OpenTable] = []
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._counters: list[int | None] = []
        self._marker = ""

    def finish(self) -> list[Block]:
        """Return all blocks; elements that are still open end here."""
        while self._tables:
            self._end_table()
        self._flush()
        return self._blocks

    def handle_starttag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle a start tag; part of HTMLParser."""
        self._start(tag, attrs)
        if tag == "meta":
            self._read_meta(dict(attrs))
        if tag in VOID_ELEMENTS:
            return
        self._open.append(self._opened(tag, dict(attrs)))

    def _opened(self, tag: str, attributes: Mapping[str, str | None]) -> _OpenElement:
        """Return the element that opens, and count it among those that are open."""
        parent = self._open[-1] if self._open else _OpenElement("")
        style = self._styles.style_of(tag, attributes)
        leads = not self._keeps_furniture and (tag == "nav" or is_furniture(tag, attributes))
        is_skipped = leads or is_never_text(tag, attributes)
        is_invisible = not is_skipped and _is_invisible(attributes, style)
        self._hidden_depth += is_skipped or is_invisible
        self._invisible_depth += is_invisible
        self._furniture_depth += leads
        region = region_of(tag, attributes, parent.region, is_in_section=self._sections_open > 0)
        self._sections_open += tag in SECTIONS
        appearance = self._styles.appearance_of(tag, attributes, style, parent.appearance)
        hides = is_skipped or is_invisible
        address = attributes.get("href") or ""
        return _OpenElement(tag, hides, is_invisible, leads, address, len(self._text), appearance, region)

    def _is_hidden(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Return whether an element without content is not seen."""
        style = self._styles.style_of(tag, attributes)
        return is_never_text(tag, attributes) or is_furniture(tag, attributes) or _is_invisible(attributes, style)

    def handle_startendtag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle `<x/>`, which opens an element in HTML, unless it is a void one."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End the innermost open element of that name and all within it; part of HTMLParser."""
        if not ends_element(tag, (element.tag for element in reversed(self._open))):
            return
        while self._open:
            element = self._open[-1]
            self._hidden_depth -= element.hides
            self._invisible_depth -= element.is_invisible
            self._furniture_depth -= element.is_furniture
            self._sections_open -= element.tag in SECTIONS
            self._has_title |= element.tag == "title" and bool(self.title)
            self._end(element)
            self._open.pop()
            if element.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        """Handle text; part of HTMLParser."""
        if self._open and self._open[-1].tag == "title" and not self._tables and not self._has_title:
            self.title += data
        elif self._open and self._open[-1].tag == "annotation" and self._formula == "":
            self._formula = data
        elif not self._hidden_depth and (not self._open or self._open[-1].appearance.is_seen):
            self._text.append(data)
        elif self._hidden_depth == self._invisible_depth and any(map(str.isalnum, data)):
            self.has_hidden_text = True
        elif self._hidden_depth == self._furniture_depth:
            self.left_out_length += len(data.strip())

    def _read_meta(self, meta: Mapping[str, str | None]) -> None:
        """Store a property from a `meta` element; the first value of each property counts."""
        name = _PROPERTIES.get((meta.get("name") or meta.get("property") or "").lower())
        if name is not None and (text := (meta.get("content") or "").strip()):
            self.properties.setdefault(name, text)

    def _start(self, tag: str, attrs: HtmlAttributes) -> None:
        if self._hidden_depth or self._formula is not None:
            return
        if tag == "math":
            self._formula = dict(attrs).get("alttext") or ""
        elif tag == "br":
            self._text.append("\n")
        elif tag == "table":
            self._flush()
            self._tables.append(OpenTable(self._text))
            self._text = []
        elif self._tables and tag in ("tr", "caption", *_CELLS, *_SECTIONS_OF_TABLES):
            self._start_in_table(tag, attrs)
        elif tag in BLOCK_ELEMENTS or tag == "hr":
            self._flush()
            self._start_block(tag, attrs)

    def _start_block(self, tag: str, attrs: HtmlAttributes) -> None:
        """Set the kind of the block that this element opens."""
        if tag in _HEADINGS:
            self._kind, self._level = BlockKind.HEADING, _HEADINGS[tag]
        elif tag in ("pre", "listing", "xmp"):
            self._kind = BlockKind.CODE
        elif tag in ("ul", "menu"):
            self._counters.append(None)
        elif tag == "ol":
            start = dict(attrs).get("start") or "1"
            self._counters.append(int(start) if start.isdecimal() and len(start) < 10 else 1)  # noqa: PLR2004
        elif tag == "li":
            self._kind = BlockKind.LIST_ITEM
            if self._counters and (count := self._counters[-1]) is not None:
                self._marker, self._counters[-1] = f"{count}. ", count + 1
            if self._tables:
                self._part_from_item_before()
                self._text.append(self._marker)

    def _part_from_item_before(self) -> None:
        """Put a semicolon between two items of a list in a cell."""
        while self._text and not self._text[-1].strip():
            self._text.pop()
        if self._text:
            self._text[-1] = f"{self._text[-1].rstrip()}; "

    def _end(self, element: _OpenElement) -> None:
        tag = element.tag
        if self._hidden_depth or element.hides or (self._formula is not None and tag != "math"):
            return
        if tag == "math":
            self._end_formula(element)
        if tag == "a":
            inside = "".join(self._text[element.text_before :])
            if is_page_link(inside, element.address):
                del self._text[element.text_before :]
            elif element.address and inside.strip():
                self._text[element.text_before :] = [text_with_host(inside, element.address)]
        elif self._tables and tag in ("table", "caption", "thead", *_CELLS):
            self._end_in_table(tag)
        elif tag in BLOCK_ELEMENTS:
            self._end_block(tag)

    def _end_block(self, tag: str) -> None:
        self._flush()
        if tag in _HEADINGS or tag in ("li", "pre", "listing", "xmp"):
            # `_flush` resets these only after a block with text.
            self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        if tag in ("ul", "ol", "menu") and self._counters:
            self._counters.pop()

    def _flush(self) -> None:
        """End the open block; inside a table cell a new line is only a space."""
        if self._tables:
            self._text.append(" ")
            return
        raw = "".join(self._text)
        text = normalise_code(raw) if self._kind is BlockKind.CODE else normalise(raw)
        if text:
            self._add(Block(self._kind, self._marker + text, self._level))
            self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        self._text = []

    def _add(self, block: Block) -> None:
        self._blocks.append(block)
        self.regions.append(self._open[-1].region if self._open else Region.NONE)

    def _start_in_table(self, tag: str, attrs: HtmlAttributes) -> None:
        self._end_cell()
        table = self._tables[-1]
        if tag in _SECTIONS_OF_TABLES:
            table.in_head = tag == "thead"
        elif tag == "tr":
            table.start_row()
        else:
            self._text = []
            if tag in _CELLS:
                table.start_cell(tag, dict(attrs))

    def _end_formula(self, element: _OpenElement) -> None:
        """Put a formula's LaTeX in the place of its signs, where the page has it."""
        signs = "".join(self._text[element.text_before :])
        self._text[element.text_before :] = [shown_formula(self._formula or "", signs)]
        self._formula = None

    def _end_in_table(self, tag: str) -> None:
        table = self._tables[-1]
        if tag == "table":
            self._end_table()
        elif tag in _CELLS:
            self._end_cell()
        elif tag == "thead":
            table.in_head = False
        else:
            table.caption.append("".join(self._text))
            self._text = []

    def _end_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is not None and table.is_cell_open:
            table.end_cell("".join(self._text))
            self._text = []

    def _end_table(self) -> None:
        self._end_cell()
        table = self._tables.pop()
        self._text = table.text_before
        if self._tables:  # a table within a cell is that cell's text
            self._text.append(f" {table.text()} ")
        else:
            for block in table.blocks():
                self._add(block)


def _is_invisible(attributes: Mapping[str, str | None], style: Declarations) -> bool:
    return "hidden" in attributes or (bool(style) and hides_all(style))
