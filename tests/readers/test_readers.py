"""What single formats do with what only they have."""

import base64
import json

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from tests.readers.blocks import texts
from tests.readers.office import CHART_OF_2016, chart_of_2016, pptx, shape, xlsx
from tests.readers.open_files import epub


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("shift_jis", "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"),
        ("euc_jp", "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"),
        ("big5", "客戶名稱,地址\n王小明,台北市\n"),
        ("gb18030", "客户名称,地址\n王小明,北京市\n"),
        ("euc_kr", "이름,도시\n김철수,서울\n"),
        ("koi8-r", "Имя,город\nИван,Москва\n"),
        ("cp1251", "Имя,город\nИван,Москва\n"),
        ("latin-1", "Name,Ort\nJörg Müller,Köln\n"),
        ("cp1252", "prix,nom\n5 €,« café »\n"),
        ("utf-16", "Name,Ort\nJörg Müller,Köln\n"),
    ],
)
@pytest.mark.parametrize("file_type", ["txt", "csv", "md"])
def test_short_texts_are_read_in_the_encoding_they_have(
    parser: WorkerParser, encoding: str, text: str, file_type: str
) -> None:
    document = parser.parse(text.encode(encoding), file_type)
    assert "".join(texts(document)).replace(" | ", ",").split() == text.split()


def test_numbered_titles_of_a_text_are_headings_and_its_contents_and_lists_are_not(parser: WorkerParser) -> None:
    source = (
        "The handbook\n\n1. Scope\n\n2. Rules\n\n   2.1 Returns\n\n1. Scope\n\nFor all.\n\n2. Rules\n\n2.1 Returns\n\n"
        "Take these:\n\n1. One thing\n\n2. Another thing\n\nDone.\n"
    )
    document = parser.parse(source.encode(), "txt")
    found = [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]
    assert found == [(1, "1. Scope"), (1, "2. Rules"), (2, "2.1 Returns")]
    assert document.title == "The handbook"


def test_a_text_in_capitals_has_no_headings_and_a_line_in_capitals_is_one(parser: WorkerParser) -> None:
    shouted = parser.parse(b"HELLO TO ALL\n\nTHE END IS NEAR\n\nREPENT NOW\n", "txt")
    assert {block.kind for block in shouted.blocks} == {BlockKind.PARAGRAPH}
    calm = parser.parse(b"NAME\n\nls lists files.\n\nMore of it.\n\nOPTIONS\n\nThere are none.\n\nAt all.\n", "txt")
    assert [block.text for block in calm.blocks if block.kind is BlockKind.HEADING] == ["NAME", "OPTIONS"]


def test_a_table_drawn_with_signs_is_a_table(parser: WorkerParser) -> None:
    rule = "+----+------+"
    lines = [rule, "| A  | B    |", rule, "| 1  | long |", "|    | text |", rule, "| 2  | x    |", rule]
    assert parser.parse("\n".join(lines).encode(), "txt").blocks[0].rows == (("A", "B"), ("1", "long text"), ("2", "x"))


def test_binary_data_is_no_text_of_json(parser: WorkerParser) -> None:
    picture = base64.b64encode(bytes(range(256))).decode()
    source = json.dumps({"name": "Pier", "photo": picture, "icon": f"data:image/png;base64,{picture}", "berths": 9})
    assert texts(parser.parse(source.encode(), "json")) == ["name: Pier", "berths: 9"]


def test_a_text_as_html_in_json_is_read_as_a_browser_shows_it(parser: WorkerParser) -> None:
    body = "<p>Boats &amp; <b>ferries</b>.</p><p hidden>SECRET</p><ul><li>Kiel</li></ul>"
    source = json.dumps({"body": body, "code": "write <p> here", "less": "1 < 2"})
    assert texts(parser.parse(source.encode(), "json")) == [
        "body: Boats & ferries.",
        "Kiel",
        "code: write <p> here",
        "less: 1 < 2",
    ]


