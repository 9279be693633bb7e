"""Characters of symbol fonts are read as what a person sees."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import ReadingDefect
from tests.readers.office import docx, paragraph, run


def _symbol(font: str, code: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:sym w:font="{font}" w:char="{code}"/></w:r>'


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Wingdings", "F0E0", "→"),
        ("Wingdings", "F0FC", "✓"),
        ("Wingdings", "00FE", "☑"),
        ("Wingdings 2", "F052", "☑"),
        ("Symbol", "F062", "β"),
        ("Symbol", "F0B3", "≥"),
        ("Symbol", "F0D5", "∏"),
        ("Segoe UI Symbol", "2611", "☑"),
        ("Wingdings 3", "F041", "\ufffd"),
        ("Some font", "F041", "\ufffd"),
        ("Symbol", "wrong", "\ufffd"),
    ],
)
def test_a_symbol_is_read_as_its_character_and_an_unknown_one_leaves_a_mark(
    parser: WorkerParser, font: str, code: str, shown: str
) -> None:
    document = parser.parse(docx(paragraph(run("a"), _symbol(font, code), run("b"))), "docx")
    assert [block.text for block in document.blocks] == [f"a{shown}b"]


def test_text_in_a_symbol_font_is_read_as_its_characters(parser: WorkerParser) -> None:
    greek = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    document = parser.parse(docx(paragraph(run("\uf061 + b", greek), run(" in a row"))), "docx")
    assert [block.text for block in document.blocks] == ["α + β in a row"]


def test_symbols_that_a_person_does_not_see_are_left_out_and_counted(parser: WorkerParser) -> None:
    letters = "".join(_symbol("Arial", f"{ord(sign):04X}", '<w:color w:val="FFFFFF"/>') for sign in "SECRET")
    document = parser.parse(docx(paragraph(run("kept"), letters)), "docx")
    assert [block.text for block in document.blocks] == ["kept"]
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}
