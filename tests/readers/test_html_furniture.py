"""Furniture of web pages is out of the text, and nothing that is content."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import Block
from tests.readers.blocks import texts

_TEXT = "<p>The gauge is read at dawn and at dusk, by two persons of the harbour office.</p>"
_PARAGRAPH = "The gauge is read at dawn and at dusk, by two persons of the harbour office."


def read(parser: WorkerParser, body: str) -> list[str]:
    return texts(parser.parse(f"<!doctype html><html><body>{body}</body></html>".encode(), "html"))


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav><a href=x>NAV</a></nav>",
        "<div role=navigation>NAV</div>",
        "<div role=search><label>NAV</label></div>",
        "<search><p>NAV</p></search>",
        "<div role=contentinfo>NAV</div>",
        "<footer><p>NAV</p></footer>",
        "<dialog>NAV</dialog>",
        "<div role=dialog>NAV</div>",
        "<div class=sphinxsidebar><h3>NAV</h3></div>",
        "<div class='rst-versions'>NAV</div>",
        "<div class='md-sidebar md-sidebar--secondary'>NAV</div>",
        "<div class=md-consent>NAV</div>",
        "<div class='theme-doc-toc-mobile x_1'>NAV</div>",
        "<div id=menu-bar><h1>NAV</h1></div>",
        "<div id=cookie-banner>NAV</div>",
        "<div class=navfooter>NAV</div>",
        "<div class='noprint'>NAV</div>",
        "<p><a rel=next href=n.html>NAV</a></p>",
        "<p><a href=e>Edit this page</a></p>",
        "<p><a href=e>Edit on GitHub</a></p>",
        "<p><a href='#main'>Skip to content</a></p>",
        "<button class=copybtn>NAV</button>",
        "<button aria-label='Copy code to clipboard'>NAV</button>",
    ],
)
def test_what_leads_through_a_site_is_out(parser: WorkerParser, furniture: str) -> None:
    assert read(parser, f"{_TEXT}<div>{furniture}</div>") == [_PARAGRAPH]


@pytest.mark.parametrize(
    "sign",
    [
        "<a class=headerlink href='#t' title='Link to this heading'>NAV</a>",
        "<a href='#t'>¶</a>",
        "<a class=x href='#t' aria-hidden=true>#</a>",
        "<a href='#t'>§</a>",
    ],
)
def test_the_sign_of_a_headings_address_is_out(parser: WorkerParser, sign: str) -> None:
    assert read(parser, f"<h2><a class=toc-backref href='#c' role=doc-backlink>Tides</a>{sign}</h2>{_TEXT}") == [
        "Tides",
        _PARAGRAPH,
    ]


@pytest.mark.parametrize("main", ["<main>{}</main>", "<div role=main>{}</div>", "<article>{}</article>"])
def test_only_the_main_content_of_a_page_is_read(parser: WorkerParser, main: str) -> None:
    around = "<header><p>Harbour Guide</p></header>{}<div><p>Other pages</p></div>"
    assert read(parser, around.format(main.format(f"<h1>Tides</h1>{_TEXT}"))) == ["Tides", _PARAGRAPH]


def test_a_title_above_the_main_content_is_kept(parser: WorkerParser) -> None:
    page = f"<header><h1>Tides</h1><p>Harbour Guide</p></header><main>{_TEXT}</main>"
    assert read(parser, page) == ["Tides", _PARAGRAPH]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (f"<header><h1>Tides</h1><p>By Ida</p></header>{_TEXT}", ["Tides", "By Ida", _PARAGRAPH]),
        (f"<main><p>Tip</p></main>{_TEXT}", ["Tip", _PARAGRAPH]),
        (f"<article>One</article>{_TEXT}", ["One", _PARAGRAPH]),
        (f"<ul role=menu><li>{_TEXT * 3}</li></ul><p>Home</p>", [*[_PARAGRAPH] * 3, "Home"]),
        (f"<footer>{_TEXT}</footer>", [_PARAGRAPH]),
        (f"<div class=md-header>{_TEXT}</div>", [_PARAGRAPH]),
        (f"<article>{_TEXT}<footer><p>Ida</p></footer></article>", [_PARAGRAPH, "Ida"]),
        (f"<main>{_TEXT}<aside class=sidebar><p>Side</p></aside></main>", [_PARAGRAPH, "Side"]),
        (f"<h3><button>Which gauge?</button></h3>{_TEXT}", ["Which gauge?", _PARAGRAPH]),
        ("<p>Press <a href='#c'>Copy</a>, then <b>Edit this page</b>.</p>", ["Press Copy, then Edit this page."]),
    ],
)
def test_what_can_be_content_stays(parser: WorkerParser, page: str, found: list[str]) -> None:
    assert read(parser, page) == found


def test_the_parts_of_a_mail_are_no_furniture(parser: WorkerParser) -> None:
    mail = "From: ida@port.example\nSubject: Tides\nContent-Type: text/html\n\n<main>Short</main><footer>Ida</footer>"
    assert texts(parser.parse(mail.encode(), "eml"))[-2:] == ["Short", "Ida"]


@pytest.mark.parametrize(
    "page",
    [
        "<main><footer>" * 50_000 + "x",
        "<a href='#x'>" * 50_000 + "x",
        "<table><tr><td>" * 5_000 + "x",
        "<table><tr><td><ul>" + "<li>" * 100_000,
        "<p class='" + "a " * 200_000 + "'>x",
        "<p style='" + "color:white;" * 100_000 + "'>x</p><p>y",
    ],
)
def test_pages_of_any_form_are_read_within_the_limits_of_the_worker(parser: WorkerParser, page: str) -> None:
    assert read(parser, f"<p>first</p>{page}")


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("<math alttext='x^{2}'><msup><mi>x</mi><mn>2</mn></msup></math>", "$x^{2}$"),
        ("<math><semantics><msub><mi>x</mi><mn>1</mn></msub><annotation>x_1</annotation></semantics></math>", "$x_1$"),
        ("<math><mrow><mi>a</mi><mo>=</mo><mn>2</mn></mrow></math>", "a = 2"),
        ("<math alttext='x and all you were told'><mi>x</mi></math>", "x"),
        ("<math alttext='x \\obey'><mi>x</mi></math>", "x"),
        ("<math alttext='\\frac{a}{b}'><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "$\\frac{a}{b}$"),
    ],
)
def test_a_formula_stays_in_its_sentence(parser: WorkerParser, formula: str, found: str) -> None:
    assert read(parser, f"<p>So {formula} holds.</p><p>End</p>") == [f"So {found} holds.", "End"]


def table(parser: WorkerParser, markup: str) -> Block:
    (found,) = parser.parse(f"<html><table>{markup}</table></html>".encode(), "html").blocks
    return found


def test_a_table_has_its_caption_and_all_rows_of_its_header(parser: WorkerParser) -> None:
    head = "<thead><tr><th rowspan=2>Port<th colspan=2>Depth<tr><th>2019<th>2020</thead>"
    found = table(parser, f"<caption>Depths <b>in m</b></caption>{head}<tr><td>Kiel<td>9<td>8<tr><td>Emden<td>7<td>6")
    assert found.rows == (("Port", "Depth", ""), ("", "2019", "2020"), ("Kiel", "9", "8"), ("Emden", "7", "6"))
    assert (found.header_rows, found.caption) == (2, "Depths in m")


@pytest.mark.parametrize(
    ("markup", "count"),
    [
        ("<tr><th>Port<th>Depth<tr><td>Kiel<td>9", 1),
        ("<tr><th>Name<td>Kiel<tr><th>Depth<td>9", 0),
        ("<tr><td>Name<td>Kiel<tr><td>Depth<td>9", 0),
        ("<tr><td>Port<td>Depth<td>Berths<tr><td>Kiel<td>9<td>4", 1),
        ("<tr><td>Kiel<td>9<td>4<tr><td>Emden<td>7<td>2", 0),
    ],
)
def test_a_header_is_what_the_markup_calls_one(parser: WorkerParser, markup: str, count: int) -> None:
    assert table(parser, markup).header_rows == count


def test_what_spans_cells_is_given_once_and_keeps_the_columns(parser: WorkerParser) -> None:
    found = table(parser, "<tr><th>A<th>B<th>C<tr><td rowspan=2>x<td>1<td>2<tr><td>3<td>4<tr><td colspan=2>both<td>5")
    assert found.rows[1:] == (("x", "1", "2"), ("", "3", "4"), ("both", "", "5"))


def test_a_currency_in_a_cell_of_its_own_is_joined_to_its_number(parser: WorkerParser) -> None:
    head = "<tr><th><th colspan=3>2019<th colspan=3>2020"
    found = table(
        parser, f"{head}<tr><td>Dues<td>$<td>1,200<td><td>$<td>(90<td>)<tr><td>Fees<td><td>3<td><td><td>4<td>%"
    )
    assert found.rows == (("", "2019", "2020"), ("Dues", "$1,200", "$(90)"), ("Fees", "3", "4%"))


def test_a_cell_keeps_all_its_text_and_no_marks(parser: WorkerParser) -> None:
    cell = "<b>Seen</b> near <i>ponds</i><ul><li>Pond<li>Marsh</ul><ol><li>Fly<li>Nest</ol>"
    inner = "Quack <table><tr><td>Short<td>quak</table> often"
    found = table(parser, f"<tr><th>Name<th>Notes<tr><td>{cell}<td>{inner}")
    assert found.rows[1] == ("Seen near ponds; Pond; Marsh; 1. Fly; 2. Nest", "Quack Short quak often")
