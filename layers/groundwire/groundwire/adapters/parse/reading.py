"""Bytes to a parsed document, format by format; runs inside the worker only."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from groundwire.adapters.parse import (
    broken_headings,
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
    rich_text,
    unruled_tables,
)
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.encoding import text_of
from groundwire.adapters.parse.facts import bounded
from groundwire.adapters.parse.formats import Format
from groundwire.adapters.parse.language import language_of
from groundwire.adapters.parse.library import extract
from groundwire.adapters.parse.nodes import blocks_of
from groundwire.adapters.parse.recognition import NoText, Scans, textless
from groundwire.domain.documents import BlockKind, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.section_numbers import with_repaired_levels
from groundwire.domain.text import normalise

_UNTITLED: Final = ("(anonymous)", "untitled", "microsoft word - ", "powerpoint presentation")
"""What programs write where nobody gave a title."""
_UNTITLED_BY_HEADINGS: Final = (formats.XLSX, formats.XLS, formats.ODS, formats.TEXT, formats.JSON, formats.JSON_LINES)
"""The name of a sheet or a key, and the first of a text's sections, are no title of the whole."""


def read(content: bytes, file_type: str, scans: Scans | None = None) -> ParsedDocument:
    """The document's blocks, text normalised; `scans` of a PDF are recognised.

    Raises:
        DocumentRefused: with a reason its owner can act on.
    """
    known = formats.declared(content, file_type)
    formats.confirm(content, known)
    reader = _READERS.get(known)
    contents = _by_library(content, known, scans) if reader is None else reader(content)
    return _document(known, replace(contents, blocks=with_repaired_levels(contents.blocks)))


def _by_library(content: bytes, known: Format, scans: Scans | None = None) -> Contents:
    """What the parser library reads; only a PDF has pages here."""
    extracted = extract(content, known, scans if known is formats.PDF else None)
    blocks = blocks_of(extracted, known)
    if known is not formats.PDF:
        return Contents(blocks, extracted.title, facts=extracted.facts)
    pages = max([extracted.pages, *(block.page or 0 for block in blocks)])
    blocks = unruled_tables.rebuilt(broken_headings.joined(furniture.without_furniture(blocks)))
    without_text = len(textless(blocks, pages))
    return Contents(furniture.without_contents(blocks), extracted.title, pages, without_text, extracted.facts)


def _word(content: bytes) -> Contents:
    return _by_library(office.without_hidden_text(content), formats.DOCX)


def _workbook(content: bytes) -> Contents:
    hidden = office.hidden_sheets(content)
    return _sheets(_by_library(office.without_hidden_rows_and_columns(content), formats.XLSX), hidden)


def _old_workbook(content: bytes) -> Contents:
    return _sheets(_by_library(content, formats.XLS), old_workbook.hidden_sheets(content))


def _sheets(contents: Contents, hidden: frozenset[str]) -> Contents:
    blocks = office.sheets(contents.blocks, hidden)
    return replace(contents, blocks=blocks, pages=max((block.page or 0 for block in blocks), default=0))


def _rich_text(content: bytes) -> Contents:
    contents = _by_library(rich_text.with_notes_in_place(content), formats.RTF)
    facts = {name: rich_text.unescaped(text) for name, text in contents.facts.items() if isinstance(text, str)}
    return replace(contents, title=rich_text.unescaped(contents.title or ""), facts=facts)


def _markdown(content: bytes) -> Contents:
    fields, text = front_matter.parted(text_of(content).replace("\r\n", "\n"))
    if not text.strip():
        return Contents([], facts=fields)
    contents = _by_library(text.encode(errors="replace"), formats.MARKDOWN)
    title = fields.get("title", contents.title)
    return replace(contents, title=title if isinstance(title, str) else None, facts={**contents.facts, **fields})


_READERS: Final[Mapping[Format, Callable[[bytes], Contents]]] = {
    formats.DOCX: _word,
    formats.PPTX: presentation.read,
    formats.XLSX: _workbook,
    formats.XLS: _old_workbook,
    formats.ODT: opendocument.read,
    formats.ODS: opendocument.read,
    formats.ODP: opendocument.read,
    formats.RTF: _rich_text,
    formats.EPUB: epub.read,
    formats.HTML: html.read_page,
    formats.MARKDOWN: _markdown,
    formats.TEXT: plain_headings.read,
    formats.EML: mail.read,
    formats.MSG: outlook.read,
    formats.JSON: records.read_json,
    formats.JSON_LINES: records.read_json_lines,
    formats.XML: plain_xml.read,
}
"""What is not read as the parser library has it: its own reader, or what stands before and behind it."""


def _document(known: Format, contents: Contents) -> ParsedDocument:
    pages = contents.pages
    if not any(block.text for block in contents.blocks):
        raise NoText(_textless(pages), pages) if pages else DocumentRefused(_textless(pages))
    return ParsedDocument(
        known.media_type,
        _title(known, contents),
        tuple(contents.blocks),
        pages,
        contents.pages_without_text,
        language=language_of(contents.blocks),
        front_matter=bounded(contents.facts),
        attachments=contents.attachments,
    )


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
