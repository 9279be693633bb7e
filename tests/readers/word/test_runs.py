"""Word: runs by style, glosses, and paragraphs whose mark is a tracked deletion."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.office import docx, docx_parts, package, paragraph, run

_DELETED = '<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>'
_MOVED = '<w:p><w:pPr><w:rPr><w:moveFrom w:id="1"/></w:rPr></w:pPr>'


def _texts(*body: str) -> list[str]:
    return [block.text for block in read_document(docx(*body), "docx").blocks]


def test_a_style_raises_and_strikes_runs_and_a_run_may_undo_it() -> None:
    parts = docx_parts(
        paragraph(
            run("75"),
            run("2", '<w:rStyle w:val="Note"/>'),
            run(" and 18", '<w:rStyle w:val="Old"/>'),
            run("21", '<w:rStyle w:val="Old"/><w:strike w:val="0"/>'),
        )
    )
    styles = (
        '<w:style w:type="character" w:styleId="Note"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style></w:styles>'
    )
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", styles)
    assert [block.text for block in read_document(package(parts), "docx").blocks] == ["75^2 21"]


def test_a_gloss_is_apart_from_its_characters() -> None:
    ruby = (
        "<w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )
    assert _texts(paragraph(run("行き "), ruby, run("に"))) == ["行き 東 (とう)に"]


@pytest.mark.parametrize("start", [_DELETED, _MOVED])
def test_a_deleted_paragraph_mark_joins_two_paragraphs(start: str) -> None:
    first = f"{start}{run('The first')}<w:del w:id='2'><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    assert _texts(first, paragraph(run(" half."), style="Heading1"), paragraph(run("Next."))) == [
        "The first half.",
        "Next.",
    ]
    assert _texts(first, '<w:bookmarkStart w:id="1"/>', first, "<w:p/>", paragraph(run("Next."))) == [
        "The firstThe first",
        "Next.",
    ]


def test_a_deleted_paragraph_mark_joins_nothing_across_a_table_or_a_cell() -> None:
    first = f"{_DELETED}{run('one')}</w:p>"
    table = f"<w:tbl><w:tr><w:tc>{first}</w:tc><w:tc>{first}{paragraph(run('two'))}</w:tc></w:tr></w:tbl>"
    assert _texts(first, table, paragraph(run("three"))) == ["one", "one | onetwo", "three"]