def test_alike_records_of_json_are_a_table_and_long_ones_a_group_each(parser: WorkerParser) -> None:
    (found,) = parser.parse(b'[{"id": 1.10, "ok": true}, {"id": 2, "ok": null}]', "json").blocks
    assert found.rows == (("id", "ok"), ("1.10", "true"), ("2", ""))
    long = "word " * 100
    records = parser.parse(
        f'{{"title": "A", "text": "{long}"}}\n\n{{"title": "B", "text": "{long}"}}'.encode(), "jsonl"
    )
    assert [(block.group, block.text[:6]) for block in records.blocks] == [
        *((0, "A"), (0, "title:"), (0, "text: ")),
        *((1, "B"), (1, "title:"), (1, "text: ")),
    ]


def test_lines_of_an_object_precede_its_sections(parser: WorkerParser) -> None:
    document = parser.parse(b'{"a": 1, "part": {"b": [1, 2]}, "c": "x"}', "json")
    assert texts(document) == ["a: 1", "c: x", "part", "b: 1, 2"]


def test_xml_of_records_is_read_as_records_and_of_prose_as_prose(parser: WorkerParser) -> None:
    parts = parser.parse(b"<parts><part><id>1</id><n>Bolt</n></part><part><id>2</id><n>Nut</n></part></parts>", "xml")
    assert parts.blocks[0].rows == (("id", "n"), ("1", "Bolt"), ("2", "Nut"))
    prose = parser.parse("<doc><p>Eins <b>zwei</b> drei.</p></doc>".encode("utf-16"), "xml")
    assert texts(prose) == ["Eins zwei drei."]


def test_notes_belong_to_the_slide_that_refers_to_them(parser: WorkerParser) -> None:
    content = pptx(
        [[shape("One", placeholder="title")], [shape("Two", placeholder="title")]], {2: "Of two"}, swapped=True
    )
    document = parser.parse(content, "pptx")
    assert [(block.page, block.text) for block in document.blocks] == [
        (1, "Two"),
        (1, "Notes:"),
        (1, "Of two"),
        (2, "One"),
    ]


def test_a_chart_of_a_newer_kind_on_a_slide_is_a_table(parser: WorkerParser) -> None:
    space = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    kind = "http://schemas.microsoft.com/office/drawing/2015/9/8/chartex"
    frame = (
        f'<mc:AlternateContent xmlns:mc="{space}"><mc:Choice xmlns:cx1="{kind}" Requires="cx1"><p:graphicFrame>'
        f'<a:graphic><a:graphicData><cx:chart xmlns:cx="{CHART_OF_2016}" r:id="rId1"/></a:graphicData></a:graphic>'
        "</p:graphicFrame></mc:Choice><mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent>"
    )
    content = pptx([[shape("Figures", placeholder="title"), frame]], {}, charts={1: _FUNNEL})
    document = parser.parse(content, "pptx")
    assert document.blocks[-1].rows == (("", "leads"), ("open", "9"), ("won", "2"))


_FUNNEL = chart_of_2016("Sales", [["open", "won"]], {"leads": ["9", "2"]})


def test_hidden_rows_and_columns_of_a_workbook_are_out(parser: WorkerParser) -> None:
    content = xlsx(
        {"Prices": [["Item", "Cost", "Price"], ["Bolt", "SECRET", "2"], ["SECRET", "SECRET", "SECRET"]]},
        hidden_rows=frozenset({3}),
        hidden_columns=frozenset({2}),
    )
    assert parser.parse(content, "xlsx").blocks[1].rows == (("Item", "Price"), ("Bolt", "2"))


def test_a_book_is_read_in_the_order_of_its_spine(parser: WorkerParser) -> None:
    content = epub({"b.xhtml": "<h1>Two</h1>", "a.xhtml": "<h1>One</h1>"}, "Tides", ["a.xhtml", "b.xhtml"])
    document = parser.parse(content, "epub")
    assert (document.title, texts(document)) == ("Tides", ["One", "Two"])
    assert document.front_matter == {"author": "Ann Author"}


def test_a_chapter_that_has_the_table_of_contents_in_a_part_of_it_is_read(parser: WorkerParser) -> None:
    chapters = {"a.xhtml": "<h1>One</h1>", "b.xhtml": "<h1>Contents</h1>"}
    guide = '<reference type="toc" href="a.xhtml#toc"/><reference type="toc" href="b.xhtml"/>'
    assert texts(parser.parse(epub(chapters, guide=guide), "epub")) == ["One"]


_LISTED = (("1. Rules", "a.xhtml", (("Returns", "a.xhtml#r"), ("Fees", "b.xhtml"))), ("2. Annexes", "c.xhtml", ()))


