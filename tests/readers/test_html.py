"""HTML: all that a browser shows, nothing that it hides."""

from collections.abc import Callable
from typing import Final

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind, ReadingDefect
from groundwire_readers.dispatch import read_document
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.html.css.appearance import Appearance, declarations_of, hides_all
from groundwire_readers.readers.html.css.style_sheets import page_styles
from groundwire_readers.readers.html.page_reader import decode_page
from tests.readers.steps import MOST_GROWTH
from tests.support.documents.step_count import growth_of_steps


def read(parser: WorkerParser, body: str, head: str = "") -> list[str]:
    page = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return [block.text for block in parser.parse(page.encode(), "html").blocks]


def hidden_selectors(page: str) -> set[str]:
    rules = page_styles(page).rules.items()
    return {name for name, style in rules if hides_all(style) or not Appearance().inherited_with(style).is_visible}


def test_text_outside_paragraphs_is_kept_in_order(parser: WorkerParser) -> None:
    body = "bare<div>in div <b>bold</b><p>in p</p>tail</div><dl><dt>Term</dt><dd>Meaning</dd></dl>"
    body += "<blockquote>Said</blockquote>"
    assert read(parser, body) == ["bare", "in div bold", "in p", "tail", "Term", "Meaning", "Said"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>SECRET</p>",
        "<p style='visibility: hidden'>SECRET</p>",
        "<p style='font-size:0'>SECRET</p>",
        "<p style='font-size: 1px'>SECRET</p>",
        "<p style='font-size:1.5px'>SECRET</p>",
        "<p style='opacity:0;'>SECRET</p>",
        "<p style='position:absolute;left:-9999px'>SECRET</p>",
        "<p style='font-size:1pt'>SECRET</p>",
        "<p style='color:white'>SECRET</p>",
        "<p style='color: #FFF !important'>SECRET</p>",
        "<p style='color:rgb(255, 255, 255)'>SECRET</p>",
        "<p><font color='#ffffff'>SECRET</font></p>",
        "<div style='background:#000'><p style='background:#fefefe;color:hsl(0 0% 100%)'>SECRET</p></div>",
        "<div style='background:black'><p style='color:#050505'>SECRET</p></div>",
        "<p style='color:rgba(0,0,0,0)'>SECRET</p>",
        "<p style='transform:scale(0)'>SECRET</p>",
        "<table bgcolor=navy><tr><td bgcolor=white><span style='color:#fff'>SECRET</span></td></tr></table>",
        "<p class=pale>SECRET</p>",
        "<p hidden>SECRET</p>",
        "<p aria-hidden=true>SECRET</p>",
        "<div class='a quiet'><p>SECRET</p></div>",
        "<p id=ghost>SECRET</p>",
        "<script>SECRET</script>",
        "<template><p>SECRET</p></template>",
        "<!-- SECRET -->",
        "<noscript>SECRET</noscript>",
    ],
)
def test_what_a_browser_hides_is_out(parser: WorkerParser, hidden: str) -> None:
    styles = "<style>.pale { color: #fdfdfd } .quiet, #ghost { display: none }</style>"
    styles += "<style>@media print { .seen { display: none } }</style>"
    assert read(parser, f"<p>before</p>{hidden}<p class=seen>after</p>", styles) == ["before", "after"]


def test_links_give_their_host_and_pictures_nothing(parser: WorkerParser) -> None:
    body = "<p>See <a href='https://evil.example/x'>the form</a><img src='http://169.254.169.254/x' alt='pic'> now.</p>"
    assert read(parser, body) == ["See the form (evil.example) now."]


def test_tables_keep_cells_and_lists_their_numbers(parser: WorkerParser) -> None:
    body = "<table><tr><th>A<th>B<tr><td>1<br>2<td><p>x</p><p>y</p></table>"
    body += "<ol start=3><li>three<li>four<ul><li>sub</ul></ol>"
    page = parser.parse(f"<html><title>T</title>{body}</html>".encode(), "htm")
    assert page.blocks[0].rows == (("A", "B"), ("1 2", "x y"))
    assert [block.text for block in page.blocks[1:]] == ["3. three", "4. four", "sub"]
    assert {block.kind for block in page.blocks[1:]} == {BlockKind.LIST_ITEM}
    assert page.title == "T"


