"""Reader of PDF files with a text layer: PDFium's characters become blocks in reading order."""

import re
from collections.abc import Iterator
from typing import Final

from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.ocr import OcrPages, textless_page_numbers
from groundwire.adapters.parse.readers.pdf.blocks.block_builder import blocks_of
from groundwire.adapters.parse.readers.pdf.blocks.title import title_of
from groundwire.adapters.parse.readers.pdf.layout.document_style import body_size_of, style_of
from groundwire.adapters.parse.readers.pdf.layout.furniture import without_furniture
from groundwire.adapters.parse.readers.pdf.layout.page_layout import FindTables, find_no_tables, layout_of
from groundwire.adapters.parse.readers.pdf.pages.pdf_file import PdfFile, open_pdf
from groundwire.adapters.parse.readers.pdf.scans.recognised_page import PageRecogniser


class PdfNotOpened(Exception):
    """Error when PDFium does not open the file: it is damaged or encrypted."""


_DATE: Final = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?", re.ASCII)


def read_text_layer(
    content: bytes, ocr_pages: OcrPages | None = None, find_tables: FindTables = find_no_tables
) -> Contents | None:
    """Return the contents of the file's text layer, and of the pages to recognise; None when no page has text.

    Raises:
        PdfNotOpened: the file is damaged or encrypted.
    """
    recogniser = None if ocr_pages is None else PageRecogniser(ocr_pages)
    with open_pdf(content) as pdf:
        if pdf is None:
            raise PdfNotOpened
        pages = [layout_of(page, find_tables) for page in pdf.pages(recogniser)]
        if not any(page.lines or page.hidden for page in pages):
            return None
        outline = pdf.outline()
        properties = dict(_properties(pdf))
        stated_title = pdf.property_text("Title")
    pages = without_furniture(pages, body_size_of(pages))
    style = style_of(pages)
    blocks = blocks_of(pages, style, outline)
    without_text = len(textless_page_numbers(blocks, len(pages)))
    return Contents(blocks, title_of(stated_title, pages, blocks, style), len(pages), without_text, properties)


def _properties(pdf: PdfFile) -> Iterator[tuple[str, object]]:
    """Yield the properties that are useful for search."""
    for name, key in (("author", "Author"), ("subject", "Subject"), ("keywords", "Keywords")):
        if text := pdf.property_text(key).strip():
            yield name, text
    for name, key in (("created", "CreationDate"), ("modified", "ModDate")):
        if moment := _DATE.match(pdf.property_text(key)):
            year, month, day, hour, minute, second = (part or "" for part in moment.groups())
            yield name, f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}"
