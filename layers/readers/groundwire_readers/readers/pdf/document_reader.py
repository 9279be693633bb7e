"""Reader of PDF files: PDFium's characters become blocks in reading order."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire_readers import formats
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.page_headers import with_page_headers
from groundwire_readers.contents.parsed import BlockKind, ReadingDefect
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.ocr import OcrPages, textless_page_numbers
from groundwire_readers.readers.pdf.blocks.block_builder import blocks_of
from groundwire_readers.readers.pdf.blocks.title import is_meaningful, title_of
from groundwire_readers.readers.pdf.layout.continued_rows import with_whole_rows
from groundwire_readers.readers.pdf.layout.document_style import body_size_of, style_of
from groundwire_readers.readers.pdf.layout.furniture import furniture_lines, without_furniture
from groundwire_readers.readers.pdf.layout.line_numbers import without_line_numbers
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout, layout_of
from groundwire_readers.readers.pdf.pages.pdf_file import PdfFile, open_pdf
from groundwire_readers.readers.pdf.scans.recognised_page import PageRecogniser
from groundwire_readers.readers.xberg.extraction import extract
from groundwire_readers.readers.xberg.nodes import blocks_of_nodes
from groundwire_readers.readers.xberg.running_headers import without_running_headers

_END_MARK, _END_BYTES = b"startxref", 2_048
"""Keyword near the end of a whole file (ISO 32000-1, 7.5.5), and the number of bytes in which it is searched."""
_CUT_OFF: Final = "it is damaged, since its end is missing: fetch or save it anew"
_PDF_DATE: Final = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?", re.ASCII)


def read(content: bytes, ocr_pages: OcrPages | None = None) -> Contents:
    """Return the contents of the file; pages listed in `ocr_pages` are read by text recognition (OCR).

    The parser library (xberg) takes files that PDFium does not open, and counts the pages of files without text.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to read.
    """
    recogniser = None if ocr_pages is None else PageRecogniser(ocr_pages)
    with open_pdf(content) as pdf:
        if pdf is None:
            return _read_with_library(content, ocr_pages)
        pages = [layout_of(without_line_numbers(page)) for page in pdf.pages(recogniser)]
        outline = pdf.outline()
        properties = dict(_properties(pdf))
        stated_title = pdf.property_text("Title")
    if not any(page.lines or page.hidden or page.is_unmapped for page in pages):
        return _read_with_library(content, None)
    whole = pages
    pages = with_whole_rows(without_furniture(whole, body_size_of(whole)))
    style = style_of(pages)
    blocks = blocks_of(pages, style, outline)
    # A page that shows nothing, or its header alone, lacks no text.
    without_text = sum(pages[number - 1].has_drawing for number in textless_page_numbers(blocks, len(pages)))
    unreadable = 0 if recogniser is None else len(recogniser.unreadable)
    title = title_of(stated_title, pages, blocks, style)
    blocks = with_page_headers(blocks, furniture_lines(whole, pages), blocks[0].page if blocks else None)
    return Contents(blocks, title, len(pages), without_text, properties, defects=_defects(pages, unreadable))


def _defects(pages: Sequence[PageLayout], unreadable: int) -> dict[ReadingDefect, int]:
    """Return how often each defect occurred, without those that did not."""
    counts = {
        ReadingDefect.TABLE_AS_TEXT: sum(table.is_aligned_text for page in pages for table in page.tables),
        ReadingDefect.UNVERIFIED_LAYER: sum(page.is_unverified for page in pages),
        ReadingDefect.HIDDEN_TEXT: sum(bool(page.hidden) for page in pages),
        ReadingDefect.UNREADABLE_RECOGNITION: unreadable,
        ReadingDefect.UNMAPPED_FONTS: sum(page.is_unmapped for page in pages),
    }
    return {defect: count for defect, count in counts.items() if count}


def _read_with_library(content: bytes, ocr_pages: OcrPages | None) -> Contents:
    extracted = extract(content, formats.PDF, ocr_pages)
    blocks = without_running_headers(blocks_of_nodes(extracted, formats.PDF))
    # The library counts one page where it finds none, as if the file were a scan.
    if not blocks and _END_MARK not in content[-_END_BYTES:]:
        raise UnreadableDocument(_CUT_OFF)
    pages = max([extracted.pages, *(block.page or 0 for block in blocks)])
    without_text = len(textless_page_numbers(blocks, pages))
    first_heading = next((block.text for block in blocks if block.kind is BlockKind.HEADING), None)
    stated = extracted.title or ""
    return Contents(
        blocks, stated if is_meaningful(stated) else first_heading, pages, without_text, extracted.properties
    )


def _properties(pdf: PdfFile) -> Iterator[tuple[str, object]]:
    """Yield name and value of the document properties that search uses, dates in ISO 8601."""
    for name, key in (("author", "Author"), ("subject", "Subject"), ("keywords", "Keywords")):
        if text := pdf.property_text(key).strip():
            yield name, text
    for name, key in (("created", "CreationDate"), ("modified", "ModDate")):
        if moment := _PDF_DATE.match(pdf.property_text(key)):
            # A date may end after any of its parts (ISO 32000-1, 7.9.4).
            year, month, day, hour, minute, second = (part or "" for part in moment.groups())
            yield name, f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}"
