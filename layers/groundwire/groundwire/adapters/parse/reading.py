"""Bytes to a parsed document, format by format; runs inside the worker only."""

from typing import Final

from groundwire.adapters.parse import formats, furniture, html, office, slides
from groundwire.adapters.parse.formats import Format
from groundwire.adapters.parse.library import Extracted, extract
from groundwire.adapters.parse.nodes import blocks_of
from groundwire.domain.documents import Block, BlockKind, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.section_numbers import with_repaired_levels
from groundwire.domain.text import normalise

_PAGED: Final = (formats.PDF, formats.PPTX)
_UNTITLED: Final = ("(anonymous)", "untitled", "microsoft word - ", "powerpoint presentation")
"""What programs write where nobody gave a title."""


def read(content: bytes, file_type: str) -> ParsedDocument:
    """The document's blocks, text normalised.

    Raises:
        DocumentRefused: with a reason its owner can act on.
    """
    known = formats.declared(content, file_type)
    formats.confirm(content, known)
    if known is formats.HTML:
        page = html.read(content)
        return _document(known, page.title, page.blocks, None, 0)
    hidden_sheets: frozenset[str] = frozenset()
    if known is formats.DOCX:
        content = office.without_hidden_text(content)
    if known is formats.XLSX:
        hidden_sheets = office.hidden_sheets(content)
    extracted = extract(content, known)
    read_blocks = blocks_of(extracted, known)
    blocks = _shaped(read_blocks, known, hidden_sheets)
    pages = _pages(known, extracted, blocks)
    with_text = len({block.page for block in read_blocks}) if known in _PAGED else pages or 0
    return _document(known, extracted.title, blocks, pages, max(0, (pages or 0) - with_text))


def _shaped(blocks: list[Block], known: Format, hidden_sheets: frozenset[str]) -> list[Block]:
    """What only one format needs."""
    if known is formats.PDF:
        return furniture.without_furniture(blocks)
    if known is formats.PPTX:
        return slides.slides(blocks)
    return office.sheets(blocks, hidden_sheets) if known is formats.XLSX else blocks


def _pages(known: Format, extracted: Extracted, blocks: list[Block]) -> int | None:
    if known in _PAGED:
        return max([extracted.pages, *(block.page or 0 for block in blocks)])
    return max((block.page or 0 for block in blocks), default=0) if known is formats.XLSX else None


def _document(
    known: Format, title: str | None, blocks: list[Block], pages: int | None, without_text: int
) -> ParsedDocument:
    blocks = with_repaired_levels(blocks)
    if not any(block.text for block in blocks):
        raise DocumentRefused(_textless(pages))
    return ParsedDocument(known.media_type, _title(known, title, blocks), tuple(blocks), pages, without_text)


def _textless(pages: int | None) -> str:
    if pages is None:
        return "there is no text in it"
    return f"there is no text on its {pages} pages: if they are scanned, run text recognition (OCR) on the file first"


def _title(known: Format, title: str | None, blocks: list[Block]) -> str | None:
    own = normalise(title or "")
    if own and not own.lower().startswith(_UNTITLED):
        return own
    if known is formats.XLSX:  # a sheet's name is no title of the workbook
        return None
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), None)
