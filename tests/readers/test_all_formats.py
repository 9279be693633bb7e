"""What every format keeps: its words, their place, and what it hides out."""

from collections.abc import Mapping

import pytest

from groundwire.domain.passages.chunking import chunk
from groundwire_readers import WorkerParser, formats
from groundwire_readers.errors import UnreadableDocument
from tests.readers.compound_files import compound, message, xls
from tests.readers.mails import mail
from tests.readers.office import docx, heading, package, paragraph, pptx, run, shape, xlsx
from tests.readers.open_files import epub, open_file, table
from tests.support.documents.pdf import pdf

_WORDS = "The station opens at eight on every working day of the week."
_PROSE = "This paragraph is long enough to be taken for body text and nothing else at all."
_HIDDEN_STYLE = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
_HIDDEN_SLIDE = (
    '<style:style style:name="H"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
)
_ODT = (
    '<text:h text:outline-level="1">Guide</text:h><text:h text:outline-level="2">Hours</text:h>'
    f"<text:p>{_WORDS}<office:annotation><text:p>SECRET</text:p></office:annotation>"
    '<text:span text:style-name="H">SECRET</text:span></text:p>'
)
_ODP = (
    '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Hours</text:p></draw:text-box>'
    "</draw:frame>"
    f"<draw:frame><draw:text-box><text:p>{_WORDS}</text:p></draw:text-box></draw:frame></draw:page>"
    '<draw:page draw:style-name="H"><draw:frame><draw:text-box><text:p>SECRET</text:p></draw:text-box></draw:frame>'
    "</draw:page>"
)
_RTF = (
    r"{\rtf1\ansi{\stylesheet{\s1\outlinelevel0 heading 1;}{\s2\outlinelevel1 heading 2;}}"
    r"\pard\s1\outlinelevel0 Guide\par\pard\s2\outlinelevel1 Hours\par"
    r"\pard\plain " + _WORDS + r"{\v SECRET}{\*\annotation SECRET}\par}"
)
_HTML = f"<html><h1>Guide</h1><h2>Hours</h2><p>{_WORDS}</p><p style='display:none'>SECRET</p></html>"
_XML = f"<guide><!-- SECRET --><title>Guide</title><section><title>Hours</title><para>{_WORDS}</para></section></guide>"

_SENT = 133_616_304_000_000_000
"""31 May 2024 at noon, as Outlook writes it."""

PATH = ("Guide", "Hours")
FORMATS: Mapping[str, tuple[bytes, tuple[str, ...], int | None]] = {
    "pdf": (
        pdf([[(20, "2 Guide"), (11, _PROSE), (16, "2.2 Rules"), (11, _PROSE)], [(16, "2.2.1 Hours"), (11, _WORDS)]]),
        ("2 Guide", "2.2 Rules", "2.2.1 Hours"),
        2,
    ),
    "docx": (
        docx(heading(1, "Guide"), heading(2, "Hours"), paragraph(run(_WORDS), run("SECRET", "<w:vanish/>"))),
        PATH,
        None,
    ),
    "pptx": (
        pptx([[shape("SECRET")], [shape("Hours", placeholder="title"), shape(_WORDS)]], {}, hidden={1}),
        ("Hours",),
        2,
    ),
    "xlsx": (xlsx({"Old": [["SECRET"]], "Hours": [["a", _WORDS]]}, frozenset({"Old"})), ("Hours",), 2),
    "xls": (xls({"Old": [["SECRET"]], "Hours": [["a", _WORDS]]}, frozenset({"Old"})), ("Hours",), 2),
    "odt": (open_file("text", _ODT, _HIDDEN_STYLE), PATH, None),
    "ods": (
        open_file("spreadsheet", table("Hours", [["a", _WORDS], ["SECRET"]], {1: 'table:visibility="collapse"'})),
        ("Hours",),
        1,
    ),
    "odp": (open_file("presentation", _ODP, _HIDDEN_SLIDE), ("Hours",), 1),
    "rtf": (_RTF.encode(), PATH, None),
    "epub": (epub({"a.xhtml": f"<h1>Guide</h1><h2>Hours</h2><p>{_WORDS}</p><p hidden=''>SECRET</p>"}), PATH, None),
    "html": (_HTML.encode(), PATH, None),
    "md": (f"# Guide\n\n<!-- SECRET -->\n\n## Hours\n\n{_WORDS}\n".encode(), PATH, None),
    "txt": (f"Guide\n=====\n\nHours\n-----\n\n{_WORDS}\n".encode(), PATH, None),
    "csv": (f"day,text\nMonday,{_WORDS}\n".encode(), (), None),
    "tsv": (f"day\ttext\nMonday\t{_WORDS}\n".encode(), (), None),
    "eml": (mail("Hours", _WORDS), ("Hours",), None),
    "msg": (compound(message({"0037": "Hours", "1000": _WORDS, "0E02": "SECRET"}, _SENT)), ("Hours",), None),
    "json": (f'{{"Guide": {{"Hours": {{"text": "{_WORDS}"}}}}}}'.encode(), PATH, None),
    "jsonl": (
        f'{{"name": "Hours", "text": "{_WORDS}"}}\n{{"name": "Days", "other": {{"a": "b"}}}}\n'.encode(),
        ("Hours",),
        None,
    ),
    "xml": (_XML.encode(), PATH, None),
}

