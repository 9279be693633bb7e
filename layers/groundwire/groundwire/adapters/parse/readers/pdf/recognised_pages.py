"""PDF files as a whole: the text layer by PDFium, pages to recognise and damaged files by the parser library."""

from collections.abc import Sequence
from dataclasses import replace

from groundwire.adapters.parse import formats
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.ocr import OcrPages, textless_page_numbers
from groundwire.adapters.parse.readers.pdf.document_reader import read_text_layer
from groundwire.adapters.parse.readers.pdf.running_headers import without_running_headers
from groundwire.adapters.parse.readers.xberg.extraction import extract
from groundwire.adapters.parse.readers.xberg.nodes import blocks_of_nodes
from groundwire.domain.documents.parsed import Block, BlockKind


def read(content: bytes, ocr_pages: OcrPages | None) -> Contents:
    """Return the contents of the file; the text of the pages in `ocr_pages` is the recognised one.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to read.
    """
    contents = read_text_layer(content)
    if contents is None:
        return _read_with_library(content, ocr_pages)
    if ocr_pages is None:
        return contents
    recognised = _read_with_library(content, ocr_pages)
    blocks = _merged(contents.blocks, recognised.blocks, frozenset(ocr_pages.pages))
    title = contents.title or _first_heading(recognised.blocks)
    without_text = len(textless_page_numbers(blocks, contents.pages or 0))
    return replace(contents, blocks=blocks, title=title, pages_without_text=without_text)


def _read_with_library(content: bytes, ocr_pages: OcrPages | None) -> Contents:
    extracted = extract(content, formats.PDF, ocr_pages)
    blocks = without_running_headers(blocks_of_nodes(extracted, formats.PDF))
    pages = max([extracted.pages, *(block.page or 0 for block in blocks)])
    without_text = len(textless_page_numbers(blocks, pages))
    return Contents(blocks, extracted.title or _first_heading(blocks), pages, without_text, extracted.properties)


def _merged(blocks: Sequence[Block], recognised: Sequence[Block], pages: frozenset[int]) -> list[Block]:
    """Return the blocks in the order of the pages, those of `pages` as recognised."""
    kept = [block for block in blocks if block.page not in pages]
    kept += [block for block in recognised if block.page in pages]
    return sorted(kept, key=lambda block: block.page or 0)


def _first_heading(blocks: Sequence[Block]) -> str | None:
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), None)
