"""Headings of Word files are those of styles that are a heading or a title themselves, or have an outline level."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from tests.readers.office import docx_parts, package, paragraph, run


def _style(name: str, based_on: str, level: int | None = None) -> str:
    outline = "" if level is None else f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'
    return (
        f'<w:style w:type="paragraph" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/>'
        f'<w:basedOn w:val="{based_on}"/>{outline}</w:style>'
    )


_STYLES = "".join(
    (
        _style("Title", "Normal"),
        _style("Author", "Title"),
        _style("Second Author", "Author"),
        _style("Subtitle", "Title"),
        _style("Report Title", "Title"),
        _style("Outlined", "Title", 1),
        _style("Numbered Annex", "Annex"),
        _style("Annex", "Heading1", 2),
        _style("Caption", "Heading1", 9),
        _style("Table Caption", "Caption"),
    )
)


def _levels(parser: WorkerParser, style: str, styles: str = _STYLES) -> list[int | None]:
    """The level of each heading of a file with one paragraph of this style."""
    parts = docx_parts(paragraph(run("Some text"), style=style))
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", f"{styles}</w:styles>")
    blocks = parser.parse(package(parts), "docx").blocks
    assert [block.text for block in blocks] == ["Some text"]
    return [block.level for block in blocks if block.kind is BlockKind.HEADING]


@pytest.mark.parametrize("style", ["Author", "SecondAuthor", "Subtitle", "Caption", "TableCaption"])
def test_text_of_a_style_based_on_a_title_or_taken_out_of_the_outline_is_no_heading(
    parser: WorkerParser, style: str
) -> None:
    assert _levels(parser, style) == []


def test_an_outline_level_of_the_title_does_not_make_its_authors_a_heading(parser: WorkerParser) -> None:
    outlined = _STYLES.replace('"Normal"/>', '"Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>')
    assert _levels(parser, "Author", outlined) == []


@pytest.mark.parametrize(
    ("style", "level"),
    [("Title", 1), ("ReportTitle", 1), ("Outlined", 2), ("Heading2", 2), ("Annex", 3), ("NumberedAnnex", 3)],
)
def test_a_style_that_is_a_title_or_has_an_outline_level_gives_headings(
    parser: WorkerParser, style: str, level: int
) -> None:
    assert _levels(parser, style) == [level]
