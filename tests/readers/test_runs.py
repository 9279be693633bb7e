"""Raised, lowered, struck and deleted runs: never joined to a number or a word, and the same in every format."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers.dispatch import read_document
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import GAP, Mark, rendered, run_of
from tests.readers.office import docx
from tests.readers.open_files import epub, open_file
from tests.readers.runs import WRITERS, Run, html_runs

P = "plain"
CASES: dict[str, tuple[list[Run], str]] = {
    "exponent": ([(P, "3 × 10"), ("raised", "4"), (P, " parts")], "3 × 10^4 parts"),
    "negative exponent": ([(P, "10"), ("raised", "-3"), (P, " and 2"), ("raised", "n+1")], "10^-3 and 2^(n+1)"),
    "mark of a note": ([(P, "75"), ("raised", "2"), (P, " EUR net"), ("raised", "a"), (P, ".")], "75^2 EUR net^a."),
    "mark with a bracket": ([(P, "3"), ("raised", "1)"), (P, " months")], "3^1) months"),
    "mark without a letter": ([(P, "75"), ("raised", "*"), (P, " EUR")], "75* EUR"),
    "mark before its note": ([("raised", "2"), (P, "Net of tax")], "^2 Net of tax"),
    "several marks": ([(P, "paid"), ("raised", "1"), ("raised", ","), ("raised", "2"), (P, "in")], "paid^1,2 in"),
    "unit": ([(P, "12 m"), ("raised", "2"), (P, " of 5 cm"), ("raised", "3")], "12 m² of 5 cm³"),
    "formula": ([(P, "H"), ("lowered", "2"), (P, "O, CaCO"), ("lowered", "3")], "H2O, CaCO3"),
    "isotope": ([("raised", "14"), (P, "C is old")], "¹⁴C is old"),
    "index": ([(P, "V"), ("lowered", "max"), (P, " and 101"), ("lowered", "2")], "Vmax and 101_2"),
    "logarithm": ([(P, "log"), ("lowered", "10"), (P, "100")], "log10 100"),
    "ordinal": ([(P, "the 2"), ("raised", "nd"), (P, " day")], "the 2nd day"),
    "fraction": ([(P, "3"), ("raised", "1"), (P, "/"), ("lowered", "2"), (P, " cups")], "3 1/2 cups"),
    "struck figure": ([(P, "now "), ("struck", "18"), (P, "21 EUR")], "now 21 EUR"),
    "struck between figures": ([(P, "50"), ("struck", "40"), (P, "30")], "50 30"),
    "struck between words": ([(P, "six"), ("struck", "nine"), (P, "weeks")], "six weeks"),
    "deleted": ([(P, "due in "), ("deleted", "25"), (P, "30 days")], "due in 30 days"),
    "raised text": ([(P, "word"), ("raised", "see the remark below"), (P, "next")], "word see the remark below next"),
    "nothing else": ([("raised", "small print")], "small print"),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("case", CASES)
def test_every_format_writes_runs_alike_in_paragraphs_and_cells(name: str, case: str) -> None:
    file_type, content = WRITERS[name]
    runs, shown = CASES[case]
    paragraph, table = read_document(content(runs), file_type).blocks
    assert paragraph.text == shown
    assert table.rows == ((shown, "cell"),)


_WORDS = st.text("aceimnorsu", min_size=3, max_size=8)
_NUMBERS = st.integers(0, 9999).map(str)
_KINDS = st.sampled_from(["plain", "raised", "lowered", "struck"])
_RUNS = st.lists(st.tuples(_KINDS, st.one_of(_WORDS, _NUMBERS)), min_size=1, max_size=12)


def _merged(runs: list[Run]) -> list[str]:
    """The words and numbers that must be found: those of adjacent runs of one kind are one text."""
    texts: list[str] = []
    before = ""
    for kind, text in runs:
        if kind == before and kind != "struck":
            texts[-1] += text
        elif kind != "struck":
            texts.append(text)
        before = kind
    return [word for text in texts for word in re.findall("[a-z]+|[0-9]+", text)]


@given(_RUNS)
def test_no_run_joins_a_number_or_a_word_of_another(runs: list[Run]) -> None:
    blocks = read_document(f"<p>{html_runs(runs)}</p>".encode(), "html").blocks if _merged(runs) else ()
    text = unicodedata.normalize("NFKC", "".join(block.text for block in blocks))
    assert re.findall("[a-z]+|[0-9]+", text) == _merged(runs)


@given(st.text(st.sampled_from([*Mark, GAP, "\ufddf", "a", "1", " ", "/"])))
def test_marks_in_any_order_remove_no_text_and_leave_no_mark(text: str) -> None:
    shown = rendered(text)
    assert normalise(text) == normalise(normalise(text))
    assert [sign for sign in unicodedata.normalize("NFKC", shown) if sign in "a1/"] == [c for c in text if c in "a1/"]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>に行く", "東京 (とうきょう)に行く"),
        ("<ruby>Kyoto<rt>old capital</rt></ruby> is far", "Kyoto (old capital) is far"),
        ("<s>one <b>two</b> 3</s>4", "4"),
        ("75<a href='#n1'><sup>2</sup></a> and 76<sup><a href='#n2'>3</a></sup>", "75^2 and 76^3"),
        ("a<span style='vertical-align:middle'>b</span><span style='vertical-align:4px'>c</span>", "abc"),
        ("7<span style='vertical-align:4px;font-size:8px'>2</span>5", "7^2 5"),
        (
            "75<span style='vertical-align:top;font-size:60%'>2</span> and 7<b style='vertical-align:.4em'>3</b>",
            "75^2 and 7^3",
        ),
        ("75<span style='vertical-align:30%'>2</span> x<i style='font-feature-settings:\"subs\"'>max</i>", "75^2 xmax"),
        ("75<a role='doc-noteref' href='#n'>2</a>, <b role='deletion'>18</b>21", "75^2, 21"),
        ("<math><msup><mn>10</mn><mn>4</mn></msup></math>", "10^4"),
        ("<math><mn>2</mn><mfrac><mn>1</mn><mn>3</mn></mfrac></math> cups", "2 1/3 cups"),
        ("<b style='display:table-cell'>2024</b><b style='display:table-cell'>75</b>", "2024 75"),
        ("<i style='display:inline-flex'><b>Price</b><b>75</b></i>a<b style='display:block'>b</b>c", "Price 75 a b c"),
    ],
)
def test_html_shows_glosses_links_and_offsets(body: str, shown: str) -> None:
    assert [block.text for block in read_document(f"<p>{body}</p>".encode(), "html").blocks] == [shown]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a<br>b <b>bold</b> <KBD>x</KBD> & y", "a b bold x & y"),
        ("the `<b>` tag, `~~x~~`, `a^1^` and \\<b> or &lt;b&gt;", "the < b> tag, ~~x~~, a^1^ and < b> or < b>"),
        ("<file name> and <b>a</b> < 5", "<file name> and a < 5"),
        ("10^6^ and H~2~O, 2^3+4^5", "10^6 and H2O, 2^3+4^5"),
        ("~old~ new, ~5 to ~6", "new, ~5 to ~6"),
        ("The load $F$ follows from $$k x$$ at rest.", "The load $F$ follows from $k x$ at rest."),
        ("<s>18</s>21 and <ruby>漢<rt>kan</rt></ruby>", "21 and 漢 (kan)"),
    ],
)
def test_markdown_reads_inline_html_and_its_own_signs(source: str, shown: str) -> None:
    assert [block.text for block in read_document(source.encode(), "md").blocks] == [shown]


def test_markdown_shows_which_figure_has_a_note() -> None:
    source = "75[^1] and 76[^net].\n\n[^1]: gross\n[^net]: net\n"
    assert [block.text for block in read_document(source.encode(), "md").blocks] == [
        "75^1 and 76^2.",
        "^1 gross",
        "^2 net",
    ]


@pytest.mark.parametrize("code", ["```\n~~a~~ 1. b<c[^1]\n```\n", "    ~~a~~ 1. b<c[^1]\n"])
def test_markdown_keeps_code_as_it_is(code: str) -> None:
    assert [block.text for block in read_document(f"x\n\n{code}".encode(), "md").blocks][1] == "~~a~~ 1. b< c[^1]"


def test_marked_runs_of_one_kind_are_one_run() -> None:
    assert rendered("7" + run_of("1", Mark.RAISED) + run_of("2", Mark.RAISED) + "3") == "7^12 3"


@pytest.mark.parametrize(
    "text", [r"{\b Hel}lo", r"{\b Hel}\b0 lo", r"{{\i H}el}\'6co", r"{\uc0\u72}{\super\uc2\u101 ??}llo"]
)
def test_rich_text_keeps_a_word_of_several_groups_whole(text: str) -> None:
    content = rf"{{\rtf1\ansi\pard {text}\par {{1}}2{{\footnote note}}3\par}}".encode()
    shown = [block.text for block in read_document(content, "rtf").blocks]
    assert shown[0].replace("^", "").replace(" ", "") == "Hello"
    assert " " not in shown[0] or "super" in text
    assert shown[1].split() == ["12", "note", "3"]


def test_control_symbols_of_rich_text_and_breaks_of_word_divide_what_they_divide() -> None:
    content = rb"{\rtf1\ansi\pard 30\~% of A\_4 co\-op\par}"
    assert [block.text for block in read_document(content, "rtf").blocks] == ["30 % of A-4 coop"]
    broken = docx("<w:p><w:r><w:t>30</w:t><w:cr/><w:t>40</w:t><w:ptab/><w:t>50</w:t></w:r></w:p>")
    assert [block.text for block in read_document(broken, "docx").blocks] == ["30 40 50"]


@pytest.mark.parametrize(("link", "shown"), [("s.css", "75^2 EUR"), ("other.css", "752 EUR")])
def test_a_book_is_read_by_the_style_sheets_that_it_links(link: str, shown: str) -> None:
    chapter = f'<link rel="stylesheet" href="{link}"/><p>75<span class="n">2</span> EUR</p>'
    sheet = ("s.css", 'media-type="text/css"', ".n{vertical-align:super}")
    assert [block.text for block in read_document(epub({"a.xhtml": chapter}, extra=sheet), "epub").blocks] == [shown]


def test_an_open_document_shows_glosses_apart() -> None:
    ruby = "<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>"
    assert [
        block.text for block in read_document(open_file("text", f"<text:p>行き {ruby}に</text:p>"), "odt").blocks
    ] == ["行き 東 (とう)に"]
