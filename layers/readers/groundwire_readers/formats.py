"""Supported document formats, and checks that a file's bytes match its extension."""

import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from groundwire_readers.containers import compound_file
from groundwire_readers.errors import UnreadableDocument

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_OPEN: Final = "application/vnd.oasis.opendocument"


@dataclass(frozen=True, slots=True)
class Format:
    """A type of document.

    Attributes:
        extension: without dot, lower case. media_type: passed to the parser library.
        package_folder: folder that the office package of this type holds; None for other types.
        has_pages: pages, slides or sheets that can be cited (those of a Word file depend on the printer).
        has_mimetype_entry: a ZIP package that declares its media type in an entry of its own.
        is_compound_file: a file of the kind that Office wrote before 2007.
    """

    extension: str
    media_type: str
    package_folder: str | None = None
    has_pages: bool = False
    has_mimetype_entry: bool = False
    is_compound_file: bool = False


PDF: Final = Format("pdf", "application/pdf", has_pages=True)
DOCX: Final = Format("docx", f"{_OFFICE}.wordprocessingml.document", "word/")
XLSX: Final = Format("xlsx", f"{_OFFICE}.spreadsheetml.sheet", "xl/", has_pages=True)
PPTX: Final = Format("pptx", f"{_OFFICE}.presentationml.presentation", "ppt/", has_pages=True)
ODT: Final = Format("odt", f"{_OPEN}.text", has_mimetype_entry=True)
ODS: Final = Format("ods", f"{_OPEN}.spreadsheet", has_pages=True, has_mimetype_entry=True)
ODP: Final = Format("odp", f"{_OPEN}.presentation", has_pages=True, has_mimetype_entry=True)
XLS: Final = Format("xls", "application/vnd.ms-excel", has_pages=True, is_compound_file=True)
RTF: Final = Format("rtf", "application/rtf")
EPUB: Final = Format("epub", "application/epub+zip", has_mimetype_entry=True)
HTML: Final = Format("html", "text/html")
MARKDOWN: Final = Format("md", "text/markdown")
TEXT: Final = Format("txt", "text/plain")
CSV: Final = Format("csv", "text/csv")
TSV: Final = Format("tsv", "text/tab-separated-values")
EML: Final = Format("eml", "message/rfc822")
MSG: Final = Format("msg", "application/vnd.ms-outlook", is_compound_file=True)
JSON: Final = Format("json", "application/json")
JSON_LINES: Final = Format("jsonl", "application/jsonl")
XML: Final = Format("xml", "application/xml")

_FORMATS: Final = (
    *(PDF, DOCX, PPTX, XLSX, XLS, ODT, ODP, ODS, RTF, EPUB),
    *(HTML, MARKDOWN, TEXT, CSV, TSV, EML, MSG, JSON, JSON_LINES, XML),
)
_BY_EXTENSION: Final = {known.extension: known for known in _FORMATS} | {
    **dict.fromkeys(("docm", "dotx", "dotm"), DOCX),
    **dict.fromkeys(("pptm", "ppsx", "ppsm", "potx", "potm"), PPTX),
    **dict.fromkeys(("xlsm", "xltx", "xltm"), XLSX),
    "htm": HTML,
    "xhtml": HTML,
    "markdown": MARKDOWN,
    "text": TEXT,
    "ndjson": JSON_LINES,
    "nxml": XML,
}
SUPPORTED_EXTENSIONS: Final = f"{', '.join(known.extension for known in _FORMATS)} and variants such as docm, nxml"
"""The extension of each format as a phrase, for the reason of a refusal."""
_SUCCESSORS: Final = {"doc": "docx", "dot": "docx", "ppt": "pptx", "pps": "pptx", "pot": "pptx"}
_MARKUP: Final = (HTML, MARKDOWN, TEXT, XML, EML)
"""Formats whose files may begin as a web page does."""

