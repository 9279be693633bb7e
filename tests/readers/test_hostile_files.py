"""What a hostile file can do to whoever reads it: be refused, or be read without its harm. Nothing else."""

import gzip
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire_readers import ParserLimits, WorkerParser
from groundwire_readers.errors import UnreadableDocument
from tests.readers import hostile
from tests.readers.office import word_table
from tests.support.documents.pdf import pdf

PEAK_MB = 512
BOMB, DEEP = "unpacks to more than is safe", "nested too deeply"
ENTITY = "<w:p><w:r><w:t>&l11;</w:t></w:r></w:p>"
ENTITIES_OUT = "there is no text in it|document type"
Make = Callable[[], bytes]

REFUSED: dict[str, tuple[str, Make, str]] = {
    # Bombs: little on the disk, much in memory.
    "a Word file of one huge run": ("docx", lambda: hostile.word(f"<w:p><w:r><w:t>{hostile.letters()}"), BOMB),
    "a presentation of one huge slide": ("pptx", hostile.slides_bomb, BOMB),
    "a workbook of one huge sheet": ("xlsx", hostile.workbook_bomb, BOMB),
    "an OpenDocument text of one huge paragraph": ("odt", lambda: hostile.open_text(hostile.letters()), BOMB),
    "a book of one huge chapter": ("epub", lambda: hostile.book(hostile.letters()), BOMB),
    "60,000 entries in a Word file": ("docx", lambda: hostile.entries(60_000), BOMB),
    "too many entries in a text": (
        "odt",
        lambda: hostile.entries(10_001, "application/vnd.oasis.opendocument.text"),
        BOMB,
    ),
    "too many entries in a book": ("epub", lambda: hostile.entries(10_001, "application/epub+zip"), BOMB),
    "a directory that lies about a part's length": (
        "docx",
        lambda: hostile.with_a_lying_directory(hostile.word(hostile.letters()), "word/document.xml"),
        "damaged",
    ),
    "a PDF page deflated a thousandfold": (
        "pdf",
        lambda: hostile.page_of(hostile.squeezed(60), "/FlateDecode"),
        "no text on its 1 page",
    ),
    "a PDF page deflated twice": (
        "pdf",
        lambda: hostile.page_of(zlib.compress(hostile.squeezed(60)), "[/FlateDecode /FlateDecode]"),
        "no text on its 1 page",
    ),
    "a gzip archive": ("gz", lambda: gzip.compress(b"text"), "files of type .gz are not read"),
    "a gzip archive named text": ("txt", lambda: gzip.compress(b"a" * 10_000_000), "a gzip archive"),
    # Entities: text that stands for more text, or for a file of the machine.
    "billion laughs in a Word file": ("docx", lambda: hostile.word(ENTITY, hostile.LAUGHING), ENTITIES_OUT),
    "an external entity in a Word file": ("docx", lambda: hostile.word(ENTITY, hostile.READING_A_FILE), ENTITIES_OUT),
    "billion laughs in an OpenDocument text": (
        "odt",
        lambda: hostile.open_text("<text:p>&l11;</text:p>", hostile.LAUGHING),
        "document type",
    ),
    "billion laughs in XML": ("xml", f"{hostile.LAUGHING}<x>&l11;</x>".encode, "entities"),
    "an external entity in XML": ("xml", f"{hostile.READING_A_FILE}<x>&l11;</x>".encode, "entities"),
    "quadratic blow-up in XML": (
        "xml",
        f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]><x>{"&a;" * 50_000}</x>'.encode,
        "entities",
    ),
    "billion laughs in a picture": ("svg", f"{hostile.LAUGHING}<svg>&l11;</svg>".encode, "not read"),
    # More parts than any sender means.
    "a mail of 10,000 texts": (
        "eml",
        lambda: hostile.mail_of_parts(10_000, b"Content-Type: text/plain\n\nhello"),
        "more than 1,000 parts",
    ),
    "a mail of 2,000 files": (
        "eml",
        lambda: hostile.mail_of_parts(2_000, b"Content-Type: application/pdf; name=a.pdf\n\nhello"),
        "more than 1,000 parts",
    ),
    # Knots: deeper than any stack.
    "3,000 tables in each other": (
        "docx",
        lambda: hostile.word("<w:tbl><w:tr><w:tc>" * 3_000 + "</w:tc></w:tr></w:tbl>" * 3_000, "", zipfile.ZIP_STORED),
        f"{DEEP}|{BOMB}",
    ),
    "100,000 elements in each other in a Word file": (
        "docx",
        lambda: hostile.word("<w:sdt>" * 100_000 + "</w:sdt>" * 100_000, "", zipfile.ZIP_STORED),
        f"{DEEP}|{BOMB}|damaged",
    ),
    "5,000 lists in each other": (
        "odt",
        lambda: hostile.open_text("<text:list><text:list-item>" * 5_000 + "</text:list-item></text:list>" * 5_000),
        DEEP,
    ),
    "200,000 XML elements in each other": ("xml", lambda: b"<a>" * 200_000 + b"</a>" * 200_000, DEEP),
    "500,000 JSON lists in each other": ("json", lambda: b"[" * 500_000 + b"]" * 500_000, DEEP),
    "100,000 JSON objects in each other": ("json", lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000, DEEP),
    "a line of JSON lists in each other": ("jsonl", lambda: b"[" * 500_000 + b"]" * 500_000, DEEP),
    "1,000 parts of a mail in each other": ("eml", lambda: hostile.parts_in_parts(1_000), DEEP),
    "500 mails in each other": ("eml", lambda: hostile.mail_in_mails(500), DEEP),
    "20,000 comments in each other in an address": (
        "eml",
        lambda: hostile.HEAD + b"To: " + b"(" * 20_000 + b"a@example.com\n\nhello",
        DEEP,
    ),
    "PDF arrays in each other": ("pdf", hostile.arrays_in_arrays, "damaged"),
    "a PDF page that holds itself": ("pdf", hostile.pages_that_hold_themselves, "damaged"),
    # Lies.
    "a PDF of two thousand million pages": ("pdf", hostile.billions_of_pages, "damaged"),
    "a web page named PDF": ("pdf", lambda: b"<html><p>hello</p></html>", "HTML"),
    "old Office bytes that are noise": ("xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 5_000, "Office"),
    "a mail of old Office bytes that are noise": (
        "msg",
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 5_000,
        "Office",
    ),
}

