"""PDF files as a whole: the text layer by PDFium, pages to recognise and damaged files by the parser library."""

from collections.abc import Sequence

from groundwire.adapters.parse import formats
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.ocr import OcrPages, textless_page_numbers
from groundwire.adapters.parse.readers.pdf.document_reader import PdfNotOpened, read_text_layer
from groundwire.adapters.parse.readers.pdf.running_headers import without_running_headers
from groundwire.adapters.parse.readers.xberg.extraction import extract
from groundwire.adapters.parse.readers.xberg.nodes import blocks_of_nodes
from groundwire.domain.documents.parsed import Block, BlockKind


def read(content: bytes, ocr_pages: OcrPages | None) -> Contents:
    """Return the contents of the file; the text of the pages in `ocr_pages` is the recognised one.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to read.
    """
    try:
        contents = read_text_layer(content, ocr_pages)
    except PdfNotOpened:
        return _read_with_library(content, ocr_pages)
    # The library counts the pages of a file without text.
    return _read_with_library(content, None) if contents is None else contents


def _read_with_library(content: bytes, ocr_pages: OcrPages | None) -> Contents:
    extracted = extract(content, formats.PDF, ocr_pages)
    blocks = without_running_headers(blocks_of_nodes(extracted, formats.PDF))
    pages = max([extracted.pages, *(block.page or 0 for block in blocks)])
    without_text = len(textless_page_numbers(blocks, pages))
    return Contents(blocks, extracted.title or _first_heading(blocks), pages, without_text, extracted.properties)


def _first_heading(blocks: Sequence[Block]) -> str | None:
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), None)
