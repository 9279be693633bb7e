"""Reader of OpenDocument files: texts, spreadsheets and presentations, without hidden content."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.page_headers import with_page_headers
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.contents.sheet_tables import Span, sheet_table_blocks
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.opendocument.hidden_text import Looks
from groundwire_readers.readers.opendocument.list_numbers import ListNumbers
from groundwire_readers.readers.opendocument.page_headers import shown_page_headers
from groundwire_readers.readers.opendocument.styled_headings import StyledHeadings
from groundwire_readers.readers.opendocument.styles import DRAW, OFFICE, PRESENTATION, TABLE, Styles, read_styles
from groundwire_readers.readers.opendocument.text_blocks import blocks_of_elements, rows_with_spans
from groundwire_readers.text.normalisation import normalise

_CORE: Final = "http://purl.org/dc/elements/1.1/"
_META: Final = "urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
_PROPERTY_TAGS: Final = {
    "author": f"{_CORE} creator",
    "subject": f"{_CORE} subject",
    "keywords": f"{_META} keyword",
    "created": f"{_META} creation-date",
    "modified": f"{_CORE} date",
}


def read(content: bytes) -> Contents:
    """Return the contents of the document; its pages are the sheets or slides.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        # OpenDocument encrypts entries itself: the flag of the ZIP format is not set.
        if b"encryption-data" in read_entry(package, "META-INF/manifest.xml"):
            raise UnreadableDocument("it is encrypted: save it without a password")
        tree = parse_xml(read_entry(package, "content.xml"))
        defining = [tree, *_optional(package, "styles.xml")]
        styles, looks = read_styles(defining), Looks(defining)
        meta = next(_optional(package, "meta.xml"), None)
    sheets, slides = list(tree.iter(f"{OFFICE} spreadsheet")), list(tree.iter(f"{OFFICE} presentation"))
    title = None if meta is None else _first(meta, f"{_CORE} title")
    properties = {} if meta is None else _properties(meta)
    tables = list(sheet_tables(sheets[0])) if sheets else []
    drawn = list(slides[0].iter(f"{DRAW} page")) if slides else []
    hidden = sum(looks.remove_hidden_text(page, is_slide=bool(drawn)) for page in tables or drawn or [tree])
    ListNumbers(defining).write(tree)
    StyledHeadings(defining).write(tree)
    pages = [list(sheet_blocks(table, styles)) for table in tables] or [
        list(slide_blocks(page, styles)) for page in drawn
    ]
    blocks = [replace(block, page=number, group=number) for number, page in enumerate(pages, 1) for block in page]
    if not sheets and not slides:
        headers = (header for header in shown_page_headers(defining) if not looks.remove_hidden_text(header))
        lines = (line for header in headers for line in _lines(header, styles))
        blocks = with_page_headers(list(blocks_of_elements(tree, styles)), lines)
    return Contents(
        blocks,
        title,
        pages=len(pages) if sheets or slides else None,
        properties=properties,
        defects={ReadingDefect.HIDDEN_TEXT: hidden},
    )


def _lines(header: Element, styles: Styles) -> Iterator[str]:
    for block in blocks_of_elements(header, styles):
        yield from (" ".join(row) for row in block.rows) if block.rows else (block.text,)


def sheet_tables(sheets: Element) -> Iterator[Element]:
    """Yield the tables that are the sheets of a spreadsheet."""
    yield from (child for child in sheets if child.tag == f"{TABLE} table")


def sheet_blocks(table: Element, styles: Styles) -> Iterator[Block]:
    """Yield the name of a visible sheet as heading, then its table."""
    if styles.hides(table):
        return
    cells, spanning = rows_with_spans(table, styles)
    rows = ({column: cell for column, cell in enumerate(row) if cell.strip()} for row in cells)
    labels: dict[int, list[Span]] = {}
    for start, span in spanning:
        labels.setdefault(start, []).append(span)
    blocks = list(sheet_table_blocks(dict(enumerate(rows)), None, labels))
    if blocks:
        yield Block(BlockKind.HEADING, normalise(table.get(f"{TABLE} name", "")), level=1)
        yield from blocks


def slide_blocks(page: Element, styles: Styles) -> Iterator[Block]:
    """Yield the title as heading, then all else in order, the speaker's notes last."""
    if styles.hides(page):
        return
    titles = [frame for frame in page if _is_title(frame)]
    if title := " ".join(block.text for block in blocks_of_elements(titles, styles)):
        yield Block(BlockKind.HEADING, title, level=1)
    yield from blocks_of_elements((shape for shape in page if not _is_title(shape)), styles)
    notes = [block for note in page.iter(f"{PRESENTATION} notes") for block in blocks_of_elements(note, styles)]
    if notes:
        yield from [Block(BlockKind.PARAGRAPH, "Notes:"), *notes]


def _is_title(frame: Element) -> bool:
    return frame.get(f"{PRESENTATION} class") == "title"


def _optional(package: zipfile.ZipFile, name: str) -> Iterator[Element]:
    content = read_entry(package, name)
    if content:
        yield parse_xml(content)


def _first(tree: Element, tag: str) -> str | None:
    return next(("".join(element.itertext()).strip() for element in tree.iter(tag)), None)


def _properties(meta: Element) -> dict[str, object]:
    texts_by_name = {
        name: ["".join(element.itertext()).strip() for element in meta.iter(tag)]
        for name, tag in _PROPERTY_TAGS.items()
    }
    return {name: texts if name == "keywords" else texts[0] for name, texts in texts_by_name.items() if any(texts)}
