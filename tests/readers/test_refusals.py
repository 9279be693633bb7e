"""Files that cannot be read are refused with a reason, and the parser goes on."""

import random
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.errors import UnreadableDocument
from tests.readers.office import docx, docx_parts, package, paragraph, run, xlsx
from tests.support.documents.pdf import pdf

_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha" * 50}">' for n in range(12))


def hostile_docx(document: str) -> bytes:
    return package(docx_parts() | {"word/document.xml": document})


def body(text: str) -> str:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return f'<w:document xmlns:w="{space}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'


REFUSED: Final[Mapping[str, tuple[bytes | Callable[[], bytes], str, str]]] = {
    "empty": (b"", "pdf", "empty"),
    "unknown type": (b"x", "exe", "convert it to one of pdf, docx"),
    "no extension": (b"x", "", "without an extension"),
    "random bytes as text": (random.Random(1).randbytes(5000), "txt", "binary data"),
    "random bytes as PDF": (random.Random(2).randbytes(5000), "pdf", "binary data"),
    "random bytes as Word": (random.Random(3).randbytes(5000), "docx", "binary data"),
    "HTML named PDF": (b"<html><p>hello</p></html>", "pdf", "HTML"),
    "PDF named text": (pdf([[(11, "hi")]]), "txt", "a PDF"),
    "workbook named Word": (xlsx({"A": [["x"]]}), "docx", "a .xlsx file"),
    "zip named Word": (package({"a.txt": "x"}), "docx", "another kind of zip"),
    "program named csv": (b"MZ\x90\x00" + b"\0" * 100, "csv", "a program"),
    "cut PDF": (pdf([[(11, "hi")]])[:60], "pdf", "damaged"),
    "PDF without its last half": ((whole := pdf([[(11, "hi")]]))[: len(whole) // 2], "pdf", "damaged"),
    "cut Word file": (docx(paragraph(run("hi")))[:200], "docx", "damaged"),
    "encrypted PDF": (pdf([[(11, "secret")]], encrypted=True), "pdf", "encrypted"),
    "scanned PDF": (pdf([[], []]), "pdf", "no text on its 2 pages"),
    "blank text": (b" \n\n ", "txt", "no text"),
    "invisible text": ("\u200b\u2060".encode(), "txt", "no text"),
    "zip bomb Word": (lambda: hostile_docx(body("a" * 60_000_000)), "docx", "unpacks to more"),
    "zip bomb workbook": (
        lambda: package({"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": b"0" * 60_000_000}),
        "xlsx",
        "unpacks to more",
    ),
    "60,000 entries": (
        lambda: package(
            {"word/document.xml": body("x")} | {f"word/{n}.bin": b"" for n in range(60_000)}, zipfile.ZIP_STORED
        ),
        "docx",
        "unpacks to more",
    ),
}
"""Content, type and reason by name; what takes a second to make is made by its test, as every process collects all."""


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_a_reason(parser: WorkerParser, name: str) -> None:
    content, file_type, reason = REFUSED[name]
    with pytest.raises(UnreadableDocument, match=reason):
        parser.parse(content() if callable(content) else content, file_type)
    assert parser.parse(b"still alive", "txt").blocks[0].text == "still alive"


@pytest.mark.parametrize(
    "declaration",
    [
        f"<!DOCTYPE x [{_LAUGHS}]>",
        '<!DOCTYPE x [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_are_never_expanded(parser: WorkerParser, declaration: str) -> None:
    content = hostile_docx(declaration + body("vanish &l11; seen"))
    try:
        document = parser.parse(content, "docx")
    except UnreadableDocument:
        return
    text = " ".join(block.text for block in document.blocks)
    assert "root:" not in text
    assert "haha" not in text