_PDF_HEADER_WITHIN: Final = 1024
"""Bytes within which the PDF header must begin; readers accept junk before it (PDF 1.7, implementation note 13)."""
_ZIP: Final = b"PK\x03\x04"
_RTF: Final = b"{\\rtf"
_SIGNATURES: Final = (
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (_RTF, "an RTF file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    # The two letters alone can begin a text.
    (b"MZ\x90", "a program"),
)
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
# Escape is no control here: text in ISO-2022-JP changes its character sets by it.
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r\x0c\x1b")) + b"\x7f"
_SAMPLE: Final = 65_536
_EBCDIC_ROWS: Final = [*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA)]
_EBCDIC_LETTERS: Final = bytes([*_EBCDIC_ROWS, *(each + 0x40 for each in _EBCDIC_ROWS), *range(0xF0, 0xFA)])
_EBCDIC_SEPARATORS: Final = b"\x05\x0d\x15\x25\x40\x4b\x4c\x5e\x6b\x6e\x7a"
_EBCDIC_SIGNS: Final = b"\x4d\x4e\x50\x5c\x5d\x60\x61\x6c\x6d\x6f\x7d\x7e\x7f\xc0\xd0\x4a\x5a\x5b\x7b\x7c\xa1"
"""Letters and digits, then separators, then other signs that are the same in most code pages of EBCDIC."""
_MIN_ZERO_SHARE: Final = 5
"""Bytes per zero up to which text may be UTF-16 without a mark."""
_PLAIN: Final = b"\t\n\r" + bytes(range(0x20, 0x7F))
_MAX_NULS_SHARE: Final = 1_000
"""Characters per NUL from which a NUL is an accident of a text; one is accepted in any text."""
_SPREADSHEET_XML: Final = b"urn:schemas-microsoft-com:office:spreadsheet"
"""Namespace of workbooks in XML, the export format of 2003."""
_EXPORTED: Final = {"HTML": HTML, "text": CSV}
_HTML_STARTS: Final = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<?xml")


def is_supported(name: str) -> bool:
    """Return whether the name's extension is one of a supported format."""
    _, dot, extension = name.rpartition(".")
    return bool(dot) and extension.lower() in _BY_EXTENSION


def declared_format(content: bytes, file_type: str) -> Format:
    """Return the format of the extension; of text that is named .xls, as many programs export it, that of its bytes.

    Raises:
        UnreadableDocument: the file is empty, or of an unsupported type.
    """
    extension = file_type.lower().removeprefix(".")
    document_format = _BY_EXTENSION.get(extension)
    if document_format is None and extension in _SUCCESSORS:
        raise UnreadableDocument(_legacy_office_reason(extension))
    if document_format is None:
        named = f"files of type .{file_type}" if file_type else "files without an extension"
        raise UnreadableDocument(f"{named} are not read: convert it to one of {SUPPORTED_EXTENSIONS}")
    if not content:
        raise UnreadableDocument("the file is empty (0 bytes)")
    if document_format is XLS and not content.startswith((compound_file.SIGNATURE, _ZIP)):
        return XML if _SPREADSHEET_XML in content[:_SAMPLE] else _EXPORTED.get(_sniff(content), XLS)
    return document_format


def check_content(content: bytes, document_format: Format, file_type: str) -> None:
    """Check that the bytes are of the declared format; the reason names the extension, which may be another one of it.

    Raises:
        UnreadableDocument: they are something else, which the reason names.
    """
    kind = compound_file.detect_kind(content) if content.startswith(compound_file.SIGNATURE) else ""
    if kind == "encrypted":
        raise UnreadableDocument("it is encrypted: save it without a password")
    if kind in _SUCCESSORS:
        raise UnreadableDocument(_legacy_office_reason(kind))
    if (found := _mismatch(content, document_format, kind)) is not None:
        raise UnreadableDocument(
            f"the name ends in .{file_type.lower().removeprefix('.')} but the content is {found}: rename or convert it"
        )


def _legacy_office_reason(kind: str) -> str:
    return f"old Office files (.{kind}) are not read: open it in its own program and save it as .{_SUCCESSORS[kind]}"


def _mismatch(content: bytes, document_format: Format, kind: str) -> str | None:
    """Return a description of the bytes when they are not of the format; None when they are."""
    if content.startswith(compound_file.SIGNATURE):
        return None if document_format.is_compound_file and kind == document_format.extension else _named_compound(kind)
    if content.startswith(_ZIP):
        return _package_mismatch(content, document_format)
    found = _sniff(content)
    if document_format is RTF:
        return None if content.startswith(_RTF) else found
    if document_format is PDF:
        return None if b"%PDF-" in content[:_PDF_HEADER_WITHIN] else found
    if (
        document_format.package_folder is not None
        or document_format.has_mimetype_entry
        or document_format.is_compound_file
        or found not in ("text", "HTML")
    ):
        return found
    return "HTML" if found == "HTML" and document_format not in _MARKUP else None


