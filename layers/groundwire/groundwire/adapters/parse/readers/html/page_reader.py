"""Reader of HTML pages: all that a browser shows as blocks, in order, and nothing that it hides.

The parser library's HTML nodes leave out text directly within a `<div>`, a quotation or a definition list.
So this format is read here, with the standard library's tokeniser, which does not recurse.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final

from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.readers.html.element_kinds import INLINE_ELEMENTS, SKIPPED_ELEMENTS, VOID_ELEMENTS
from groundwire.adapters.parse.readers.html.hidden_elements import HtmlAttributes, hidden_selectors, is_hidden
from groundwire.adapters.parse.tables import table_blocks
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.markup import text_with_host
from groundwire.domain.text.normalisation import normalise, normalise_code

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_ENCODING_WITHIN: Final = 4096
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HIDING_TAG: Final = re.compile(r"<[a-z][^<>]{0,400}(?:style\s*=|hidden)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page; `title` is that of its head, `properties` come from its `meta` elements."""

    title: str | None
    blocks: list[Block]
    properties: Mapping[str, object]


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list[list[str]])
    cell_open: bool = False


@dataclass(slots=True)
class _OpenElement:
    """An element that has not ended yet; `hides` hides it and all within."""

    tag: str
    hides: bool
    address: str = ""
    text_before: int = 0


def read_html(content: bytes) -> Contents:
    """Return the page as a document of its own."""
    page = parse_html(content)
    return Contents(page.blocks, page.title, properties=page.properties)


def parse_html(content: bytes) -> HtmlPage:
    """Return the parsed page; see `decode_page` for its encoding."""
    text = decode_page(content)
    reader = PageReader(hidden_selectors(text))
    reader.feed(text)
    reader.close()
    return HtmlPage(" ".join(reader.title.split()) or None, reader.finish(), reader.properties)


def without_hidden_markup(text: str) -> str:
    """Return another format's prose without inline HTML that is styled to be invisible; other tags stay."""
    return " ".join(block.text for block in parse_html(text.encode()).blocks) if _HIDING_TAG.search(text) else text


def decode_page(content: bytes) -> str:
    """Return a page's text in the encoding of its byte order mark or declaration, else UTF-8 if valid, else cp1252."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    found = _META_CHARSET.search(content[:_ENCODING_WITHIN])
    declared = [found[1].decode("ascii")] if found else []
    for encoding in [*declared, "utf-8"]:
        try:
            return content.decode(encoding)
        except (LookupError, ValueError):
            continue
    return content.decode("cp1252", errors="replace")


class PageReader(HTMLParser):
    """Reader that collects text into an open block, and ends the block where a browser starts a new line."""

    def __init__(self, hidden: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.properties: dict[str, object] = {}
        self._hidden_selectors = hidden
        self._open: list[_OpenElement] = []
        self._hidden_depth = 0
        self._text: list[str] = []
        self._blocks: list[Block] = []
        self._tables: list[_Table] = []
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
        hides = tag in SKIPPED_ELEMENTS or is_hidden(tag, attrs, self._hidden_selectors)
        self._hidden_depth += hides
        self._open.append(_OpenElement(tag, hides, dict(attrs).get("href") or "", len(self._text)))

    def handle_startendtag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle `<x/>`, which opens an element in HTML, unless it is a void one."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End the innermost open element of that name and all within it; part of HTMLParser."""
        if not any(element.tag == tag for element in self._open[-64:]):
            return
        while self._open:
            element = self._open.pop()
            self._hidden_depth -= element.hides
            self._end(element)
            if element.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        """Handle text; part of HTMLParser."""
        if self._open and self._open[-1].tag == "title" and not self._tables:
            self.title += data
        elif not self._hidden_depth:
            self._text.append(data)

    def _read_meta(self, meta: Mapping[str, str | None]) -> None:
        """Store a property from a `meta` element; the first value of each property counts."""
        name = _PROPERTIES.get((meta.get("name") or meta.get("property") or "").lower())
        if name is not None and (text := (meta.get("content") or "").strip()):
            self.properties.setdefault(name, text)

    def _start(self, tag: str, attrs: HtmlAttributes) -> None:
        if self._hidden_depth:
            return
        if tag == "br":
            self._text.append("\n")
        elif tag == "table":
            self._flush()
            self._tables.append(_Table())
        elif tag in ("tr", "td", "th"):
            self._start_cell(tag)
        elif tag not in INLINE_ELEMENTS and tag not in VOID_ELEMENTS:
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

    def _end(self, element: _OpenElement) -> None:
        tag = element.tag
        if self._hidden_depth or element.hides:
            return
        if tag == "a":
            inside = "".join(self._text[element.text_before :])
            if element.address and inside.strip():
                self._text[element.text_before :] = [text_with_host(inside, element.address)]
        elif tag == "table" and self._tables:
            self._end_table()
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag not in INLINE_ELEMENTS:
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
            self._blocks.append(Block(self._kind, self._marker + text, self._level))
            self._kind, self._level, self._marker = BlockKind.PARAGRAPH, 0, ""
        self._text = []

    def _start_cell(self, tag: str) -> None:
        if not self._tables:
            return
        self._end_cell()
        table = self._tables[-1]
        if tag == "tr" or not table.rows:
            table.rows.append([])
        if tag != "tr":
            self._text, table.cell_open = [], True

    def _end_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is not None and table.cell_open:
            table.rows[-1].append("".join(self._text))
            self._text, table.cell_open = [], False

    def _end_table(self) -> None:
        self._end_cell()
        rows: Sequence[Sequence[str]] = self._tables.pop().rows
        if self._tables:  # a table within a cell is that cell's text
            self._text.append(" ".join(" ".join(row) for row in rows))
        else:
            self._text = []
            self._blocks += table_blocks(rows, None)
