"""HTML: where elements end without their tag, what hidden elements leave behind, empty lines, titles."""

import itertools

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.open_files import epub


def shown(body: str) -> list[str]:
    return [block.text for block in read_document(f"<html><body>{body}</body></html>".encode(), "html").blocks]


@pytest.mark.parametrize(
    ("body", "paragraphs"),
    [
        ("one<br><br>two<br>three", ["one", "two three"]),
        ("<p>one<br>&nbsp;<br/>\n<br>two</p>", ["one", "two"]),
        ("<li>one<br><br>two", ["one", "two"]),
        ("<font>one<br></font><br>two", ["one", "two"]),
        ("<a href='#x'>one<br>two</a><br>three", ["one two three"]),
        ("one<br><span>two</span><br>three", ["one two three"]),
        ("<h1>one<br><br>two</h1>", ["one two"]),
        ("<pre>one<br><br>two</pre>", ["one\n\ntwo"]),
        ("<table><tr><td>one<br><br>two<td>three<tr><td>4<td>5</table>", ["one two | three\n4 | 5"]),
    ],
)
def test_an_empty_line_ends_a_paragraph(body: str, paragraphs: list[str]) -> None:
    assert shown(body) == paragraphs


@pytest.mark.parametrize(
    "hidden",
    [
        "<table hidden><tr><td>SECRET</td></tr></table>",
        "<table class=navbox><tr><td>SECRET</td></tr></table>",
        "<h1 style='display:none'>SECRET</h1>",
        "<p style='x:\\/*;display:none;y:*/'>SECRET</p>",
        '<p style=\'x:"/*";display:none;y:"*/"\'>SECRET</p>',
        "<?xml:namespace prefix='o'/><ul><li hidden>SECRET</ul>",
        "<pre hidden>SECRET</pre>",
        "<ul hidden><li>SECRET</ul>",
        "<ul><li hidden>SECRET</ul>",
        "<p hidden>SECRET",
        f"<div hidden>{'<p>SECRET' * 80}</div>",
        f"<nav><ul>{'<li>SECRET' * 80}</ul></nav>",
        "<p style='display:none' style='display:block'>SECRET</p>",
    ],
)
def test_what_follows_a_hidden_element_is_read_as_what_it_is(hidden: str) -> None:
    before = "before " * 40
    page = f"<html><body><p>{before}</p>{hidden}<p>after</p></body></html>"
    assert [(block.kind, block.text) for block in read_document(page.encode(), "html").blocks] == [
        (BlockKind.PARAGRAPH, before.strip()),
        (BlockKind.PARAGRAPH, "after"),
    ]


def test_a_hidden_item_has_no_number() -> None:
    assert shown("<ol><li>a<li hidden>SECRET<li>b</ol>") == ["1. a", "2. b"]


@pytest.mark.parametrize(
    "head", ["<head><title>T</title><body>", "<head><title>T</title>", "<head><title>T</title></head>"]
)
def test_what_is_shown_ends_the_head_of_a_page(head: str) -> None:
    for text in ("<p>words</p>", "words"):
        page = read_document(f"<html>{head}{text}</html>".encode(), "html")
        assert (page.title, [block.text for block in page.blocks]) == ("T", ["words"])


@pytest.mark.parametrize(
    "body",
    [
        "<p><font color=white><div>SECRET</div></font></p>",
        "<p><span hidden><div>SECRET</div></span></p>",
        "<ul><li><font color=white>SECRET<li>SECRET</font></ul>",
    ],
)
def test_an_element_that_can_go_on_in_the_next_one_hides_what_is_there(body: str) -> None:
    assert shown(f"<p>seen</p>{body}") == ["seen"]


@pytest.mark.parametrize(
    "body",
    [
        "<p style='display:none'><div>SECRET</div></p><p>seen</p>",
        "<div style='display:none'/><p>seen</p>",
        "<script src='x.js'/><a id='page1'/><p>seen</p>",
    ],
)
def test_elements_of_a_book_end_where_xml_ends_them(body: str) -> None:
    assert [block.text for block in read_document(epub({"a.xhtml": body}), "epub").blocks] == ["seen"]


def test_a_page_that_can_be_xml_hides_what_a_hidden_paragraph_holds() -> None:
    page = "<?xml version='1.0'?><html><body><p style='display:none'><b/><div>SECRET</div></p><p>seen</p></body></html>"
    assert [block.text for block in read_document(page.encode(), "xhtml").blocks] == ["seen"]