def _named_compound(kind: str) -> str:
    return f"a .{kind} file" if kind else "an old Office file of another kind"


def _sniff(content: bytes) -> str:
    """Return a description of the bytes' type."""
    if b"%PDF-" in content[:_PDF_HEADER_WITHIN]:
        return "a PDF"
    for signature, name in _SIGNATURES:
        if content.startswith(signature):
            return name
    if _is_ebcdic(content):
        return "text in EBCDIC"
    if _is_binary(content):
        return "binary data"
    return "HTML" if content[:_SAMPLE].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_STARTS) else "text"


def utf16_order(content: bytes) -> str | None:
    """Return the codec of UTF-16 without a mark; None for other bytes.

    Every second byte of Western text in UTF-16 is zero, and none of the others; beside a zero are mostly letters and
    signs of ASCII, unlike in numbers of two bytes.
    """
    sample = content[:_SAMPLE]
    zeros = sample.count(0)
    if len(content) % 2 or zeros * _MIN_ZERO_SHARE < len(sample):
        return None
    even, odd = sample[0::2], sample[1::2]
    if odd.count(0) not in {0, zeros}:
        return None
    codec, low, high = ("utf-16-le", even, odd) if odd.count(0) else ("utf-16-be", odd, even)
    letters = bytes(each for each, other in zip(low, high, strict=False) if not other)
    return codec if len(letters.translate(None, _PLAIN)) * 2 <= len(letters) else None


def _is_ebcdic(content: bytes) -> bool:
    """Return whether the bytes are words and figures of a mainframe's text, which no other encoding has as such.

    Its code pages differ in other characters, so that nothing but its owner can tell which one it is.
    """
    sample = content[:_SAMPLE]
    letters = len(sample) - len(sample.translate(None, _EBCDIC_LETTERS))
    separators = len(sample) - len(sample.translate(None, _EBCDIC_SEPARATORS))
    known = letters + separators + len(sample) - len(sample.translate(None, _EBCDIC_SIGNS))
    # Bytes of other scripts are spread over all codes, and their words end with other separators.
    is_text = 20 * known >= 17 * len(sample) and 5 * letters >= 2 * len(sample)
    return is_text and 20 * separators >= len(sample)


def _is_binary(content: bytes) -> bool:
    """Return whether the bytes hold several NULs or many control characters.

    Bytes with the mark of UTF-16 are binary if their length is odd.
    """
    sample = content[:_SAMPLE]
    # In UTF-16 each ASCII character has a NUL, so NULs mean nothing there.
    if sample.startswith(_UTF16):
        return len(content) % 2 == 1
    if utf16_order(content) is not None:
        return False
    is_binary = content.count(0) * _MAX_NULS_SHARE > max(len(content), _MAX_NULS_SHARE)
    return is_binary or (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 > max(len(sample), 100)


def _package_mismatch(content: bytes, document_format: Format) -> str | None:
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            names = package.namelist()
            stated = _stated_type(package) if "mimetype" in names else ""
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError) as error:
        raise UnreadableDocument("it is damaged or cut off: open it in its own program and save it anew") from error
    if (document_format.has_mimetype_entry and stated == document_format.media_type) or _has_folder(
        names, document_format.package_folder
    ):
        return None
    kinds = [kind.extension for kind in _FORMATS if _has_folder(names, kind.package_folder)]
    kinds += [kind.extension for kind in _FORMATS if kind.has_mimetype_entry and stated == kind.media_type]
    if kinds:
        return f"a .{kinds[0]} file"
    return (
        "another kind of zip archive"
        if document_format.package_folder or document_format.has_mimetype_entry
        else "a zip archive or Office file"
    )


def _has_folder(names: list[str], folder: str | None) -> bool:
    return folder is not None and any(name.startswith(folder) for name in names)


def _stated_type(package: zipfile.ZipFile) -> str:
    with package.open("mimetype") as entry:
        # The entry can unpack to any size, and a media type is short.
        return entry.read(256).decode("ascii", errors="replace").strip()
