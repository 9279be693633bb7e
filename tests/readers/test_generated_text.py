"""Text and room that the style sheets of a page put beside its words, as a browser shows them."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.open_files import epub


def _shown(sheet: str, body: str) -> list[str]:
    page = f"<style>{sheet}</style>{body}"
    return [repr(block.rows) if block.rows else block.text for block in read_document(page.encode(), "html").blocks]


@pytest.mark.parametrize(
    ("sheet", "body", "shown"),
    [
        ("i::after{content:'%'}", "<p>Rate <i>12</i> net", "Rate 12% net"),
        ("i:before{content:'CHF\\A0'}", "<p><i>40</i>", "CHF 40"),
        ("i::after{content:\"; \"} b::after{content:'}'}", "<p><i>1</i><b>2</b>", "1; 2}"),
        ("i::after{content:' ' attr(data-unit)}", "<p><i data-unit=mm>12</i>", "12 mm"),
        ("a::after{content:' (' attr(href) ')'}", "<p><a href='/x'>page</a>", "page (/x)"),
        ("i::after{content:'x' / 'spoken'}", "<p><i>1</i>", "1x"),
        ("i::before{content:url(a.png)} i::after{content:var(--x, 'y')}", "<p><i>1</i>", "1"),
        ("i::before{content:'\\f101'}", "<p><i>1</i>", "1"),
        ("i::after{content:'%'} i.no::after{content:none}", "<p><i class=no>12</i>", "12"),
        ("i::after{content:'%'} i.no::after{display:none}", "<p><i class=no>12</i>", "12"),
        ("i::before{content:'a';display:none} i::after{content:'b'}", "<p><i>1</i>", "1b"),
        ("i::before{content:'Note';margin-right:1em}", "<p><i>4</i>", "Note 4"),
        ("i::before{content:'Note';display:block}", "<p><i>4</i>", "Note 4"),
        ("td.u::after{content:' kg'}", "<table><tr><td>Bolt<td class=u>12</table>", "(('Bolt', '12 kg'),)"),
        ("li::marker{content:'§ 3 '}", "<ol><li>a</ol>", "§ 3 a"),
        ("h2::before{content:'Part '}", "<h2>2</h2>", "Part 2"),
        (
            "blockquote::before{content:open-quote}blockquote::after{content:close-quote}",
            "<blockquote>a</blockquote>",
            "“a”",
        ),
        ("", "<p>say <q>a <q>b</q></q> now", "say “a ‘b’” now"),
        ("q::before, q::after{content:none}", "<p><q>a</q>", "a"),
        ("li::after{content:' ·'} p::before{content:'→ '}", "<ul><li>a</ul>", "a"),
        ("li::before{content:'✓ '}", "<ul><li>a</ul>", "✓ a"),
        ("dt::after{content:':'}", "<dl><dt>Net</dl>", "Net:"),
        ("@media print{i::after{content:'%'}}", "<p><i>12</i>", "12"),
    ],
)
def test_text_of_a_style_sheet_is_where_the_browser_shows_it(sheet: str, body: str, shown: str) -> None:
    assert _shown(sheet, body) == [shown]


def test_a_book_has_the_text_of_its_style_sheets() -> None:
    page = "<html><head><style>i::after{content:'%'}</style></head><body><p>Rate <i>12</i></p></body></html>"
    (block,) = read_document(epub({"a.xhtml": page}), "epub").blocks
    assert block.text == "Rate 12%"


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("margin-left:1em", "Total 12 kg"),
        ("margin:0 8px", "Total 12 kg"),
        ("padding-left:2em", "Total 12 kg"),
        ("float:right", "Total 12 kg"),
        ("position:absolute;right:0", "Total 12 kg"),
        ("padding:2px 4px", "Total12kg"),
        ("margin:1em 0", "Total12kg"),
        ("margin-left:-1px", "Total12kg"),
        ("font-size:3em;float:left;padding-right:6px", "Total12kg"),
    ],
)
def test_room_divides_words_and_figures_that_no_blank_divides(style: str, shown: str) -> None:
    (text,) = _shown("", f"<p>Total<span style='{style}'>12</span>kg")
    assert text in {shown, shown.replace("12 kg", "12kg")}
    assert ("Total 12" in text) == ("Total 12" in shown)


def test_the_name_of_a_drawing_is_no_title_of_the_page() -> None:
    page = b"<p>Text of the page</p><svg><title>arrow</title></svg>"
    assert read_document(page, "html").title is None


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        (
            "<tr><th>A<th>B<th>C<tr><td rowspan=0>all<td>1<td>2<tr><td>3<td>4",
            (("A", "B", "C"), ("all", "1", "2"), ("", "3", "4")),
        ),
        (
            "<tbody><tr><td rowspan=9>x<td>1<tr><td>2</tbody><tbody><tr><td>y<td>3",
            (("x", "1"), ("", "2"), ("y", "3")),
        ),
    ],
)
def test_a_cell_spans_no_rows_of_another_section(rows: str, read: tuple[tuple[str, ...], ...]) -> None:
    (table,) = read_document(f"<table>{rows}</table>".encode(), "html").blocks
    assert table.rows == read
