"""Equations of Word files: LaTeX at the place where the equation is."""

import pytest

from groundwire_readers import WorkerParser
from tests.readers.office import docx_parts, package, paragraph, run, word_table

_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def _file(*body: str) -> bytes:
    parts = docx_parts(*body)
    parts["word/document.xml"] = str(parts["word/document.xml"]).replace(
        "<w:document ", f'<w:document xmlns:m="{_MATH}" '
    )
    return package(parts)


def _texts(parser: WorkerParser, *body: str) -> list[str]:
    return [block.text for block in parser.parse(_file(*body), "docx").blocks]


def _r(text: str, properties: str = "") -> str:
    return f'<m:r><m:rPr>{properties}</m:rPr><m:t xml:space="preserve">{text}</m:t></m:r>'


def _of(name: str, properties: str = "", **parts: str) -> str:
    inside = "".join(f"<m:{part}>{content}</m:{part}>" for part, content in parts.items())
    return f"<m:{name}><m:{name}Pr>{properties}</m:{name}Pr>{inside}</m:{name}>"


def _math(content: str) -> str:
    return f"<m:oMath>{content}</m:oMath>"


_MATRIX = (
    f"<m:m><m:mr><m:e>{_r('1')}</m:e><m:e>{_r('0')}</m:e></m:mr>"
    f"<m:mr><m:e>{_r('0')}</m:e><m:e>{_r('1')}</m:e></m:mr></m:m>"
)
_SQUARED = _of("sSup", e=_r("r"), sup=_r("2"))


def test_an_equation_stays_in_its_sentence(parser: WorkerParser) -> None:
    sentence = paragraph(run("The area is "), _math(_r("A=π") + _SQUARED), run(" for a circle."))
    assert _texts(parser, sentence) == [r"The area is $A=\pi r^{2}$ for a circle."]


def test_an_equation_on_its_own_line_is_a_paragraph_in_its_place(parser: WorkerParser) -> None:
    alone = f"<m:oMathPara>{_math(_r('a≤b'))}</m:oMathPara>"
    texts = _texts(parser, paragraph(run("before")), paragraph(alone), alone, paragraph(run("after")))
    assert texts == ["before", r"$$a\leq b$$", r"$$a\leq b$$", "after"]


def test_an_equation_in_a_cell_stays_in_the_cell(parser: WorkerParser) -> None:
    table = word_table([["area", "CELL"]]).replace(paragraph(run("CELL")), paragraph(_math(_SQUARED), run(" exactly")))
    (block,) = parser.parse(_file(table), "docx").blocks
    assert block.rows == (("area", "$r^{2}$ exactly"),)


@pytest.mark.parametrize(
    ("equation", "latex"),
    [
        (_of("f", num=_r("n+1"), den=_r("2")), r"\frac{n+1}{2}"),
        (_of("f", '<m:type m:val="lin"/>', num=_r("a"), den=_r("b+c")), r"a/{b+c}"),
        (_of("sSub", e=_r("x"), sub=_r("i")), r"x_{i}"),
        (_of("sSubSup", e=_r("x"), sub=_r("i"), sup=_r("2")), r"x_{i}^{2}"),
        (_of("sSup", e=_SQUARED, sup=_r("k")), r"{r^{2}}^{k}"),
        (_of("sPre", sub=_r("2"), sup=_r("4"), e=_r("He")), r"{}_{2}^{4}He"),
        (_of("rad", '<m:degHide m:val="1"/>', deg="", e=_r("2")), r"\sqrt{2}"),
        (_of("rad", deg=_r("3"), e=_r("x")), r"\sqrt[3]{x}"),
        (_of("nary", '<m:chr m:val="∑"/>', sub=_r("n=1"), sup=_r("∞"), e=_r("n")), r"\sum_{n=1}^{\infty}n"),
        (_of("nary", '<m:subHide m:val="1"/><m:supHide m:val="1"/>', sub="", sup="", e=_r("fdx")), r"\int fdx"),
        (_of("d", e=_r("x")), r"\left(x\right)"),
        (_of("d", '<m:begChr m:val="{"/><m:endChr m:val=""/>', e=_r("x")), r"\left\{x\right."),
        (_of("d", '<m:begChr m:val="⌊"/><m:endChr m:val="⌋"/>', e=_r("x")), r"\left\lfloor x\right\rfloor"),
        (_of("d", e=_of("f", '<m:type m:val="noBar"/>', num=_r("n"), den=_r("k"))), r"\binom{n}{k}"),
        ("<m:m><m:mr><m:e>A</m:e></m:mr></m:m>".replace("A", _r("a")), r"\begin{matrix} a \end{matrix}"),
        (
            _MATRIX,
            r"\begin{matrix} 1 & 0 \\ 0 & 1 \end{matrix}",
        ),
        (
            f"<m:eqArr><m:e>{_r('x&amp;=1')}</m:e><m:e>{_r('y&amp;=2')}</m:e></m:eqArr>",
            r"\begin{aligned} x&=1 \\ y&=2 \end{aligned}",
        ),
        (_of("func", fName=_r("sin"), e=_r("x")), r"\sin x"),
        (_of("func", fName=_r("rank"), e=_of("d", e=_r("A"))), r"\operatorname{rank}\left(A\right)"),
        (_of("func", fName=_of("limLow", e=_r("lim"), lim=_r("n→∞")), e=_r("f")), r"\lim_{n\to\infty} f"),
        (_of("limUpp", e=_r("="), lim=_r("!")), r"\overset{!}{=}"),
        (_of("acc", '<m:chr m:val="⃗"/>', e=_r("v")), r"\vec{v}"),
        (_of("bar", '<m:pos m:val="top"/>', e=_r("x")), r"\overline{x}"),
        (_of("limLow", e=_of("groupChr", e=_r("a+b")), lim=_r("c")), r"\underbrace{a+b}_{c}"),
        (_of("borderBox", e=_r("x")), "x"),
        (_of("phant", '<m:show m:val="0"/>', e=_r("x")) + _r("y"), "y"),
        (_r("x>0 if", "<m:nor/>"), r"\text{x>0 if}"),
        (_r("R", '<m:scr m:val="double-struck"/>'), r"\mathbb{R}"),
        (_r("𝑎𝛽") + _r("∈ℝ"), r"a\beta\in\mathbb{R}"),
        (_r("50%{}_"), r"50\%\{\}\_"),
    ],
)
def test_equations_are_latex(parser: WorkerParser, equation: str, latex: str) -> None:
    assert _texts(parser, paragraph(run("It is "), _math(equation))) == [f"It is ${latex}$"]


def test_an_equation_that_is_nested_beyond_measure_keeps_its_signs(parser: WorkerParser) -> None:
    depth = 90
    nested = "<m:sSup><m:e>" * depth + _r("x") + "</m:e></m:sSup>" * depth
    (text,) = _texts(parser, paragraph(run("It is "), _math(nested)))
    assert "x" in text


def test_an_empty_equation_leaves_nothing(parser: WorkerParser) -> None:
    assert _texts(parser, paragraph(run("Nothing"), "<m:oMath/>", run(" here."))) == ["Nothing here."]


@pytest.mark.parametrize("name", ["chr", "begChr", "endChr", "sepChr"])
@pytest.mark.parametrize("kind", ["d", "nary", "acc", "groupChr"])
def test_a_sign_of_an_equation_is_no_text(parser: WorkerParser, kind: str, name: str) -> None:
    whole = _of(kind, f'<m:{name} m:val="SECRET"/>', e=_r("x"))
    assert "SEC" not in _texts(parser, paragraph(_math(whole)))[0]