def nav_of(*, is_flat: bool = False) -> tuple[str, str, str]:
    entries = "".join(
        f'<li><a href="{page}">{title}</a>{"" if is_flat or not inner else _list(inner)}</li>'
        for title, page, inner in _LISTED
    )
    page = f'<html xmlns="http://www.w3.org/1999/xhtml"><nav><h2>Contents</h2><ol>{entries}</ol></nav></html>'
    return ("nav.xhtml", 'media-type="application/xhtml+xml" properties="nav"', page)


def _list(inner: tuple[tuple[str, str], ...]) -> str:
    return "<ol>" + "".join(f'<li><a href="{page}">{title}</a></li>' for title, page in inner) + "</ol>"


def _point(title: str, page: str, inner: str = "") -> str:
    return f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{page}"/>{inner}</navPoint>'


_POINTS = "".join(_point(title, page, "".join(_point(*each) for each in inner)) for title, page, inner in _LISTED)
_NCX = ("toc.ncx", 'media-type="application/x-dtbncx+xml"', f"<ncx><navMap>{_POINTS}</navMap></ncx>")


@pytest.mark.parametrize(
    ("contents", "levels"),
    [
        (nav_of(), [1, 2, 3, 2, 1]),
        (_NCX, [1, 2, 3, 2, 1]),
        (nav_of(is_flat=True), [2, 2, 3, 2, 2]),
        (None, [2, 2, 3, 2, 2]),
    ],
)
def test_headings_of_a_book_have_the_levels_of_its_table_of_contents(
    parser: WorkerParser, contents: tuple[str, str, str] | None, levels: list[int]
) -> None:
    chapters = {
        "a.xhtml": "<h2>Chapter 1. Rules</h2><h2>Returns</h2><h3>Note</h3>",
        "b.xhtml": "<h2>Fees</h2>",
        "c.xhtml": "<h2>2 Annexes</h2>",
    }
    blocks = parser.parse(epub(chapters, extra=contents), "epub").blocks
    assert [block.level for block in blocks] == levels


def test_a_book_with_a_damaged_table_of_contents_is_read(parser: WorkerParser) -> None:
    name, attributes, page = nav_of()
    assert texts(parser.parse(epub({"a.xhtml": "<h1>One</h1>"}, extra=(name, attributes, page[:-9])), "epub")) == [
        "One"
    ]


def test_footnotes_of_rich_text_are_kept_and_titles_readable(parser: WorkerParser) -> None:
    source = rb"{\rtf1\ansi{\info{\title \u220\'dcbersicht}}\pard Text{\footnote A note.} goes on.\par}"
    document = parser.parse(source, "rtf")
    assert "A note." in " ".join(texts(document))
    assert document.title == "Übersicht"


def test_running_headers_and_field_data_of_rich_text_are_out(parser: WorkerParser) -> None:
    link = (
        rb'{\field{\*\fldinst { HYPERLINK "https://h.example/x" }{{\*\datafield ' + b"\n00d0c9ea}}}{\\fldrslt {rules}}}"
    )
    source = (
        rb"{\rtf1\ansi\sectd{\headerr \pard {Draft \{a\}}\par}{\footer \pard Page {\bin2 }}} 1\par}"
        rb"{\headery \pard kept\par}"
        rb"\pard See the " + link + rb" of the port.\par}"
    )
    assert texts(parser.parse(source, "rtf")) == ["kept", "See the rules (h.example) of the port."]


def test_a_running_header_of_rich_text_that_does_not_end_is_kept(parser: WorkerParser) -> None:
    assert texts(parser.parse(rb"{\rtf1\ansi\pard Text\par{\header Draft", "rtf"))[0] == "Text"


def test_navigation_and_tables_of_contents_of_a_page_are_out(parser: WorkerParser) -> None:
    page = (
        "<html><div class='toc'><a href='#a'>1. Scope</a></div><div role=navigation>Home</div>"
        "<ul><li><a hreflang=de href='https://de.example/x'>Deutsch</a></li></ul><p>Text</p></html>"
    )
    assert [(block.kind, block.text) for block in parser.parse(page.encode(), "html").blocks] == [
        (BlockKind.PARAGRAPH, "Text")
    ]
