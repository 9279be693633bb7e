"""The types of document that are read, and whether bytes are of the type that their name says."""

import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from groundwire.domain.errors import DocumentRefused

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"


@dataclass(frozen=True, slots=True)
class Format:
    """A type of document.

    Attributes:
        extension: without dot, lower case. media_type: what the parser library is told.
        part: folder that the office package of this type holds; None for other types.
        has_pages: pages, slides or sheets that can be cited (those of a Word file depend on the printer).
    """

    extension: str
    media_type: str
    part: str | None = None
    has_pages: bool = False


PDF: Final = Format("pdf", "application/pdf", has_pages=True)
DOCX: Final = Format("docx", f"{_OFFICE}.wordprocessingml.document", "word/")
XLSX: Final = Format("xlsx", f"{_OFFICE}.spreadsheetml.sheet", "xl/", has_pages=True)
PPTX: Final = Format("pptx", f"{_OFFICE}.presentationml.presentation", "ppt/", has_pages=True)
HTML: Final = Format("html", "text/html")
MARKDOWN: Final = Format("md", "text/markdown")
TEXT: Final = Format("txt", "text/plain")
CSV: Final = Format("csv", "text/csv")
TSV: Final = Format("tsv", "text/tab-separated-values")

_FORMATS: Final = (PDF, DOCX, XLSX, PPTX, HTML, MARKDOWN, TEXT, CSV, TSV)
_BY_EXTENSION: Final = {known.extension: known for known in _FORMATS} | {
    "htm": HTML,
    "markdown": MARKDOWN,
    "text": TEXT,
}
ACCEPTED: Final = "pdf, docx, xlsx, pptx, html, md, txt, csv and tsv"

_PDF_HEADER_WITHIN: Final = 1024
"""Readers accept junk before the header, within the first kilobyte (PDF 1.7, implementation note 13)."""
_SIGNATURES: Final = (
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or password-protected Office file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"{\\rtf", "an RTF file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
)
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r\x0c\x1b")) + b"\x7f"
_SAMPLE: Final = 65_536
_HTML_STARTS: Final = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<?xml")


def declared(content: bytes, file_type: str) -> Format:
    """The format that the extension stands for, told without looking into the bytes.

    Raises:
        DocumentRefused: empty, or of a type that is not read.
    """
    known = _BY_EXTENSION.get(file_type.lower().removeprefix("."))
    if known is None:
        named = f"files of type .{file_type}" if file_type else "files without an extension"
        raise DocumentRefused(f"{named} are not read; accepted are {ACCEPTED}")
    if not content:
        raise DocumentRefused("the file is empty (0 bytes)")
    return known


def confirm(content: bytes, known: Format) -> None:
    """The bytes are of the format that the name says.

    Raises:
        DocumentRefused: they are something else, which the reason names.
    """
    if (found := _mismatch(content, known)) is not None:
        raise DocumentRefused(f"the name says .{known.extension} but the content is {found}: rename or convert it")


def _mismatch(content: bytes, known: Format) -> str | None:
    """What the bytes are instead of `known`; None when they agree."""
    found = _sniffed(content)
    if known.part is not None:
        return _package_mismatch(content, known) if content.startswith(b"PK\x03\x04") else found
    if known is PDF:
        return None if b"%PDF-" in content[:_PDF_HEADER_WITHIN] else found
    if found not in ("text", "HTML"):
        return found
    return "HTML" if found == "HTML" and known in (CSV, TSV) else None


def _sniffed(content: bytes) -> str:
    """What the bytes are, in words."""
    if b"%PDF-" in content[:_PDF_HEADER_WITHIN]:
        return "a PDF"
    if content.startswith(b"PK\x03\x04"):
        return "a zip archive or Office file"
    for signature, name in _SIGNATURES:
        if content.startswith(signature):
            return name
    if _is_binary(content):
        return "binary data"
    return "HTML" if content[:_SAMPLE].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_STARTS) else "text"


def _is_binary(content: bytes) -> bool:
    """No text holds a NUL (UTF-16 says what it is by its first two bytes) or many control characters."""
    sample = content[:_SAMPLE]
    if sample.startswith(_UTF16):
        return len(content) % 2 == 1
    return b"\0" in content or (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 > len(sample)


def _package_mismatch(content: bytes, known: Format) -> str | None:
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            names = package.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return "a damaged zip archive"
    if any(name.startswith(known.part or "") for name in names):
        return None
    kinds = [kind.extension for kind in (DOCX, XLSX, PPTX) if any(name.startswith(kind.part or "") for name in names)]
    return f"a .{kinds[0]} file" if kinds else "another kind of zip archive"
