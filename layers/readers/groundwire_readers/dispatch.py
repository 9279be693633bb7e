"""Dispatch of a file to the reader of its format; runs inside the worker only."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from groundwire_readers import formats
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.document_titles import is_program_title, own_title
from groundwire_readers.contents.file_properties import bounded_properties
from groundwire_readers.contents.heading_levels import repair_heading_levels
from groundwire_readers.contents.page_headers import with_page_headers
from groundwire_readers.contents.parsed import MAIL_FILE_TYPES, BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.formats import Format
from groundwire_readers.language import language_of
from groundwire_readers.ocr import NoTextFound, OcrPages
from groundwire_readers.readers import epub
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.mail import eml, outlook
from groundwire_readers.readers.office.presentations import presentation
from groundwire_readers.readers.office.workbooks import workbook
from groundwire_readers.readers.office.workbooks.binary import workbook as binary_workbook
from groundwire_readers.readers.opendocument import document_reader
from groundwire_readers.readers.pdf import document_reader as pdf_reader
from groundwire_readers.readers.text import delimited, front_matter, json_records, rich_text, text_file
from groundwire_readers.readers.word import document_reader as word_reader
from groundwire_readers.readers.xberg import markdown
from groundwire_readers.readers.xberg.extraction import extract
from groundwire_readers.readers.xberg.nodes import blocks_of_nodes
from groundwire_readers.readers.xml import xml_file
from groundwire_readers.text.normalisation import normalise

_UNTITLED_FORMATS: Final = (
    formats.PDF,
    formats.XLSX,
    formats.XLS,
    formats.ODS,
    formats.TEXT,
    formats.JSON,
    formats.JSON_LINES,
)
"""Formats whose first heading (a sheet's or key's name, a section) is no title of the whole document, or whose reader
finds the title."""


def read_document(content: bytes, file_type: str, ocr_pages: OcrPages | None = None) -> ParsedDocument:
    """Return the document's blocks, text normalised; the pages in `ocr_pages` of a PDF are recognised.

    Raises:
        UnreadableDocument: with a reason its owner can act on.
    """
    document_format = formats.declared_format(content, file_type)
    formats.check_content(content, document_format, file_type)
    if document_format is formats.PDF:
        contents = pdf_reader.read(content, ocr_pages)
    else:
        reader = _READERS.get(document_format)
        contents = _read_with_xberg(content, document_format) if reader is None else reader(content)
    return _document(document_format, replace(contents, blocks=repair_heading_levels(contents.blocks)))


def _read_with_xberg(content: bytes, document_format: Format) -> Contents:
    """Return the contents that the parser library extracts; they have no pages."""
    extracted = extract(content, document_format)
    return Contents(blocks_of_nodes(extracted, document_format), extracted.title, properties=extracted.properties)


def _rich_text(content: bytes) -> Contents:
    contents = _read_with_xberg(rich_text.body_text(content), formats.RTF)
    if headers := rich_text.page_headers(content):
        lines = (block.text for block in _read_with_xberg(rich_text.body_text(headers), formats.RTF).blocks)
        contents = replace(contents, blocks=with_page_headers(contents.blocks, lines))
    properties = {name: rich_text.unescape(text) for name, text in contents.properties.items() if isinstance(text, str)}
    return replace(contents, title=rich_text.unescape(contents.title or ""), properties=properties)


def _markdown(content: bytes) -> Contents:
    # The marks around front matter are whole lines, whatever ends them.
    fields, text = front_matter.split_front_matter(decode_text(content).replace("\r\n", "\n"))
    if not text.strip():
        return Contents([], properties=fields)
    contents = _read_with_xberg(markdown.prepared(text).encode(errors="replace"), formats.MARKDOWN)
    title = fields.get("title", contents.title)
    return replace(
        contents, title=title if isinstance(title, str) else None, properties={**contents.properties, **fields}
    )


_READERS: Final[Mapping[Format, Callable[[bytes], Contents]]] = {
    formats.DOCX: word_reader.read,
    formats.PPTX: presentation.read,
    formats.XLSX: workbook.read,
    formats.XLS: binary_workbook.read,
    formats.ODT: document_reader.read,
    formats.ODS: document_reader.read,
    formats.ODP: document_reader.read,
    formats.RTF: _rich_text,
    formats.EPUB: epub.read,
    formats.HTML: page_reader.read_html,
    formats.MARKDOWN: _markdown,
    formats.TEXT: text_file.read,
    formats.CSV: delimited.read,
    formats.TSV: delimited.read,
    formats.EML: eml.read,
    formats.MSG: outlook.read,
    formats.JSON: json_records.read_json,
    formats.JSON_LINES: json_records.read_json_lines,
    formats.XML: xml_file.read,
}
"""Readers of the formats that the parser library does not read alone; the others but PDF use its result unchanged."""


def _document(document_format: Format, contents: Contents) -> ParsedDocument:
    pages = contents.pages
    if not any(block.text for block in contents.blocks):
        is_unmapped = bool(contents.defects.get(ReadingDefect.UNMAPPED_FONTS))
        reason = _no_text_reason(pages, is_unmapped=is_unmapped)
        raise NoTextFound(reason, pages) if pages else UnreadableDocument(reason)
    lost = {ReadingDefect.LOST_LETTERS: sum(block.text.count("\ufffd") for block in contents.blocks)}
    return ParsedDocument(
        document_format.media_type,
        _title(document_format, contents),
        tuple(contents.blocks),
        pages,
        contents.pages_without_text,
        language=language_of(contents.blocks),
        front_matter=bounded_properties(contents.properties),
        attachments=contents.attachments,
        defects={defect: number for defect, number in {**contents.defects, **lost}.items() if number},
    )


def _no_text_reason(pages: int | None, *, is_unmapped: bool) -> str:
    if pages is None:
        return "there is no text in it"
    counted = "1 page" if pages == 1 else f"{pages} pages"
    if is_unmapped:
        return f"the fonts on its {counted} do not name their letters: run text recognition (OCR) on the file first"
    return f"there is no text on its {counted}. If the file is a scan, run text recognition (OCR) on it first"


def _title(document_format: Format, contents: Contents) -> str | None:
    stated = normalise(contents.title or "")
    if stated and document_format.extension in MAIL_FILE_TYPES:
        return stated  # a subject is its author's own words
    candidates = [stated] if stated and not is_program_title(stated) else []
    if document_format not in _UNTITLED_FORMATS:
        headings = (block.text for block in contents.blocks if block.kind is BlockKind.HEADING)
        candidates += islice(headings, 1)
    return own_title(candidates, contents.blocks)