def test_headings_have_levels_and_code_keeps_its_lines(parser: WorkerParser) -> None:
    page = parser.parse(b"<html><h1>One</h1><h3>Deep</h3><pre>a\n  b</pre></html>", "html")
    assert [(block.kind, block.level, block.text) for block in page.blocks] == [
        (BlockKind.HEADING, 1, "One"),
        (BlockKind.HEADING, 3, "Deep"),
        (BlockKind.CODE, 0, "a\n  b"),
    ]


def test_the_declared_encoding_is_used(parser: WorkerParser) -> None:
    page = "<html><meta charset=shift_jis><p>日本語</p></html>".encode("shift_jis")
    assert [block.text for block in parser.parse(page, "html").blocks] == ["日本語"]


def test_deep_nesting_is_read_without_harm(parser: WorkerParser) -> None:
    page = "<html>" + "<div>" * 100_000 + "deep" + "</div>" * 100_000 + "<p>end</p></html>"
    assert [block.text for block in parser.parse(page.encode(), "html").blocks] == ["deep", "end"]


# A quadratic match of so long a page does not end.
@pytest.mark.parametrize(
    "page",
    [
        "<style>" * 1_800_000,
        "<style " * 1_800_000,
        "<style>" + "a" * 6_000_000 + "</style>",
        "<style>" + "@" * 6_000_000 + "</style>",
        "<style>p{opacity:" + " " * 2_000_000 + "x}</style>",
        "<style>" + "/*a" * 3_000_000 + "</style>",
        "<style>" + "a b," * 1_500_000 + "c d{background:red}</style>",
    ],
)
def test_style_sheets_of_any_form_and_length_are_read(page: str) -> None:
    assert hidden_selectors(page) <= {"p"}


_SHEETS: Final[tuple[Callable[[int], str], ...]] = (
    lambda size: "@" * 400 + "{" + "a{b}" * size,
    lambda size: "{" * size + "}" * size,
    lambda size: ",".join(f".a{number}" for number in range(size)) + "{" + "color:red;" * size + "}",
    lambda size: "a b," * size + "c d{background:red}",
)


@pytest.mark.parametrize("sheet", _SHEETS)
def test_style_sheets_of_many_parts_are_read_in_linear_time(sheet: Callable[[int], str]) -> None:
    def reading(size: int) -> Callable[[], set[str]]:
        page = f"<style>{sheet(size)}</style>"
        return lambda: hidden_selectors(page)

    assert growth_of_steps(reading, 2_500, 10_000) < MOST_GROWTH


@pytest.mark.parametrize(
    "style",
    [
        *("font-size:1em", "font-size: 1rem;", "font-size:1.2em", "font-size:10px", "font-size:100%", "opacity:0.9"),
        *("color:white;background:#123", "color:#fff;background:url(x.png)", "color:#777", "color:var(--ink)"),
        *("min-width:0", "border-width:0;", "line-height:0", "margin-left:-100px", "padding-left:-999px", "left:-9px"),
    ],
)
def test_what_a_browser_shows_is_read(parser: WorkerParser, style: str) -> None:
    assert read(parser, f"<p style='{style}'>The tariff of the night.</p>") == ["The tariff of the night."]


@pytest.mark.parametrize(
    "body",
    [
        "<div style='background:#234'><p style='color:white'>Seen</p></div>",
        "<table><tr bgcolor=navy><td style='color:#fff'>Seen</td></tr></table>",
        "<header class=dark><h1 style='color:#fff'>Seen</h1></header>",
        "<div style='color:white'><p style='color:black'>Seen</p></div>",
        "<div style='font-size:0'><p style='font-size:12px'>Seen</p></div>",
        "<div style='visibility:hidden'><p style='visibility:visible'>Seen</p></div>",
    ],
)
def test_text_on_another_colour_or_with_a_style_of_its_own_is_read(parser: WorkerParser, body: str) -> None:
    page = parser.parse(f"<html><style>main .dark {{ background: #111 }}</style>{body}".encode(), "html")
    assert [block.text for block in page.blocks] == ["Seen"]
    assert not page.defects


