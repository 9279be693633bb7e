"""Characters of symbol fonts are those that people see, in every format with fonts."""

from collections.abc import Callable

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.office import docx, paragraph, pptx, run, shape
from tests.readers.open_files import open_file
from tests.readers.workbooks.sheets import SHEET, with_sheet

_SYMBOLS = [("\uf0fe", "Wingdings", "☑"), ("\uf061", "Symbol", "α"), ("\u00fc", "Wingdings", "✓"), ("a", "Arial", "a")]


def _word(sign: str, font: str) -> bytes:
    return docx(paragraph(run(sign, f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>'), run(" shown")))


def _open(sign: str, font: str) -> bytes:
    # LibreOffice numbers the faces of a font.
    face = f'<style:text-properties style:font-name="{font}1"/>'
    style = f'<style:style style:name="T1" style:family="text">{face}</style:style>'
    return open_file("text", f'<text:p><text:span text:style-name="T1">{sign}</text:span> shown</text:p>', style)


def _slide(sign: str, font: str) -> bytes:
    properties = f'<a:r><a:rPr><a:latin typeface="{font}"/></a:rPr><a:t>{sign}</a:t></a:r><a:r><a:t> shown</a:t></a:r>'
    return pptx([[shape("SIGN").replace("<a:r><a:t>SIGN</a:t></a:r>", properties)]], {})


def _sheet(sign: str, font: str) -> bytes:
    styles = (
        f'<styleSheet xmlns="{SHEET}"><fonts><font/><font><name val="{font}"/></font></fonts><fills><fill/></fills>'
        '<cellXfs><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>'
    )
    cell = f'<c r="A1" s="1" t="inlineStr"><is><t>{sign}</t></is></c><c r="B1" t="inlineStr"><is><t>shown</t></is></c>'
    return with_sheet(f'<sheetData><row r="1">{cell}</row></sheetData>', styles)


@pytest.mark.parametrize(("sign", "font", "shown"), _SYMBOLS)
@pytest.mark.parametrize(
    ("file_type", "written"),
    [("docx", _word), ("odt", _open), ("pptx", _slide), ("xlsx", _sheet)],
    ids=["docx", "odt", "pptx", "xlsx"],
)
def test_a_sign_is_that_of_its_font(
    file_type: str, written: Callable[[str, str], bytes], sign: str, font: str, shown: str
) -> None:
    block = read_document(written(sign, font), file_type).blocks[-1]
    text = " ".join(block.rows[0]) if block.rows else block.text
    assert text == f"{shown} shown"


def test_a_font_for_symbols_alone_leaves_letters_as_they_are() -> None:
    properties = '<a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>\uf0e0 plain</a:t></a:r>'
    content = pptx([[shape("SIGN").replace("<a:r><a:t>SIGN</a:t></a:r>", properties)]], {})
    assert [block.text for block in read_document(content, "pptx").blocks] == ["→ plain"]
