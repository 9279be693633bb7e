"""What each format becomes."""

import io
import zipfile

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind, ParsedDocument
from groundwire_readers.errors import UnreadableDocument
from tests.readers.office import docx, heading, package, paragraph, pptx, run, shape, slide_table, word_table, xlsx
from tests.support.documents.pdf import pdf


def text_of(document: ParsedDocument) -> str:
    return "\n".join(block.text for block in document.blocks)


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


def test_a_word_file_gives_headings_paragraphs_and_table_rows(parser: WorkerParser) -> None:
    content = docx(
        heading(1, "Travel"),
        paragraph(run("Book early.")),
        heading(2, "Rates"),
        word_table([["City", "EUR"], ["Bonn", "90"]]),
    )
    document = parser.parse(content, "docx")
    assert headings(document) == [(1, "Travel"), (2, "Rates")]
    assert document.blocks[-1].rows == (("City", "EUR"), ("Bonn", "90"))
    assert document.title == "Travel"
    assert document.pages is None


def test_hidden_tiny_and_deleted_text_of_a_word_file_is_out(parser: WorkerParser) -> None:
    deleted = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
    content = docx(
        paragraph(run("Seen "), run("SECRET", "<w:vanish/>"), run("dust", '<w:sz w:val="1"/>'), deleted, run("text")),
        paragraph(run("kept", '<w:vanish w:val="0"/>')),
    )
    assert text_of(parser.parse(content, "docx")) == "Seen text\nkept"


def test_a_workbook_gives_a_group_per_visible_sheet_under_its_name(parser: WorkerParser) -> None:
    content = xlsx(
        {
            "Prices": [["Item", "EUR"], ["Bolt", "2"]],
            "Notes (hidden)": [["a", "b"], ["c", "d"]],
            "Costs": [["x", "y"], ["1", "2"]],
        },
        hidden=frozenset({"Costs"}),
    )
    document = parser.parse(content, "xlsx")
    assert headings(document) == [(1, "Prices"), (1, "Notes (hidden)")]
    assert [(block.page, block.group) for block in document.blocks] == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert document.blocks[1].rows == (("Item", "EUR"), ("Bolt", "2"))


def test_a_presentation_gives_a_group_per_slide_with_title_table_and_notes(parser: WorkerParser) -> None:
    first = [
        shape("Plan", placeholder="title"),
        shape("Ship it", placeholder="body"),
        slide_table([["A", "B"], ["1", "2"]]),
    ]
    content = pptx([first, [shape("Next", placeholder="title"), shape("Later")]], {2: "Say hello"})
    document = parser.parse(content, "pptx")
    assert headings(document) == [(1, "Plan"), (1, "Next")]
    assert [block.group for block in document.blocks if block.kind is BlockKind.HEADING] == [1, 2]
    assert (("A", "B"), ("1", "2")) in [block.rows for block in document.blocks]
    assert [block.page for block in document.blocks if block.text == "Say hello"] == [2]
    assert document.pages == 2


def test_a_pdf_gives_pages_and_heading_levels_by_section_number(parser: WorkerParser) -> None:
    prose = "This paragraph is long enough to be taken for body text and nothing else at all."
    content = pdf(
        [
            [(20, "2 Archive"), (11, prose), (16, "2.2 Areas"), (11, prose)],
            [(16, "2.2.1 Main"), (11, prose)],
        ]
    )
    document = parser.parse(content, "pdf")
    assert headings(document) == [(1, "2 Archive"), (2, "2.2 Areas"), (3, "2.2.1 Main")]
    assert [block.page for block in document.blocks if block.kind is BlockKind.HEADING] == [1, 1, 2]
    assert (document.pages, document.pages_without_text) == (2, 0)


def test_running_heads_and_page_numbers_of_a_pdf_are_out(parser: WorkerParser) -> None:
    pages = [
        [
            (9, f"Manual of Things {n}"),
            (11, f"Chapter text number {word} stands here for the reader to find."),
            (9, f"{n}"),
        ]
        for n, word in enumerate(("one", "two", "three", "four"), 1)
    ]
    text = text_of(parser.parse(pdf(pages), "pdf"))
    assert "Manual of Things" not in text
    assert "number three" in text