def test_a_sheet_in_another_file_can_give_named_elements_a_background(parser: WorkerParser) -> None:
    head = "<link rel=stylesheet href=site.css>"
    body = "<div class=hero><h1 style='color:#fff'>Title</h1></div><p style='color:#fff'>SECRET</p>"
    assert read(parser, body, head) == ["Title"]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("<p>Seen</p><p style='display:none'>Unseen</p><p style='color:white'>too</p>", 1),
        ("<p>Seen <span style='font-size:1px'>unseen</span></p>", 1),
        (
            "<p>Seen</p><nav style='display:none'>Menu</nav><script>x</script><p hidden> </p><i aria-hidden=true>",
            0,
        ),
    ],
)
def test_hidden_text_is_counted(parser: WorkerParser, body: str, count: int) -> None:
    page = parser.parse(f"<html><body>{body}</body></html>".encode(), "html")
    assert page.defects.get(ReadingDefect.HIDDEN_TEXT, 0) == count


# A quadratic match of so long a style does not end.
@pytest.mark.parametrize("style", ["font-size:" + " " * 2_000_000 + "x", "opacity:" + "\t" * 2_000_000 + "x"])
def test_a_style_of_any_length_is_read(style: str) -> None:
    declarations = declarations_of(style)
    assert not hides_all(declarations)
    assert Appearance().inherited_with(declarations).is_visible


def test_the_declaration_of_an_encoding_is_found_in_a_beginning_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    # In what is read of a page, a quadratic match ends too soon to be seen; in a beginning of this length it does not.
    page = b"<meta " * 100_000 + b"charset=" + b" " * 2_000_000
    monkeypatch.setattr(page_reader, "_ENCODING_BYTES", len(page))
    assert decode_page(page) == page.decode()


@pytest.mark.parametrize(
    ("page", "hidden"),
    [
        ("<STYLE type='a'>.a{display:none}</Style><style>#b , p{opacity: 0.0 }</style>", {".a", "#b", "p"}),
        ("<style>.a{color:red;" + "x:y;" * 2_000 + "display:none}</style>", {".a"}),
        ("<style>.a{.b{display:none}</style>", set[str]()),
        ("<style>@media print{.a{display:none}.b{display:none}} .c{font-size:.0px}</style>", {".c"}),
        ("<style>.a{display:none}", set[str]()),
        ("<style>.a{display:none}} .b{opacity:.5}</style>", {".a"}),
    ],
)
def test_rules_of_style_sheets_name_what_is_hidden(page: str, hidden: set[str]) -> None:
    assert hidden_selectors(page) == hidden


@pytest.mark.parametrize(
    "page",
    [
        '<div style="visibility:hidden"><p style="color:black">SECRET</p></div>',
        '<div style="color:transparent"><span style="color:inherit">SECRET</span></div>',
        '<style>.x{display:none!important}</style><p class="x" style="display:block">SECRET</p>',
        '<style>.a{display:block}.b{display:none}</style><p class="b a">SECRET</p>',
        '<p style="display:none;display:bogus">SECRET</p>',
        '<p style="opacity:0;opacity:x">SECRET</p>',
        '<p style="/*;*/display:none">SECRET</p>',
        '<p style="content-visibility:hidden">SECRET</p>',
        '<p style="color:#00000000">SECRET</p>',
        '<p style="color:#0000">SECRET</p>',
    ],
)
def test_what_hides_text_is_not_undone_by_what_a_browser_ignores(page: str) -> None:
    shown = read_document(f"<html><body><p>Seen.</p>{page}</body></html>".encode(), "html")
    assert [block.text for block in shown.blocks] == ["Seen."]


def test_elements_that_html_does_not_know_are_within_their_sentence() -> None:
    page = (
        "<p>The dues are <ix:nonFraction name='a'>70,923</ix:nonFraction> euros, <nobr>by <x-y>year</x-y></nobr>.</p>"
    )
    assert [block.text for block in read_document(page.encode(), "html").blocks] == [
        "The dues are 70,923 euros, by year."
    ]


def test_an_end_tag_that_is_stray_in_a_cell_does_not_end_the_table() -> None:
    rows = "<tr><td>Boats</div></td><td>12</td></tr><tr><td>Cranes</center></td><td>3</td></tr>"
    page = f"<div><center><table>{rows}</table></center></div>"
    [table] = read_document(page.encode(), "html").blocks
    assert table.rows == (("Boats", "12"), ("Cranes", "3"))
