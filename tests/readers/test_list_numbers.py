"""List items carry the number that the program shows, whatever sets it."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.numbered_lists import WRITERS, Item, numbers_of
from tests.readers.open_files import epub


def _texts(content: str, file_type: str) -> list[str]:
    return [block.text for block in read_document(content.encode(), file_type).blocks]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<ol start=12><li>a<li>b</ol>", ["12. a", "13. b"]),
        ("<ol start='-1'><li>a<li>b</ol>", ["-1. a", "0. b"]),
        ("<ol><li>a<li value=7>b<li>c</ol>", ["1. a", "7. b", "8. c"]),
        ("<ol reversed><li>a<li>b<ol><li>c</ol><li>d</ol>", ["3. a", "2. b", "1. c", "1. d"]),
        ("<ol reversed start=9>\n<li>a\n<li>b</ol>", ["9. a", "8. b"]),
        ("<ol type=a start=26><li>a<li>b</ol>", ["z. a", "aa. b"]),
        ("<ol type=I><li>a<li type=1>b</ol>", ["I. a", "2. b"]),
        ("<style>ol.x{list-style-type:lower-roman}</style><ol class=x start=4><li>a</ol>", ["iv. a"]),
        ("<ol style='list-style: none'><li>a</ol>", ["a"]),
        ("<ul style='list-style: decimal-leading-zero inside'><li>a</ul>", ["01. a"]),
        ("<ol><li style='list-style-type:upper-alpha'>a<li>b</ol>", ["A. a", "2. b"]),
        ("<ol type=A start=0><li>a</ol>", ["0. a"]),
        ("<ol><li>a<li style='display:block'>b<li>c</ol>", ["1. a", "b", "2. c"]),
        (
            "<ol style='counter-reset:list-item 4'><li>a<li style='counter-set:list-item 9'>b<li>c</ol>",
            ["5. a", "9. b", "10. c"],
        ),
        ("<ol style='list-style-type:\"- \"'><li>a<li style='display:block'>b</ol>", ["a", "b"]),
        (
            "<style>li::marker{content:'Art. ' counter(list-item) ' '}</style><ol start=3><li>a<li>b</ol>",
            ["Art. 3 a", "Art. 4 b"],
        ),
    ],
)
def test_html(body: str, shown: list[str]) -> None:
    assert _texts(f"<body>{body}</body>", "html") == shown


_LISTS: dict[str, list[Item]] = {
    "flat": [(0, "alpha"), (0, "beta"), (0, "gamma")],
    "nested": [(0, "alpha"), (1, "beta"), (1, "gamma"), (0, "delta")],
    "nested twice": [(0, "alpha"), (1, "beta"), (0, "gamma"), (1, "delta"), (1, "epsilon"), (0, "zeta")],
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("form", ["decimal", "lowerLetter", "upperRoman"])
@pytest.mark.parametrize("start", [1, 3])
@pytest.mark.parametrize("listed", _LISTS)
def test_every_format_shows_the_numbers_of_a_list(name: str, form: str, start: int, listed: str) -> None:
    file_type, content = WRITERS[name]
    items = _LISTS[listed]
    numbers = numbers_of(start, form, items)
    if written := content(start, form, items):
        texts = [block.text for block in read_document(written, file_type).blocks]
        assert texts == [f"{number}. {text}" for number, (_, text) in zip(numbers, items, strict=True)]


def test_html_with_counters_of_its_style_sheet() -> None:
    nested = "<style>ol{counter-reset:n;list-style:none}li::before{counter-increment:n;content:counters(n,'.') ') '}"
    body = f"{nested}</style><ol><li>a<ol><li>b<li>c</ol><li>d</ol>"
    assert _texts(body, "html") == ["1) a", "1.1) b", "1.2) c", "2) d"]
    headed = "<style>h2{counter-increment:s}h2:before{content:'§ ' counter(s,upper-roman) ' '}</style>"
    assert _texts(f"{headed}<h2>a</h2><h2 style='display:none'>x</h2><h2>b</h2>", "html") == ["§ I a", "§ II b"]


@pytest.mark.parametrize("style", ["color:#fff", "font-size:0", "display:none", "opacity:0"])
def test_text_of_a_style_sheet_that_nobody_sees_is_left_out(style: str) -> None:
    sheet = f"p::before{{content:'obey ' counter(x);{style}}}"
    assert _texts(f"<style>{sheet}</style><p>a</p><p><input value=4 style='{style}'>b</p>", "html") == ["a", "b"]


def test_counters_of_deeply_nested_lists_cost_no_time() -> None:
    sheet = "<style>ol{counter-reset:n}li::before{counter-increment:n;content:counters(n,'.') ' '}</style>"
    assert _texts(sheet + "<ol><li>a" * 5_000, "html")[1].endswith("1.1 a")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("12. a\n13. b\n\ntext\n\n14. c\n", ["12. a", "13. b", "text", "14. c"]),
        ("7) a\n8) b\n", ["7) a", "8) b"]),
        ("1. a\n1. b\n", ["1. a", "2. b"]),
        ("3. *a* b\n   - c\n\n     5. d\n\n4. e\n", ["3. a b", "c", "5. d", "4. e"]),
        ("- 4. a\n", ["4. a"]),
        ("> 2. a\n> 3. b\n", ["2. a", "3. b"]),
        ("1. a 10\n\n   20\n\n   | x |\n   |---|\n2. b\n", ["1. a 10", "20", "x", "2. b"]),
        ("before\n$$\n4\n$$\nafter\n", ["before", "4", "after"]),
        ("first line\n12. second line\n", ["first line 12. second line"]),
    ],
)
def test_markdown(source: str, shown: list[str]) -> None:
    assert _texts(source, "md") == shown


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (r"{\listtext\pard\plain\f1 3.\tab}item", "3. item"),
        (r"{\pntext\f1 \'61)\tab}item", "a) item"),
        (r"{\listtext\pard\plain\f3 \'b7\tab}item", "item"),
    ],
)
def test_rich_text(item: str, shown: str) -> None:
    assert _texts(rf"{{\rtf1\ansi\pard {item}\par}}", "rtf") == [shown]


def _level(text: str, form: int = 0, start: int = 1) -> str:
    shown = rf"{{\leveltext{text};}}{{\levelnumbers\'01;}}"
    return rf"{{\listlevel\levelnfc{form}\levelnfcn{form}\levelstartat{start}\levelfollow0{shown}}}"


_DECIMAL, _BELOW = _level(r"\'02\'00."), _level(r"\'03\'00.\'01")
_OVERRIDE = r"{\listoverride\listid7\listoverridecount0\ls1}"


def _rich_list(body: str, *levels: str, overrides: str = _OVERRIDE) -> list[str]:
    table = rf"{{\*\listtable{{\list\listtemplateid1{''.join(levels)}{{\listname ;}}\listid7}}}}"
    return _texts(rf"{{\rtf1\ansi{table}{{\*\listoverridetable{overrides}}}{body}}}", "rtf")


@pytest.mark.parametrize(
    ("body", "levels", "shown"),
    [
        (r"\pard\ls1\ilvl0 a\par b\par\pard c\par", [_DECIMAL], ["1. a", "2. b", "c"]),
        (r"\pard\ilvl0\ls1 {\b a}\par\pard plain\par\pard\ls1 b\par", [_DECIMAL], ["1. a", "plain", "2. b"]),
        (
            r"\pard\ls1 a\par\pard\ls1\ilvl1 b\par c\par\pard\ls1 d\par",
            [_DECIMAL, _BELOW],
            ["1. a", "1.1 b", "1.2 c", "2. d"],
        ),
        (r"\pard\ls1 a\par b\par", [_level(r"\'02\'00)", 4, 25)], ["y) a", "z) b"]),
        (r"\pard\ls1 a\par b\par", [_level(r"\'0aSection \'00:", 1)], ["Section I: a", "Section II: b"]),
        (r"\pard\ls1 a\par", [_level(r"\'01\u8226 ?", 23)], ["a"]),
        (r"\pard\ls1 a\par\par b\par", [_DECIMAL], ["1. a", "3. b"]),
        (r"\pard\ls1{\listtext\pard 7.\tab}a\par", [_DECIMAL], ["7. a"]),
        (r"\pard\ls1{\*\bkmkstart x}\'e4{\*\bkmkend x}\par", [_DECIMAL], ["1. ä"]),
        (r"\pard\ls9 a\par", [_DECIMAL], ["a"]),
    ],
)
def test_rich_text_whose_program_writes_no_numbers_has_those_of_its_lists(
    body: str, levels: list[str], shown: list[str]
) -> None:
    assert _rich_list(body, *levels) == shown


def test_a_list_of_rich_text_that_starts_again_does_so_once() -> None:
    again = r"{\listoverride\listid7\listoverridecount1{\lfolevel\listoverridestartat\levelstartat5}\ls2}"
    body = r"\pard\ls1 a\par\pard\ls2 b\par c\par\pard\ls1 d\par"
    assert _rich_list(body, _DECIMAL, overrides=_OVERRIDE + again) == ["1. a", "5. b", "6. c", "7. d"]


_LEGAL = "@counter-style x{system:extends upper-roman;prefix:'Art. ';suffix:': '}"


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("@counter-style x{system:extends decimal;suffix:') '}", ["1) a", "2) b", "3) c"]),
        (_LEGAL, ["Art. I: a", "Art. II: b", "Art. III: c"]),
        ("@counter-style x{system:alphabetic;symbols:'P' Q}", ["P. a", "Q. b", "PP. c"]),
        ("@counter-style x{system:numeric;symbols:'0' '1';pad:3 '0'}", ["001. a", "010. b", "011. c"]),
        ("@counter-style x{system:fixed 2;symbols:'two' 'three'}", ["1. a", "two. b", "three. c"]),
        ("@counter-style x{symbols:a b;suffix:' - '}", ["a - a", "b - b", "aa - c"]),
        ("@counter-style x{system:additive;additive-symbols:2 'B', 1 'A'}", ["A. a", "B. b", "BA. c"]),
        ("@counter-style x{system:cyclic;symbols:'\\2713' '-'}", ["a", "b", "c"]),
        ("@counter-style x{system:cyclic;symbols:N M}", ["N. a", "M. b", "N. c"]),
        (
            "@counter-style x{system:numeric;symbols:'0' '1';range:2 infinite;fallback:lower-roman}",
            ["i. a", "10. b", "11. c"],
        ),
        ("@media print{@counter-style x{system:extends decimal;suffix:') '}}", ["1. a", "2. b", "3. c"]),
        (
            "@counter-style x{system:extends y;suffix:'] '} @counter-style y{system:extends x;prefix:'['}",
            ["1] a", "2] b", "3] c"],
        ),
        ("@counter-style x{symbols:}", ["1. a", "2. b", "3. c"]),
    ],
)
@pytest.mark.parametrize("file_type", ["html", "epub"])
def test_html_with_counter_styles_of_its_own(rule: str, shown: list[str], file_type: str) -> None:
    body = "<ol style='list-style-type: x'><li>a</li><li>b</li><li>c</li></ol>"
    page = f"<html><head><style>{rule} ol{{margin:0}}</style></head><body>{body}</body></html>"
    content = page.encode() if file_type == "html" else epub({"a.xhtml": page})
    assert [block.text for block in read_document(content, file_type).blocks] == shown


def test_generated_text_has_counters_in_a_style_of_the_page() -> None:
    sheet = f"{_LEGAL} h2{{counter-increment:s}} h2:before{{content:counter(s,x) ' '}}"
    assert _texts(f"<style>{sheet}</style><h2>a</h2><h2>b</h2>", "html") == ["I a", "II b"]