READ: dict[str, tuple[str, Make, str]] = {
    "paths that lead out of the archive": (
        "docx",
        lambda: hostile.word_with({"../../../tmp/evil.xml": "x", "/etc/evil": "x", "word/../../x": "y"}),
        "hello",
    ),
    "a book's paths that lead out": ("epub", lambda: hostile.book("<p>hello</p>", 1, {"../../etc/x": "x"}), "hello"),
    "a picture of 50,000 by 50,000 dots": (
        "docx",
        lambda: hostile.word_with({"word/media/image1.png": hostile.picture_bomb()}),
        "hello",
    ),
    "a cell that spans two thousand million columns": (
        "docx",
        lambda: hostile.word(
            word_table([["hello"]]).replace("<w:tc>", '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>')
        ),
        "hello",
    ),
    "a chapter that is listed 10,000 times": ("epub", lambda: hostile.book("<p>hello</p>", 10_000), "hello"),
    "two thousand million blanks": (
        "odt",
        lambda: hostile.open_text('<text:p>hello<text:s text:c="2000000000"/></text:p>'),
        "hello",
    ),
    "a PDF whose tables lead back to themselves": ("pdf", hostile.tables_that_lead_back, "hello"),
    "200,000 elements in each other": ("html", lambda: b"<div>" * 200_000 + b"hello", "hello"),
    "20,000 tables in each other": ("html", lambda: b"<table><tr><td>" * 20_000 + b"hello", "hello"),
    "a cell that spans a thousand million rows": (
        "html",
        lambda: b"<table><tr><td colspan=1000000000 rowspan=1000000000>hello</td></tr></table>",
        "hello",
    ),
    "10,000 quotations in each other": ("md", lambda: b">" * 10_000 + b"hello", "hello"),
    "100,000 groups in each other": ("rtf", lambda: b"{\\rtf1" + b"{" * 100_000 + b"hello" + b"}" * 100_000, "hello"),
    "two thousand million bytes announced": ("rtf", lambda: b"{\\rtf1 hello {\\pict\\bin2147483647 x}}", "hello"),
    "a document type that lies on a server": (
        "xml",
        lambda: b'<!DOCTYPE x SYSTEM "http://169.254.169.254/x.dtd"><x><p>hello</p></x>',
        "hello",
    ),
    "a picture that lies on a server": (
        "html",
        lambda: b'<p>hello</p><img src="http://169.254.169.254/latest/meta-data">',
        "hello",
    ),
    "text that nobody sees": (
        "html",
        lambda: b"<p>hello<span style='display:none'>x</span><span style='font-size:0'>y</span><i hidden>z</i></p>",
        "hello",
    ),
    "zero-width, bidirectional and tag characters": (
        "txt",
        "h\u200be\u2066l\U000e0041l\u2060o\ufeff".encode,
        "hello",
    ),
}

