"""Titles and headings of OpenDocument texts that only the styles of paragraphs mark."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind, ParsedDocument
from tests.readers.open_files import open_file


def _style(name: str, parent: str = "", more: str = "", attachment_tree: str = "paragraph") -> str:
    derived = f' style:parent-style-name="{parent}"' if parent else ""
    return f'<style:style style:name="{name}" style:family="{attachment_tree}"{derived} {more}/>'


_STYLES = "".join(
    [
        _style("Title", "Heading"),
        _style("P1", "P0"),
        _style("P0", "Title"),
        _style("Author", "Title"),
        _style("P2", "Author"),
        _style("Issue_20_Date", "Title"),
        _style("Heading_20_1", "Heading", 'style:default-outline-level="1"'),
        _style("Part", "Heading_20_1"),
        _style("Heading3", "Heading", 'style:display-name="Heading 3"'),
        _style("P3", "Heading3"),
        _style("Aside", "Heading_20_1", 'style:default-outline-level=""'),
        _style("Loop", "Loop"),
        _style("Part", "Standard", attachment_tree="text"),
    ]
)


def _read(parser: WorkerParser, *paragraphs: tuple[str, str], properties: str = "") -> ParsedDocument:
    body = "".join(f'<text:p text:style-name="{style}">{text}</text:p>' for style, text in paragraphs)
    return parser.parse(open_file("text", body, _STYLES, properties), "odt")


def _headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


@pytest.mark.parametrize("style", ["Title", "P1"])
def test_a_paragraph_whose_style_descends_from_that_of_titles_is_the_title(parser: WorkerParser, style: str) -> None:
    document = _read(parser, (style, "The quay"), ("Standard", "It is long."))
    assert document.title == "The quay"
    assert _headings(document) == [(1, "The quay")]


@pytest.mark.parametrize(("style", "level"), [("Heading_20_1", 1), ("Part", 1), ("P3", 3)])
def test_a_paragraph_whose_style_descends_from_that_of_a_heading_is_one(
    parser: WorkerParser, style: str, level: int
) -> None:
    assert _headings(_read(parser, ("Standard", "Words."), (style, "Tides"))) == [(level, "Tides")]


@pytest.mark.parametrize("style", ["Standard", "Aside", "Loop", "Unknown"])
def test_a_style_without_an_outline_level_makes_no_heading(parser: WorkerParser, style: str) -> None:
    assert not _headings(_read(parser, (style, "Tides")))


@pytest.mark.parametrize("style", ["P2", "Issue_20_Date", "Title"])
def test_authors_and_dates_below_a_title_are_no_headings(parser: WorkerParser, style: str) -> None:
    document = _read(parser, ("Title", "The quay"), (style, "Ida Meyer"), (style, "5 June 2021"), ("Part", "Tides"))
    assert _headings(document) == [(1, "The quay"), (1, "Tides")]
    assert [block.text for block in document.blocks] == ["The quay", "Ida Meyer", "5 June 2021", "Tides"]


def test_the_title_among_the_properties_comes_first(parser: WorkerParser) -> None:
    document = _read(parser, ("Title", "The quay"), properties="<dc:title>Quays of the Elbe</dc:title>")
    assert document.title == "Quays of the Elbe"
