"""Bytes to a parsed document, format by format; runs inside the worker only."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from groundwire.adapters.parse import (
    epub,
    formats,
    front_matter,
    furniture,
    html,
    mail,
    office,
    old_workbook,
    opendocument,
    outlook,
    plain_headings,
    plain_xml,
    presentation,
    records,
)
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.encoding import text_of
from groundwire.adapters.parse.facts import bounded
from groundwire.adapters.parse.formats import Format
from groundwire.adapters.parse.language import language_of
from groundwire.adapters.parse.library import extract
from groundwire.adapters.parse.nodes import blocks_of
from groundwire.adapters.parse.recognition import NoText, Scans, textless_pages
from groundwire.domain.documents import BlockKind, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.section_numbers import with_repaired_levels
from groundwire.domain.text import normalise

_UNTITLED: Final = ("(anonymous)", "untitled", "microsoft word - ", "powerpoint presentation")
"""What programs write where nobody gave a title."""
_UNTITLED_BY_HEADINGS: Final = (formats.XLSX, formats.XLS, formats.ODS, formats.TEXT, formats.JSON, formats.JSON_LINES)
"""The name of a sheet or a key, and the first of a text's sections, are no title of the whole."""

_OWN_READERS: Final[Mapping[Format, Callable[[bytes], Contents]]] = {
    formats.HTML: html.read_page,
    formats.TEXT: plain_headings.read,
    formats.EML: mail.read,
    formats.MSG: outlook.read,
    formats.JSON: records.read_json,
    formats.JSON_LINES: records.read_json_lines,
    formats.XML: plain_xml.read,
    formats.EPUB: epub.read,
    formats.PPTX: presentation.read,
    formats.ODT: opendocument.read,
    formats.ODS: opendocument.read,
    formats.ODP: opendocument.read,
}


def read(content: bytes, file_type: str, scans: Scans | None = None) -> ParsedDocument:
    """The document's blocks, text normalised; `scans` of a PDF are recognised.

    Raises:
        DocumentRefused: with a reason its owner can act on.
    """
    known = formats.declared(content, file_type)
    formats.confirm(content, known)
    reader = _OWN_READERS.get(known)
    contents = reader(content) if reader is not None else _by_library(content, known, scans)
    return _document(known, replace(contents, blocks=with_repaired_levels(contents.blocks)))


def _by_library(content: bytes, known: Format, scans: Scans | None) -> Contents:
    """The formats that the parser library reads, and what each still needs."""
    hidden_sheets: frozenset[str] = frozenset()
    if known is formats.DOCX:
        content = office.without_hidden_text(content)
    elif known is formats.XLSX:
        hidden_sheets = office.hidden_sheets(content)
        content = office.without_hidden_rows_and_columns(content)
    elif known is formats.XLS:
        hidden_sheets = old_workbook.hidden_sheets(content)
    fields: dict[str, object] = {}
    if known is formats.MARKDOWN:
        fields, text = front_matter.parted(text_of(content).replace("\r\n", "\n"))
        content = text.encode(errors="replace")
    extracted = extract(content, known, scans if known is formats.PDF else None)
    blocks = blocks_of(extracted, known)
    if known is formats.PDF:
        blocks = furniture.without_furniture(blocks)
    elif known in (formats.XLSX, formats.XLS):
        blocks = office.sheets(blocks, hidden_sheets)
    last = max((block.page or 0 for block in blocks), default=0)
    pages = max(extracted.pages, last) if known is formats.PDF else last
    title = fields.get("title", extracted.title)
    facts = {**extracted.facts, **fields}
    return Contents(blocks, title if isinstance(title, str) else None, pages if known.has_pages else None, 0, facts)


def _document(known: Format, contents: Contents) -> ParsedDocument:
    pages = contents.pages
    if not any(block.text for block in contents.blocks):
        raise NoText(_textless(pages), pages) if pages else DocumentRefused(_textless(pages))
    document = ParsedDocument(
        known.media_type,
        _title(known, contents),
        tuple(contents.blocks),
        pages,
        contents.pages_without_text,
        language=language_of(contents.blocks),
        front_matter=bounded(contents.facts),
        attachments=contents.attachments,
    )
    return replace(document, pages_without_text=len(textless_pages(document))) if known is formats.PDF else document


def _textless(pages: int | None) -> str:
    if pages is None:
        return "there is no text in it"
    return f"there is no text on its {pages} pages: if they are scanned, run text recognition (OCR) on the file first"


def _title(known: Format, contents: Contents) -> str | None:
    own = normalise(contents.title or "")
    if own and not own.lower().startswith(_UNTITLED):
        return own
    if known in _UNTITLED_BY_HEADINGS:
        return None
    return next((block.text for block in contents.blocks if block.kind is BlockKind.HEADING), None)