def test_a_link_ends_the_one_before_and_has_its_host_once() -> None:
    links = "<a href='https://one.example'>one <a href='https://two.example'>two</a></a> end"
    assert shown(f"<p>{links}</p>") == ["one (one.example) two (two.example) end"]


def test_a_link_around_blocks_has_its_host_at_its_end() -> None:
    assert shown("<p>so</p><a href='https://one.example'><p>first</p>last</a>") == ["so", "first", "last (one.example)"]


def test_a_table_within_a_cell_is_the_text_of_that_cell() -> None:
    inner = "<table><caption>Depths</caption><tr><th>Kiel<td>9<tr><th>Emden<td>7</table>"
    [table] = read_document(f"<html><table><tr><td>a<td>{inner} m<tr><td>b<td>c</table></html>".encode(), "html").blocks
    assert table.rows == (("a", "Depths Kiel 9 Emden 7 m"), ("b", "c"))


def test_a_table_outside_of_a_cell_of_the_table_around_it_is_a_table() -> None:
    rows = "<tr><td>a<td>b<tr><td>c<td>d"
    tables = read_document(f"<html><table><table>{rows}</table>{rows}</table></html>".encode(), "html").blocks
    assert [table.rows for table in tables] == [(("a", "b"), ("c", "d"))] * 2


@pytest.mark.parametrize(
    "title", ["Key", "NOTES:", "Untitled", "Untitled Document", "Document", "index", "Page 1", "Home", "-"]
)
def test_a_word_that_names_no_page_is_no_title(title: str) -> None:
    page = f"<html><head><title>{title}</title></head><body><h1>Tides</h1><p>High.</p></body></html>"
    assert read_document(page.encode(), "html").title == "Tides"


@pytest.mark.parametrize(
    "title", ["Key figures", "Notes on tides", "Document 12/2024", "Home office", "Index of Ports"]
)
def test_a_title_with_such_a_word_is_one(title: str) -> None:
    page = f"<html><head><title>{title}</title></head><body><h1>Tides</h1><p>High.</p></body></html>"
    assert read_document(page.encode(), "html").title == title


_PAGE = "<h1>Rules</h1><p>Boats come.<p>Boats go."


@pytest.mark.parametrize(
    "frame",
    [
        f"<table><tr><td>{_PAGE}</td></tr></table>",
        f"<table><tr><td><img src=a><td>{_PAGE}</table>",
        f"<table><tr><td><td>{_PAGE}<tr><td colspan=2></table>",
        f"<TABLE><TBODY><TR><TD><TABLE><TR><TD>{_PAGE}</TABLE></TABLE>",
        "<table><tr><td><h1>Rules</h1><tr><td>Boats come.<br><br>Boats go.</table>",
        "<!-- <table> --><script>'<table>'</script><h1>Rules</h1><table><tr><td>Boats come.<br><br>Boats go.</table>",
        f"<style>td {{ background: navy }} .a {{ color: white }}</style><table><tr><td class=a>{_PAGE}</table>",
    ],
)
def test_the_cells_of_a_table_that_frames_a_page_are_its_blocks(frame: str) -> None:
    blocks = read_document(f"<html>{frame}<p>The end.</html>".encode(), "html").blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.HEADING, "Rules"),
        (BlockKind.PARAGRAPH, "Boats come."),
        (BlockKind.PARAGRAPH, "Boats go."),
        (BlockKind.PARAGRAPH, "The end."),
    ]


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("<tr><td>a<td>b", (("a", "b"),)),
        ("<tr><td>\u2610<td><p>Report</p>", (("\u2610", "Report"),)),
        ("<tr><td>a<td>1<br>2<br>3<tr><td>b<td>4", (("a", "1 2 3"), ("b", "4"))),
        ("<tr><th>Rules<td>1<br>2<br>3", (("Rules", "1 2 3"),)),
        ("<tr><td><h3>a</h3><td>1" * 4, (("a", "1"),) * 4),
        ("<tr><td><h2>A</h2><p>text</p><td>B<tr><td>1<td>2", (("A text", "B"), ("1", "2"))),
    ],
)
def test_a_table_of_values_stays_a_table(table: str, rows: tuple[tuple[str, ...], ...]) -> None:
    [found] = read_document(f"<html><table>{table}</table></html>".encode(), "html").blocks
    assert found.rows == rows


