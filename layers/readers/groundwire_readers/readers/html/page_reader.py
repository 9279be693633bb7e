"""Reader of HTML pages: all that a browser shows as blocks, in order, and nothing that it hides.

The parser library's HTML nodes leave out text directly within a `<div>`, a quotation or a definition list.
So this format is read here, with the standard library's tokeniser, which does not recurse.
"""

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, ReadingDefect
from groundwire_readers.readers.html.css.style_sheets import page_styles
from groundwire_readers.readers.html.furniture import Region
from groundwire_readers.readers.html.layout_tables import with_layout_as_blocks
from groundwire_readers.readers.html.main_content import main_blocks
from groundwire_readers.readers.html.page_parser import PageReader

_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_LEAST_LENGTH: Final = 60
_LEAST_SHARE: Final = 3
"""A page without marked content is read with its menus where they have more characters than the one, and more than the
other times those of its other text."""
# HTML asks browsers for 1,024 bytes; pages with long heads declare it later.
_ENCODING_WITHIN: Final = 4096
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_NO_TITLE: Final = re.compile(
    r"\W*+(?:(?:(?:untitled|new|blank) )?(?:document|page)(?: \d{1,3})?"
    r"|untitled|no title|title|index|home|key|notes?)?\W*+",
    re.IGNORECASE,
)
"""Titles that programs write by default, and words that name no page."""
_HIDING_TAG: Final = re.compile(r"<[a-z][^<>]{0,400}(?:style\s*=|hidden)|<font\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page.

    Attributes:
        title: of its head.
        regions: those of each block.
        properties: from its `meta` elements.
        has_hidden_text: whether it has text that people cannot see, which is left out.
        left_out_length: characters of what leads through its site, which is left out.
    """

    title: str | None
    blocks: list[Block]
    regions: list[Region]
    properties: Mapping[str, object]
    has_hidden_text: bool
    left_out_length: int

    @property
    def defects(self) -> Mapping[ReadingDefect, int]:
        """Number of each defect of the reading."""
        return {ReadingDefect.HIDDEN_TEXT: int(self.has_hidden_text)}


def read_html(content: bytes) -> Contents:
    """Return the page as a document of its own: its main content, without what leads through its site.

    A page that is little else is read once more, with its menus: they are left out of the middle of sentences and
    tables, so that the blocks of one reading do not hold those of the other.
    """
    text = decode_page(content)
    styles = page_styles(text)
    page = _parsed(text, PageReader(styles))
    blocks = main_blocks(page.blocks, page.regions)
    if _is_mostly_furniture(page, blocks):
        page = _parsed(text, PageReader(styles, keeps_furniture=True))
        blocks = page.blocks
    return Contents(blocks, page.title, properties=page.properties, defects=page.defects)


def _is_mostly_furniture(page: HtmlPage, blocks: Sequence[Block]) -> bool:
    """Return whether little is left of a page that marks no content: then its menus are its content."""
    is_marked = any(region & (Region.MAIN | Region.ARTICLE | Region.CONTENT) for region in page.regions)
    left = sum(len(block.text) for block in blocks)
    has_more = page.left_out_length > max(_LEAST_LENGTH, left * _LEAST_SHARE)
    return not left or (not is_marked and has_more)


def parse_html(content: bytes, *, is_xml: bool = False) -> HtmlPage:
    """Return the parsed page; see `decode_page` for its encoding. Pages of a book are XML."""
    text = decode_page(content)
    return _parsed(text, PageReader(page_styles(text), is_xml=is_xml))


def _parsed(text: str, reader: PageReader) -> HtmlPage:
    reader.feed(with_layout_as_blocks(text))
    # HTMLParser holds back text without a tag behind it until it is closed.
    reader.close()
    blocks = reader.finish()
    title = " ".join(reader.title.split())
    return HtmlPage(
        None if _NO_TITLE.fullmatch(title) else title,
        blocks,
        reader.regions,
        reader.properties,
        reader.has_hidden_text,
        reader.left_out_length,
    )


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
    # Browsers read Western pages without a declaration so (WHATWG Encoding).
    return content.decode("cp1252", errors="replace")