LARGE: dict[str, tuple[str, Make]] = {
    "a line of a megabyte": ("csv", lambda: b"word," * 200_000),
    "a quotation that never ends": ("csv", lambda: b'a,b\n"' + b"x\n" * 100_000),
    "a word of a megabyte": ("txt", lambda: b"a" * 1_000_000),
    "a number of a million digits": ("json", lambda: b"[" + b"9" * 1_000_000 + b"]"),
    "20,000 records without a field in common": (
        "json",
        lambda: b"[" + b",".join(b'{"k%d":1}' % number for number in range(20_000)) + b"]",
    ),
    "a table of a million million cells": (
        "odt",
        lambda: hostile.open_text(
            '<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell '
            'table:number-columns-repeated="1000000"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
        ),
    ),
    "a cell in the last column of the last row": ("xlsx", hostile.far_cell),
    "a mail of quoted letters": (
        "eml",
        lambda: hostile.HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=41" * 1_000_000,
    ),
    "a header of a megabyte": (
        "eml",
        lambda: b"From: a@example.com\nSubject: =?utf-8?q?" + b"=41" * 300_000 + b"?=\n\nhello",
    ),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[WorkerParser]:
    with WorkerParser(
        ParserLimits(memory_mb=1024, cpu_seconds=20, wall_seconds=30, recycle_above_mb=PEAK_MB)
    ) as parser:
        yield parser


@pytest.fixture
def parser(reader: WorkerParser) -> Iterator[WorkerParser]:
    """A reader of which it is seen afterwards that it held little and reads the next document."""
    assert reader.parse(b"the one before", "txt").blocks[0].text == "the one before"
    yield reader
    assert _peak_mb(reader) <= PEAK_MB
    assert reader.parse(b"the one behind", "txt").blocks[0].text == "the one behind"


def _peak_mb(parser: WorkerParser) -> int:
    """Return the peak memory of the worker; 0 for a worker that has exited, which the system held to its limit."""
    if sys.platform != "linux" or parser.worker_pid is None:
        return 0
    status = Path(f"/proc/{parser.worker_pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_with_a_reason_in_words(parser: WorkerParser, name: str) -> None:
    file_type, make, reason = REFUSED[name]
    with pytest.raises(UnreadableDocument, match=reason) as refusal:
        parser.parse(make(), file_type)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("name", READ)
def test_is_read_without_its_harm(parser: WorkerParser, name: str) -> None:
    file_type, make, text = READ[name]
    assert [block.text for block in parser.parse(make(), file_type).blocks] == [text]


@pytest.mark.parametrize("name", LARGE)
def test_costs_no_more_than_its_size_allows(parser: WorkerParser, name: str) -> None:
    file_type, make = LARGE[name]
    content = make()
    assert _size_of_text(parser, content, file_type) <= len(content) + 100_000


def _size_of_text(parser: WorkerParser, content: bytes, file_type: str) -> int:
    """Characters; 0 for a file that is to be split."""
    try:
        return sum(len(block.text) for block in parser.parse(content, file_type).blocks)
    except UnreadableDocument as refusal:
        if str(refusal).endswith("split the file"):
            return 0
        raise


def test_a_file_that_takes_too_long_is_given_up() -> None:
    with WorkerParser(ParserLimits(cpu_seconds=1, wall_seconds=30)) as parser:
        with pytest.raises(UnreadableDocument, match="more than 1 s of processor time"):
            parser.parse(b"<p>a</p>" * 400_000, "html")
        assert parser.parse(pdf([[(11, "The one behind.")]]), "pdf").blocks[0].text == "The one behind."
