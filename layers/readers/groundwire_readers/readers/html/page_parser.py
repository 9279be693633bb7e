"""Parser of HTML pages to blocks of visible text, on the standard library's tokeniser.

The tokeniser does not recurse, so deeply nested pages cannot exhaust the stack.
"""

from functools import partial
from html.parser import HTMLParser
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html import element_kinds
from groundwire_readers.readers.html.css import counters, ordered_lists
from groundwire_readers.readers.html.css.generated_text import generated_text, marker_text
from groundwire_readers.readers.html.css.style_sheets import Declarations, HtmlAttributes, PageStyles
from groundwire_readers.readers.html.formulas import OpenFormula
from groundwire_readers.readers.html.furniture import is_page_link
from groundwire_readers.readers.html.grid import OpenTable
from groundwire_readers.readers.html.open_elements import Attributes, OpenElements, PageElement
from groundwire_readers.readers.html.typography import PageLooks
from groundwire_readers.text.markup import text_with_host
from groundwire_readers.text.normalisation import normalise, normalise_code
from groundwire_readers.text.runs import rendered, run_of

_SPLIT_KINDS: Final = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
"""Kinds of blocks that an empty line splits."""
_FILE_START: Final = (1, 0)
"""Line and column of an XML declaration."""


class PageReader(HTMLParser):
    """Parser that collects text into an open block, and ends the block where a browser starts a new line."""

    def __init__(self, styles: PageStyles, *, keeps_furniture: bool = False, is_xml: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.properties: dict[str, object] = {}
        self.looks = PageLooks()
        self.has_hidden_text = False
        self.left_out_length = 0
        self._elements = OpenElements(styles, keeps_furniture=keeps_furniture, is_xml=is_xml)
        self._is_xml = is_xml
        self._title: list[str] = []
        self._has_title = False
        self._link: PageElement | None = None
        self._formula: OpenFormula | None = None
        self._text: list[str] = []
        self._after_break: int | None = None
        self._blocks: list[Block] = []
        self._tables: list[OpenTable] = []
        self._inner_tables = 0
        self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        self._lists = ordered_lists.OpenLists(styles.counters)
        self._counters = counters.Counters(bool(styles.generated), styles.counters)

    @property
    def title(self) -> str:
        """The title in the page's head; empty without one."""
        return "".join(self._title)

    def finish(self) -> list[Block]:
        """Return all blocks; elements that are still open end here."""
        while self._tables:
            self._end_table()
        self._flush()
        return self._blocks

    def feed(self, data: str) -> None:
        """Parse a whole page."""
        self._lists.begin(data)
        super().feed(data)

    def handle_starttag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle a start tag; part of HTMLParser."""
        for ended in self._elements.ended_by_start(tag):
            self._end(ended)
        attributes = dict(reversed(attrs))  # the first of several attributes of one name counts
        if tag == "meta":
            self.properties = {**element_kinds.meta_properties(attributes), **self.properties}  # the first counts
        if tag in element_kinds.VOID_ELEMENTS:
            self._start(tag, attributes)
            return
        if tag == "a" and self._link is not None and not self._elements.is_hidden:
            self._end_link(self._link)
        element = self._elements.element(tag, attributes, len(self._text))
        if not element.hides:
            self._text.append(element.gaps[0])
            self._start(tag, attributes, element.level)
        elif tag in element_kinds.BLOCK_ELEMENTS and not self._elements.is_hidden and self._formula is None:
            self._flush()
        self._generate(element, attributes)
        self.looks.add_anchor(tag, attributes)
        self._elements.open(element)
        if tag == "a" and not self._elements.is_hidden:
            self._link = element

    def _generate(self, element: PageElement, attributes: Attributes) -> None:
        """Count an element, and add the text that its style puts before it, behind it, and in place of its number."""
        if not self._counters.is_used and element.tag != "q":
            return
        is_hidden = element.hides or self._elements.is_hidden
        style: Declarations = {} if is_hidden else self._elements.style_of(element.tag, attributes)
        before, after, marker = (self._elements.generated_of(each, element) for each in ("before", "after", "marker"))
        self._counters.open(style, {**marker, **before}, self._lists.number if element.tag == "li" else 0)
        if "content" in marker and self._marker:
            self._marker = marker_text(marker, attributes, self._counters)
        text = partial(generated_text, element.tag, attributes, self._counters)
        self._text.append(text(before))
        element.behind = partial(text, after)

    def handle_startendtag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle `<x/>`: a start tag in HTML, unless the element is void, and a whole element in XML."""
        self.handle_starttag(tag, attrs)
        if (self._is_xml or self._formula is not None) and tag not in element_kinds.VOID_ELEMENTS:
            self.handle_endtag(tag)

    def handle_pi(self, data: str) -> None:
        """Handle `<?xml …>`, which declares that the page is XML; part of HTMLParser."""
        self._elements.is_xml |= self.getpos() == _FILE_START and data[:4].rstrip() == "xml"

    def handle_endtag(self, tag: str) -> None:
        """End the innermost open element of that name and all within it; part of HTMLParser."""
        for ended in self._elements.ended_by_end(tag):
            self._end(ended)

    def handle_data(self, data: str) -> None:
        """Handle text; part of HTMLParser."""
        elements = self._elements
        if data.strip():
            for ended in elements.end_head():
                self._end(ended)
        if elements.is_in_title and not self._tables and not self._has_title:
            self._title.append(data)
        elif elements.innermost.tag == "annotation" and self._formula is not None and not self._formula.latex:
            self._formula.latex = data
        elif not elements.is_hidden and elements.innermost.appearance.is_visible:
            shown = run_of(data, elements.innermost.mark) if self._formula is None else data
            (self._text if self._formula is None else self._formula).append(shown)
            self.looks.add(data, elements.innermost.appearance, self._link.address if self._link else "")
        elif elements.is_hidden_by_style and any(map(str.isalnum, data)):
            self.has_hidden_text = True
        elif elements.is_furniture:
            self.left_out_length += len(data.strip())

    def _start(self, tag: str, attributes: Attributes, level: int = 0) -> None:
        if self._elements.is_hidden:
            return
        if self._formula is not None:
            self._formula.start(tag)
        elif tag == "math":
            self._formula = OpenFormula(attributes.get("alttext") or "")
        elif tag == "br":
            self._break_line()
        elif tag == "input" and self._elements.shows_field(tag, attributes):
            self._text.append(element_kinds.field_text(attributes))
        elif tag == "table" or (self._tables and tag in element_kinds.TABLE_PARTS):
            self._start_in_table(tag, attributes)
        elif tag in element_kinds.BLOCK_ELEMENTS or tag == "hr":
            self._flush()
            self._start_block(tag, attributes, level)

    def _break_line(self) -> None:
        """Start a new line; after an empty line a new paragraph, except in a heading, code or a table cell."""
        if self._tables or self._kind not in _SPLIT_KINDS:
            self._text.append("\n")
        elif self._after_break is not None and not any(map(str.strip, self._text[self._after_break :])):
            self._flush()
        else:
            self._text.append("\n")
            self._after_break = len(self._text)

    def _start_block(self, tag: str, attributes: Attributes, level: int) -> None:
        """Set the kind of the block that this element opens; a level makes it a heading."""
        if level:
            self._kind, self._level = BlockKind.HEADING, level
        elif tag in ("pre", "listing", "xmp"):
            self._kind = BlockKind.CODE
        elif tag in ordered_lists.LISTS:
            self._lists.open(tag, attributes, self._elements.style_of(tag, attributes), self.getpos())
        elif tag == "li":
            self._kind = BlockKind.LIST_ITEM
            self._marker = self._lists.next_marker(attributes, self._elements.style_of(tag, attributes))
            if self._tables:
                ordered_lists.separate_from_item_before(self._text)
                self._text.append(self._marker)

    def _end_link(self, link: PageElement) -> None:
        """Append the host of a link to its text, once."""
        if not link.address:
            return
        inside = "".join(self._text[link.text_before :])
        self.looks.add_link(link.address, inside)
        if is_page_link(rendered(inside), link.address):
            del self._text[link.text_before :]
        elif inside.strip():
            self._text[link.text_before :] = [text_with_host(inside, link.address)]
        link.address = ""
        self._after_break = None

    def _end(self, element: PageElement) -> None:
        tag = element.tag
        self._has_title |= tag == "title" and bool(self._title)
        self._link = None if element is self._link else self._link
        self._counters.close()
        if self._elements.is_hidden or element.hides:
            return
        self._text += [element.behind()] if element.behind is not None else []
        if self._formula is not None:
            self._end_in_formula(self._formula, tag)
        elif tag == "a":
            self._end_link(element)
        elif self._tables and tag in element_kinds.TABLE_PARTS:
            self._end_in_table(tag)
        elif tag in element_kinds.BLOCK_ELEMENTS:
            self._end_block(tag, element.level)
        self._text.append(element.gaps[1])

    def _end_block(self, tag: str, level: int) -> None:
        self._flush()
        if level or tag in ("li", "pre", "listing", "xmp"):
            # `_flush` resets these only after a block with text.
            self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        if tag in ordered_lists.LISTS:
            self._lists.close()

    def _flush(self) -> None:
        """End the open block; in a table cell, only add a space."""
        if self._tables:
            self._text.append(" ")
            return
        text = (normalise_code if self._kind is BlockKind.CODE else normalise)("".join(self._text))
        if text:
            self._add(Block(self._kind, self._marker + text, self._level))
            self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        self._text = []
        self._after_break = None
        if self._link is not None:
            self._link.text_before = 0

    def _add(self, block: Block) -> None:
        self._blocks.append(block)
        self.looks.end_block(self._elements.innermost.region)

    def _start_in_table(self, tag: str, attributes: Attributes) -> None:
        """Start a table or a part of one; a table within a cell is that cell's text."""
        if self._inner_tables or (tag == "table" and self._tables and self._tables[-1].is_cell_open):
            self._inner_tables += tag == "table"
            self._flush()
        elif tag == "table":
            self._flush()
            self._tables.append(OpenTable(self._text))
            self._text = []
        else:
            self._end_cell()
            self._start_part(self._tables[-1], tag, attributes)

    def _start_part(self, table: OpenTable, tag: str, attributes: Attributes) -> None:
        if tag in element_kinds.TABLE_SECTIONS:
            table.start_section(tag)
        elif tag == "tr":
            table.start_row()
        else:
            self._text = []
            if tag in element_kinds.TABLE_CELLS:
                table.start_cell(tag, attributes)

    def _end_in_formula(self, formula: OpenFormula, tag: str) -> None:
        """End an element of a formula, or the formula itself."""
        if tag != "math":
            formula.end(tag)
            return
        self._text.append(formula.shown())
        self._formula = None
        self._after_break = None

    def _end_in_table(self, tag: str) -> None:
        if self._inner_tables:
            self._inner_tables -= tag == "table"
            self._flush()
        elif tag == "table":
            self._end_table()
        elif tag in element_kinds.TABLE_CELLS:
            self._end_cell()
        elif tag in element_kinds.TABLE_SECTIONS:
            self._tables[-1].start_section("")
        elif tag == "caption":
            self._tables[-1].caption.append("".join(self._text))
            self._text = []

    def _end_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is not None and table.is_cell_open:
            table.end_cell(rendered("".join(self._text)))
            self._text = []

    def _end_table(self) -> None:
        self._end_cell()
        table = self._tables.pop()
        self._text = table.text_before
        for block in table.blocks():
            self._add(block)