def test_a_blank_page_of_a_pdf_lacks_no_text(parser: WorkerParser) -> None:
    document = parser.parse(pdf([[], [(11, "Only this page has text on it.")], []]), "pdf")
    assert (document.pages, document.pages_without_text) == (3, 0)


def test_markdown_gives_plain_text_with_the_hosts_of_its_links(parser: WorkerParser) -> None:
    source = (
        "# Übersicht **fett**\n\nÄrger mit [Konto](https://bank.example/a?b=c) ![x](http://169.254.169.254/leak)\n\n"
        "1. eins\n2. zwei\n\n| A | B |\n|---|---|\n| 1 | a \\| b |\n\n<!-- note -->\n"
        "<div style='display:none'>SECRET</div>\n\n"
        "```\nif x:\n    y\n```\n\nSo <span style='display:none'>HIDDEN</span> it ends.\n"
    )
    document = parser.parse(source.encode(), "md")
    assert [block.text for block in document.blocks if block.kind is not BlockKind.TABLE] == [
        "Übersicht fett",
        "Ärger mit Konto (bank.example)",
        "1. eins",
        "2. zwei",
        "if x:\n    y",
        "So it ends.",
    ]
    assert [block.rows for block in document.blocks if block.rows] == [(("A", "B"), ("1", "a | b"))]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("UTF-8 with a mark", "\ufeffname,city\nJörg,Köln\n".encode()),
        ("UTF-16", "name,city\nJörg,Köln\n".encode("utf-16")),
        ("cp1252", "name,city\nJörg,Köln\n".encode("cp1252")),
        ("semicolons", "name;city\nJörg;Köln\n".encode()),
    ],
)
def test_a_csv_is_read_in_any_common_encoding(parser: WorkerParser, name: str, content: bytes) -> None:
    assert parser.parse(content, "csv").blocks[0].rows == (("name", "city"), ("Jörg", "Köln")), name


def test_a_shift_jis_csv_is_read(parser: WorkerParser) -> None:
    content = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n".encode("shift_jis")
    assert parser.parse(content, "csv").blocks[0].rows[1] == ("佐藤太郎", "30", "東京")


def test_tabs_separate_the_cells_of_a_tsv(parser: WorkerParser) -> None:
    assert parser.parse(b"a\tb\n1\t2\n", "tsv").blocks[0].rows == (("a", "b"), ("1", "2"))


def test_a_text_file_gives_its_paragraphs(parser: WorkerParser) -> None:
    document = parser.parse(b"First line\nsecond line.\n\nAnother paragraph.\n", ".TXT")
    assert [block.text for block in document.blocks] == ["First line second line.", "Another paragraph."]


@pytest.mark.parametrize(
    ("extensions", "content"),
    [
        ("docm dotx dotm", docx(paragraph(run("kept")))),
        ("pptm ppsx ppsm potx potm", pptx([[shape("kept")]], {})),
        ("xlsm xltx xltm", xlsx({"kept": [["a"]]})),
    ],
)
def test_office_files_with_macros_and_templates_are_read_as_files_without(
    parser: WorkerParser, extensions: str, content: bytes
) -> None:
    for extension in extensions.split():
        assert parser.parse(content, extension).blocks[0].text == "kept"
        with pytest.raises(UnreadableDocument, match=rf"the name ends in \.{extension} but the content is text"):
            parser.parse(b"plain text", extension)


def test_slides_are_found_under_another_name_of_their_presentation(parser: WorkerParser) -> None:
    with zipfile.ZipFile(io.BytesIO(pptx([[shape("kept")]], {}))) as archive:
        parts = {
            name.replace("presentation.xml", "show2.xml"): archive.read(name).replace(b"presentation.xml", b"show2.xml")
            for name in archive.namelist()
        }
    assert "ppt/show2.xml" in parts
    assert text_of(parser.parse(package(parts), "pptx")) == "kept"
