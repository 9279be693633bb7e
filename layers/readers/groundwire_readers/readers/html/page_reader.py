"""Reader of HTML pages: the visible text as blocks, without hidden text and page furniture.

The parser library drops text directly within a `<div>`, a quotation or a definition list, so this format is read here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, ReadingDefect
from groundwire_readers.readers.encodings.decoding import decode_declared
from groundwire_readers.readers.html.css.style_sheets import page_styles
from groundwire_readers.readers.html.furniture import Region
from groundwire_readers.readers.html.layout_tables import with_layout_as_blocks
from groundwire_readers.readers.html.main_content import main_blocks
from groundwire_readers.readers.html.page_parser import PageReader
from groundwire_readers.readers.html.typography import with_typographic_headings

_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_MIN_FURNITURE_CHARACTERS: Final = 60
"""Number of characters of furniture above which a page may be mostly furniture."""
_MIN_FURNITURE_RATIO: Final = 3
"""Ratio of furniture to other text, in characters, above which a page is mostly furniture."""
# HTML asks browsers for 1,024 bytes; pages with long heads declare it later.
_ENCODING_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page.

    Attributes:
        title: title in its head; None if it is missing.
        regions: regions of each block.
        properties: values of its `meta` elements.
        has_hidden_text: whether hidden text was left out.
        left_out_length: number of characters of page furniture that were left out.
    """

    title: str | None
    blocks: list[Block]
    regions: list[Region]
    properties: Mapping[str, object]
    has_hidden_text: bool
    left_out_length: int

    @property
    def defects(self) -> Mapping[ReadingDefect, int]:
        """Number of occurrences of each reading defect."""
        return {ReadingDefect.HIDDEN_TEXT: int(self.has_hidden_text)}


def read_html(content: bytes) -> Contents:
    """Return the page as a document: its main content, without page furniture.

    A page that is mostly furniture is parsed again with its furniture. A second parse is necessary, since furniture
    within sentences and tables changes the blocks.
    """
    text = decode_page(content)
    styles = page_styles(text)
    page = _parsed(text, PageReader(styles), finds_headings=True)
    blocks = main_blocks(page.blocks, page.regions)
    if _is_mostly_furniture(page, blocks):
        page = _parsed(text, PageReader(styles, keeps_furniture=True), finds_headings=True)
        blocks = page.blocks
    return Contents(blocks, page.title, properties=page.properties, defects=page.defects)


def _is_mostly_furniture(page: HtmlPage, blocks: Sequence[Block]) -> bool:
    """Return whether a page without content landmarks consists mostly of furniture, which is then its content."""
    has_landmarks = any(region & (Region.MAIN | Region.ARTICLE | Region.CONTENT) for region in page.regions)
    text_length = sum(len(block.text) for block in blocks)
    is_mostly_left_out = page.left_out_length > max(_MIN_FURNITURE_CHARACTERS, text_length * _MIN_FURNITURE_RATIO)
    return not text_length or (not has_landmarks and is_mostly_left_out)


def parse_html(content: bytes, *, is_xml: bool = False, finds_headings: bool = False) -> HtmlPage:
    """Return the parsed page, decoded by `decode_page`.

    Args:
        content: bytes of the page.
        is_xml: whether the page is XML, as those of an EPUB book are.
        finds_headings: whether its typography makes headings where it has no heading elements; a part of a page has
            none.
    """
    text = decode_page(content)
    return _parsed(text, PageReader(page_styles(text), is_xml=is_xml), finds_headings=finds_headings)


def _parsed(text: str, reader: PageReader, *, finds_headings: bool) -> HtmlPage:
    reader.feed(with_layout_as_blocks(text))
    # HTMLParser holds back trailing text until it is closed.
    reader.close()
    blocks = reader.finish()
    if finds_headings:
        blocks = with_typographic_headings(blocks, reader.looks)
    return HtmlPage(
        " ".join(reader.title.split()) or None,
        blocks,
        reader.looks.regions,
        reader.properties,
        reader.has_hidden_text,
        reader.left_out_length,
    )


def decode_page(content: bytes) -> str:
    """Return a page's text in the encoding that it declares, unless its bytes show another one."""
    match = _META_CHARSET.search(content[:_ENCODING_BYTES])
    return decode_declared(content, match[1].decode("ascii") if match else "")