_BINARY = (b"%PDF-", b"PK", b"{\\rtf", b"\xd0\xcf\x11\xe0")
TEXTS = {name for name, (content, _, _) in FORMATS.items() if not content.startswith(_BINARY)}
"""Formats that no signature identifies."""


def declared_formats() -> list[formats.Format]:
    """Return the format of each constant of the module."""
    return [value for value in vars(formats).values() if isinstance(value, formats.Format)]


@pytest.mark.parametrize("declared", declared_formats(), ids=lambda declared: declared.extension)
def test_every_format_is_in_the_table_and_has_a_file_here(declared: formats.Format) -> None:
    assert formats.is_supported(f"file.{declared.extension}"), "add it to the table in formats.py"
    assert formats.declared_format(compound({"Workbook": b"x"}), declared.extension) is declared
    assert declared.extension in FORMATS, "add a file of it to FORMATS"


def test_a_refusal_names_every_format_that_is_read() -> None:
    with pytest.raises(UnreadableDocument) as refused:
        formats.declared_format(b"content", "xyz")
    reason, _, accepted = str(refused.value).partition(": convert it to one of ")
    assert reason == "files of type .xyz are not read"
    named, _, variants = accepted.partition(" and variants such as ")
    assert set(named.split(", ")) == {each.extension for each in declared_formats()}
    assert all(formats.is_supported(f"file.{each}") for each in variants.split(", "))


@pytest.mark.parametrize("file_type", FORMATS)
def test_every_format_gives_its_words_with_their_place_and_hides_what_it_hides(
    parser: WorkerParser, file_type: str
) -> None:
    content, path, page = FORMATS[file_type]
    chunks = chunk(parser.parse(content, file_type))
    (found,) = [one for one in chunks if _WORDS in one.text]
    assert found.heading_path == path
    assert (found.page_first, found.page_last) == (page, page)
    assert "SECRET" not in " ".join(one.text for one in chunks)


@pytest.mark.parametrize("file_type", FORMATS)
def test_the_language_is_detected_from_the_prose(parser: WorkerParser, file_type: str) -> None:
    in_cells = file_type in ("xlsx", "xls", "ods", "csv", "tsv")
    assert parser.parse(FORMATS[file_type][0], file_type).language == (None if in_cells else "en")


@pytest.mark.parametrize(
    ("table", "language"),
    [
        ("名前,年齢,住所\n佐藤太郎,30,東京\n髙橋淳,35,名古屋\n", "ja"),
        ("姓名,年龄,地址\n张伟,30,北京\n刘洋,35,广州\n", "zh"),
        ("名,山\n高山,30\n大山,35\n", None),
    ],
)
def test_a_table_of_names_is_japanese_or_chinese_by_the_forms_of_its_characters(
    parser: WorkerParser, table: str, language: str | None
) -> None:
    assert parser.parse(table.encode(), "csv").language == language


_NAMES = "Internet2、Qwest、Abilene、LambdaRail"


@pytest.mark.parametrize(
    ("prose", "language"),
    [
        (f"{_NAMES} 都是由大学和企业共同建设的高速计算机网络，供研究和教育使用。", "zh"),
        (f"{_NAMES} は、大学と企業が共同で構築した研究と教育のための高速ネットワークです。", "ja"),
        ("Отчёт Ван Дейка и Шоу о мюзикле сняли с эфира, но Дойл и Мур его пересняли.", "ru"),
    ],
)
def test_names_in_other_letters_do_not_hide_the_language(parser: WorkerParser, prose: str, language: str) -> None:
    assert parser.parse(prose.encode(), "txt").language == language


@pytest.mark.parametrize("named", FORMATS)
def test_no_format_is_taken_for_another(parser: WorkerParser, named: str) -> None:
    for file_type, (content, _, _) in FORMATS.items():
        # Programs export text under the name of a workbook.
        if file_type != named and not (file_type in TEXTS and named in {*TEXTS, "xls"}):
            with pytest.raises(UnreadableDocument, match=f"the name ends in .{named} but the content is"):
                parser.parse(content, named)


@pytest.mark.parametrize(
    ("content", "file_type", "reason"),
    [
        (compound({"WordDocument": b"x"}), "docx", "old Office files .*save it as .docx"),
        (compound({"PowerPoint Document": b"x"}), "ppt", "old Office files .*save it as .pptx"),
        (compound({"EncryptedPackage": b"x"}), "xlsx", "encrypted"),
        (compound({"Other": b"x"}), "xls", "another kind"),
        (package({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "odt", "another kind of zip"),
        (package({"mimetype": "application/epub+zip", "META-INF/rights.xml": "<x/>"}), "epub", "protected"),
        (b'<!DOCTYPE x [<!ENTITY a SYSTEM "b">]><x>&a;</x>', "xml", "entities"),
        (b"<x><y></x>", "xml", "damaged"),
        (b"PK\x03\x04, and nothing more", "docx", "damaged or cut off: .*save it anew"),
        (b'{"a": ', "json", r"not valid JSON \(line 1, column 7: expecting value\)"),
        (b'{"a": 1,\n "b": }', "json", r"not valid JSON \(line 2, column 7: expecting value\)"),
        (b'\n{"a": 1} x\n', "jsonl", r"not valid JSON \(line 2, column 10: extra data\)"),
        (b"[" * 100_000, "json", "nested too deeply"),
        (b"<a>" * 1_000 + b"</a>" * 1_000, "xml", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(
    parser: WorkerParser, content: bytes, file_type: str, reason: str
) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        parser.parse(content, file_type)