@pytest.mark.parametrize(
    "style", ["td {display:none}", "table {color:white}", "table td {display:none}", "tr > td {display:none}"]
)
def test_a_style_of_cells_hides_those_of_a_frame_as_well(style: str) -> None:
    page = f"<html><style>{style}</style><p>Text.<table><tr><td><h1>SECRET</h1></table></html>"
    assert [block.text for block in read_document(page.encode(), "html").blocks] == ["Text."]


def test_a_table_inside_a_frame_keeps_its_rows() -> None:
    inner = "<table><tr><th>Port<th>m<tr><td>Kiel<td>9</table>"
    heading, table = read_document(f"<table><tr><td><h1>Depths</h1>{inner}</table>".encode(), "html").blocks
    assert (heading.text, table.rows) == ("Depths", (("Port", "m"), ("Kiel", "9")))


def test_fields_of_a_form_show_their_ticks_and_texts(parser: WorkerParser) -> None:
    fields = "<input type=checkbox checked> Gift <input type=checkbox> Call <input value=4> boxes"
    hidden = "<input type=hidden value=a><input style='display:none' value=b><input type=submit value=c>"
    [block] = parser.parse(f"<p>{fields}{hidden}</p>".encode(), "html").blocks
    assert block.text == "[x] Gift [ ] Call 4 boxes"


@pytest.mark.parametrize(
    "options",
    [
        "<option>Rome</option><option selected>Oslo</option>",
        "<option>Rome<option selected>Oslo<option>Bonn",
        "<optgroup label=x><option>Rome</optgroup><optgroup label=y><option selected>Oslo</optgroup>",
    ],
)
def test_a_list_of_a_form_shows_its_choice_and_a_text_area_its_text(parser: WorkerParser, options: str) -> None:
    proposals = "<datalist><option selected>Kiel</datalist>"
    page = f"<p>City:<select>{options}</select>Note:<textarea>call\nback</textarea>soon {proposals}</p>"
    [block] = parser.parse(page.encode(), "html").blocks
    assert block.text == "City: Oslo Note: call back soon"


def test_the_foot_of_a_table_is_its_last_row_wherever_the_page_has_it(parser: WorkerParser) -> None:
    parts = {
        "foot": "<tfoot><tr><td>Sum<td>3",
        "head": "<thead><tr><th>Item<th>Count",
        "body": "<tbody><tr><td>nut<td>3",
    }
    for order in itertools.permutations(parts):
        page = f"<table>{''.join(parts[part] for part in order)}</table>"
        [table] = parser.parse(page.encode(), "html").blocks
        assert (table.rows, table.header_rows) == ((("Item", "Count"), ("nut", "3"), ("Sum", "3")), 1)


def test_a_cell_over_all_columns_above_the_names_is_the_caption(parser: WorkerParser) -> None:
    names = "<tr><th>Item<th>Shelf<tr><td>bolt<td>4"
    [table] = parser.parse(f"<table><tr><td colspan=2>Stock, depot north{names}</table>".encode(), "html").blocks
    assert (table.caption, table.rows, table.header_rows) == (
        "Stock, depot north",
        (("Item", "Shelf"), ("bolt", "4")),
        1,
    )
    groups = "<tr><td colspan=2>North<tr><td>a<td>1<tr><td colspan=2>South<tr><td>b<td>2"
    [grouped] = parser.parse(f"<table>{groups}</table>".encode(), "html").blocks
    assert (grouped.caption, grouped.rows[0]) == ("", ("North", ""))


def test_a_row_over_all_columns_above_header_cells_is_caption_although_groups_follow() -> None:
    rows = "<tr><td colspan=2>Prices<tr><th>A<th>B<tr><td>1<td>2<tr><td colspan=2>Group<tr><td>3<td>4"
    (table,) = read_document(f"<table>{rows}</table>".encode(), "html").blocks
    assert (table.caption, table.header_rows) == ("Prices", 1)
    assert table.rows == (("A", "B"), ("1", "2"), ("Group", ""), ("3", "4"))


def test_ticks_choices_and_times_of_a_form_stay_apart() -> None:
    ticks = "<label><input type=radio checked>Yes</label><label><input type=radio>No</label>"
    fields = f"{ticks} at<input type=time value=12:30>"
    choices = "<select multiple><option>x<option selected>y<option selected>z</select>"
    shown = [block.text for block in read_document(f"<p>{fields}<p>{choices}".encode(), "html").blocks]
    assert shown == ["[x] Yes [ ] No at 12:30", "y z"]
