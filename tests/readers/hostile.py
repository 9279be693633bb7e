"""Files made to harm whoever reads them, each small and made anew: bombs, knots, lies and wires to the outside."""

import io
import struct
import zipfile
import zlib
from typing import Final

from tests.readers.office import docx_parts, package, paragraph, run, xlsx
from tests.support.documents.pdf import assembled, pdf

_WORD: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE: Final = "urn:oasis:names:tc:opendocument:xmlns"
_OPEN: Final = " ".join(f'xmlns:{name}="{_OFFICE}:{name}:1.0"' for name in ("office", "text", "table"))
_BOMB: Final = 60_000_000
"""Bytes, of one letter: they shrink to a thousandth."""
_LAUGHS: Final = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha" * 50}">' for n in range(12))
LAUGHING: Final = f"<!DOCTYPE x [{_LAUGHS}]>"
"""Document type that expands `&l11;` to ten million million characters."""
READING_A_FILE: Final = '<!DOCTYPE x [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>'
HEAD: Final = b"From: a@example.com\nSubject: s\nMIME-Version: 1.0\n"


def letters() -> str:
    """Far more text than a document of its size holds."""
    return "a" * _BOMB


def word(body: str, declaration: str = "", compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A Word file of this raw body; stored, its ratio gives nothing away."""
    document = f"{declaration}<w:document {_WORD}><w:body>{body}</w:body></w:document>"
    return package(docx_parts() | {"word/document.xml": document}, compression)


def word_with(parts: dict[str, str | bytes]) -> bytes:
    """Return a Word file with the text "hello" and other parts."""
    return package(docx_parts(paragraph(run("hello"))) | parts, zipfile.ZIP_STORED)


def slides_bomb() -> bytes:
    return package({"ppt/presentation.xml": "<x/>", "ppt/slides/slide1.xml": letters()})


def workbook_bomb() -> bytes:
    return package({"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": letters()})


def open_text(body: str, declaration: str = "", parts: dict[str, str | bytes] | None = None) -> bytes:
    """An OpenDocument text of this raw body."""
    content = f"<office:document-content {_OPEN}><office:body><office:text>{body}</office:text></office:body>"
    return package(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{declaration}{content}</office:document-content>",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_OFFICE}:manifest:1.0"/>',
        }
        | (parts or {})
    )


def book(chapter: str, spine: int = 1, parts: dict[str, str | bytes] | None = None) -> bytes:
    """A book of one chapter, which its spine lists so many times."""
    container = 'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"'
    item = '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    listed = '<itemref idref="c"/>' * spine
    return package(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container {container}><rootfiles><rootfile full-path="o.opf"/></rootfiles>'
            "</container>",
            "o.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{item}</manifest>'
            f"<spine>{listed}</spine></package>",
            "c.xhtml": chapter,
        }
        | (parts or {})
    )


def entries(count: int, media_type: str = "") -> bytes:
    """A package of so many empty parts."""
    parts = {"mimetype": media_type.encode()} if media_type else {}
    return stored(parts | {f"word/{number}.bin": b"" for number in range(count)})


def stored(parts: dict[str, bytes]) -> bytes:
    """A zip of these parts as they are; `package` takes its time over many."""
    body, directory = bytearray(), bytearray()
    for name, content in parts.items():
        fixed = struct.pack(
            "<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(content), len(content), len(content), len(name), 0
        )
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + fixed + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\x03\x04" + fixed + name.encode() + content
    count = len(parts)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + b"PK\x05\x06" + end)


def with_a_lying_directory(content: bytes, name: str) -> bytes:
    """Return the package with one part whose stated size is 100 bytes."""
    lying = bytearray(content)
    stated = name.encode()
    for signature, size_at, name_at in ((b"PK\x03\x04", 22, 30), (b"PK\x01\x02", 24, 46)):
        at = -1
        while (at := lying.find(signature, at + 1)) >= 0:
            if lying.startswith(stated, at + name_at):
                struct.pack_into("<I", lying, at + size_at, 100)
    return bytes(lying)


def far_cell() -> bytes:
    """A workbook with a cell in the last column of the last row."""
    with zipfile.ZipFile(io.BytesIO(xlsx({"Sheet": [["near"], ["far"]]}))) as workbook:
        parts = {name: workbook.read(name) for name in workbook.namelist()}
    for near, far in ((b'r="A2"', b'r="XFD1048576"'), (b'<row r="2"', b'<row r="1048576"')):
        parts = {name: content.replace(near, far) for name, content in parts.items()}
    return package(dict[str, str | bytes](parts))


def squeezed(megabytes: int) -> bytes:
    """Blanks, deflated."""
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(b" " * 1_000_000) for _ in range(megabytes)) + packer.flush()


def picture_bomb() -> bytes:
    """A PNG of 50,000 by 50,000 dots."""
    head = struct.pack(">II", 50_000, 50_000) + b"\x08\x02\x00\x00\x00"
    chunks = ((b"IHDR", head), (b"IDAT", squeezed(20)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def page_of(stream: bytes, filters: str) -> bytes:
    """A PDF whose one page is drawn by this stream."""
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
            f"<< /Filter {filters} /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    )


def pages_that_hold_themselves() -> bytes:
    return assembled([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>"])


def billions_of_pages() -> bytes:
    return assembled([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 2000000000 /Kids [] >>"])


def arrays_in_arrays() -> bytes:
    deep = b"[" * 100_000 + b"]" * 100_000
    return assembled([b"<< /Type /Catalog /Pages 2 0 R /X " + deep + b" >>", b"<< /Type /Pages /Count 0 /Kids [] >>"])


def tables_that_lead_back() -> bytes:
    """A PDF whose table of objects names itself as the one before."""
    content = pdf([[(11, "hello")]])
    at = content.rindex(b"xref\n0")
    return content.replace(b"trailer\n<<", b"trailer\n<< /Prev %d" % at)


def mail_of_parts(count: int, part: bytes) -> bytes:
    """A mail of so many parts, all alike."""
    return HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + (b"--x\n" + part + b"\n") * count + b"--x--\n"


def mail_in_mails(depth: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\n\nFrom: a@example.com\n" * depth + b"\nhello"


def parts_in_parts(depth: int) -> bytes:
    knots = b"".join(b"Content-Type: multipart/mixed; boundary=x%d\n\n--x%d\n" % (n, n) for n in range(depth))
    return HEAD + knots + b"Content-Type: text/plain\n\nhello"
