"""A page without heading elements has the headings that its typography shows, and no others."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.open_files import epub

_TEXT = "<p>The harbour pays the dues of each boat by the weight of its load, and it keeps a list of them.</p>"


def _headings(parser: WorkerParser, body: str) -> list[tuple[int, str]]:
    content = f"<html><body>{body}</body></html>".encode()
    blocks = parser.parse(content, "html").blocks
    return [(block.level, block.text) for block in blocks if block.kind is BlockKind.HEADING]


@pytest.mark.parametrize(
    "head",
    [
        "<p><b>Item 2. Dues of the harbour</b></p>",
        "<p><strong>Dues of the harbour</strong></p>",
        '<div><span style="font-weight:700">Dues of the harbour</span></div>',
        '<p style="font:bold 10pt Times">Dues of the harbour</p>',
        '<p style="font-size:150%">Dues of the harbour</p>',
        '<p><font size="5">Dues of the harbour</font></p>',
        "<p><b>Item 2.</b> <b>Dues of the harbour.</b></p>",
    ],
)
def test_a_short_line_that_looks_like_a_heading_is_one(parser: WorkerParser, head: str) -> None:
    found = _headings(parser, _TEXT + head + _TEXT)
    assert len(found) == 1
    assert "Dues of the harbour" in found[0][1]


@pytest.mark.parametrize(
    "line",
    [
        "<p><b>The quay is closed at night.</b></p>",
        "<p><b>Dues:</b> they are paid in May</p>",
        "<p>Dues of the harbour</p>",
        "<table><tr><td><b>Dues</b></td><td><b>Weight</b></td></tr><tr><td>4</td><td>5</td></tr></table>",
        '<p><a href="#dues"><b>Dues of the harbour</b></a></p>',
        f"<p><b>{'A long line of bold type is text and no heading ' * 5}</b></p>",
        "<p><b>12</b></p>",
        "<p><b><code>FOR ROWS</code></b></p>",
        "<p style='font-family:Courier New'><b>ENABLE</b></p>",
        "<ul><li><b>Boats</b></li><li><b>Cranes</b></li></ul>",
        "<p><b>HARBOUR</b></p><p><b>14 Mill Lane</b></p><p><b>Hartwell</b></p><p><b>Form 7</b></p>",
    ],
)
def test_running_text_cells_links_and_covers_are_no_headings(parser: WorkerParser, line: str) -> None:
    assert _headings(parser, _TEXT + line + _TEXT) == []


def test_bold_lines_of_a_page_with_heading_elements_are_text(parser: WorkerParser) -> None:
    body = f"<h2>Tides</h2>{_TEXT}<p><b>Dues of the harbour</b></p>{_TEXT}"
    assert _headings(parser, body) == [(2, "Tides")]


def test_below_the_title_of_a_page_bold_lines_are_headings() -> None:
    blocks = read_document(f"<h1>Harbour</h1>{_TEXT}<p><b>Dues</b></p>{_TEXT}".encode(), "html").blocks
    assert [(block.level, block.text) for block in blocks if block.level] == [(1, "Harbour"), (2, "Dues")]


@pytest.mark.parametrize(
    "head",
    [
        "<table><tr><td>Item 2A.</td><td>Dues of the harbour</td></tr></table>",
        "<p align=center>Item 2. Dues of the harbour</p>",
        "<p>2.1 Dues of the harbour</p>",
        "<p>DUES OF THE HARBOUR</p>",
        "<div role=heading>Dues of the harbour</div>",
    ],
)
def test_labels_capitals_and_roles_are_evidence_of_a_heading(head: str) -> None:
    blocks = read_document(f"{_TEXT}{head}{_TEXT}".encode(), "html").blocks
    [found] = [block.text for block in blocks if block.level]
    assert found.casefold().endswith("dues of the harbour")


@pytest.mark.parametrize(
    "line", ["<p>1. one</p><p>2. two</p><p>3. three</p>", "<p>KIEL</p><p>TURIN</p>", "<p>No. 2:</p>"]
)
def test_plain_lines_of_a_list_are_no_headings(line: str) -> None:
    assert not [block for block in read_document(f"{_TEXT}{line}<p>x</p>".encode(), "html").blocks if block.level]


def test_a_line_in_bold_on_a_page_in_bold_is_text(parser: WorkerParser) -> None:
    assert _headings(parser, f"<b>{_TEXT}<p>Dues of the harbour</p>{_TEXT}</b>") == []


def test_a_running_header_of_printed_pages_is_text(parser: WorkerParser) -> None:
    assert _headings(parser, (f"<p><b>Harbour Board</b></p>{_TEXT}") * 6) == []


def test_parts_are_above_items_and_items_above_other_lines(parser: WorkerParser) -> None:
    lines = ("PART I", "Item 1. Dues", "Boats of wood", "Item 2. Quays", "PART II", "Item 5. Cranes")
    body = "".join(f"<p><b>{line}</b></p>{'' if line.startswith('PART') else _TEXT}" for line in lines)
    assert _headings(parser, body) == [
        (1, "PART I"),
        (2, "Item 1. Dues"),
        (3, "Boats of wood"),
        (2, "Item 2. Quays"),
        (1, "PART II"),
        (2, "Item 5. Cranes"),
    ]


def test_a_larger_line_is_above_a_smaller_one(parser: WorkerParser) -> None:
    body = f'<p style="font-size:24pt">Rules</p>{_TEXT}<p style="font-size:18pt">Dues</p>{_TEXT}'
    assert _headings(parser, body) == [(1, "Rules"), (2, "Dues")]


def test_the_table_of_contents_makes_a_plain_line_a_heading(parser: WorkerParser) -> None:
    contents = '<p><a href="#d">Dues</a></p><p><a href="#q">Quays</a></p>'
    body = f'{contents}{_TEXT}<a name="d"></a><p>1. Dues</p>{_TEXT}<p id="q">Old words</p>{_TEXT}'
    assert _headings(parser, body) == [(1, "1. Dues")]


def test_a_chapter_of_a_book_and_a_mail_have_such_headings_too(parser: WorkerParser) -> None:
    body = f"{_TEXT}<p><b>Dues of the harbour</b></p>{_TEXT}"
    blocks = parser.parse(epub({"a.xhtml": body}), "epub").blocks
    assert [block.text for block in blocks if block.kind is BlockKind.HEADING] == ["Dues of the harbour"]
    message = f"Subject: Dues\nContent-Type: text/html\n\n{body}".encode()
    found = [block.text for block in parser.parse(message, "eml").blocks if block.kind is BlockKind.HEADING]
    assert found[-1] == "Dues of the harbour"
