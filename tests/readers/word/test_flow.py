"""Word: links, notes, pictures and cells are read as Word shows them, whatever the file calls its elements."""

import pytest

from groundwire_readers.contents.parsed import BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.office import docx, docx_parts, package, paragraph, run

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ADDRESS = "https://berths.example/list"


def _texts(content: bytes) -> list[str]:
    return [block.text for block in read_document(content, "docx").blocks]


def _field(instruction: str, result: str) -> str:
    change = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    code = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return f"{change.format('begin')}{code}{change.format('separate')}{result}{change.format('end')}"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (_field(f' HYPERLINK "{_ADDRESS}" ', run("list")), "the list (berths.example)"),
        (f"<w:fldSimple w:instr=' HYPERLINK \"{_ADDRESS}\"'>{run('list')}</w:fldSimple>", "the list (berths.example)"),
        (_field(' HYPERLINK \\l "berths"', run("list")), "the list"),
        (_field(" DATE ", run("3 May")), "the 3 May"),
        (_field(" REF a ", _field(" PAGE ", run("7"))), "the 7"),
    ],
)
def test_a_field_is_its_result_with_the_host_of_a_link(field: str, shown: str) -> None:
    assert _texts(docx(paragraph(run("the "), field))) == [shown]


def test_a_note_has_the_text_of_its_runs_and_the_hosts_of_its_links() -> None:
    note = paragraph(run("net", "<w:b/>"), run(" of tax", "<w:i/>"), _field(f' HYPERLINK "{_ADDRESS}"', run(" here")))
    separator = '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    parts = docx_parts(paragraph(run("75"), '<w:r><w:footnoteReference w:id="1"/></w:r>'))
    notes = f'<w:footnotes xmlns:w="{_WORD}">{separator}<w:footnote w:id="1">{note}</w:footnote></w:footnotes>'
    assert _texts(package({**parts, "word/footnotes.xml": notes})) == ["75^1", "^1 net of tax here (berths.example)"]


def test_the_name_that_word_gives_a_picture_is_no_text() -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    picture = (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{drawing}"><wp:docPr id="1" name="Picture 1"/>'
        '<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:embed="rId9"/>'
        "</wp:inline></w:drawing></w:r>"
    )
    assert _texts(docx(paragraph(run("Text."), picture))) == ["Text."]


def _row(*cells: str, before: int = 0) -> str:
    gap = f'<w:trPr><w:gridBefore w:val="{before}"/></w:trPr>' if before else ""
    return f"<w:tr>{gap}{''.join(f'<w:tc>{paragraph(run(cell))}</w:tc>' for cell in cells)}</w:tr>"


def test_a_row_that_starts_behind_the_first_column_keeps_its_cells_in_their_columns() -> None:
    table = f"<w:tbl>{_row('Berth', '2023', '2024')}{_row('9', '12', before=1)}{_row('East', '7', '8')}</w:tbl>"
    (block,) = read_document(docx(table), "docx").blocks
    assert block.rows == (("Berth", "2023", "2024"), ("", "9", "12"), ("East", "7", "8"))


def test_cells_of_a_hidden_row_are_not_counted_among_the_rows_that_a_label_spans() -> None:
    def row(merge: str, cell: str, properties: str = "") -> str:
        label = paragraph(run("East" if "restart" in merge else ""))
        return (
            f"<w:tr>{properties}<w:tc><w:tcPr>{merge}</w:tcPr>{label}</w:tc><w:tc>{paragraph(run(cell))}</w:tc></w:tr>"
        )

    first, further = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    hidden = row(further, "SECRET", "<w:trPr><w:hidden/></w:trPr>")
    rows = _row("Berth", "Hours") + row(first, "6 to 22") + hidden + row(further, "closed") + _row("West", "all day")
    (block,) = read_document(docx(f"<w:tbl>{rows}</w:tbl>"), "docx").blocks
    assert block.rows == (("Berth", "Hours"), ("East", "6 to 22"), ("", "closed"), ("West", "all day"))
    assert block.labels == ((1, 0, 3),)


def test_elements_are_known_by_their_namespace() -> None:
    parts = docx_parts(paragraph(run("seen"), run("SECRET", "<w:vanish/>"), style="Heading2"))
    document = str(parts["word/document.xml"])
    parts["word/document.xml"] = document.replace("w:", "ns0:").replace("xmlns:w=", "xmlns:ns0=")
    (block,) = read_document(package(parts), "docx").blocks
    assert (block.kind, block.text, block.level) == (BlockKind.HEADING, "seen", 2)


def test_keywords_of_a_file_are_a_list() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties">'
        "<cp:keywords>quay, tariff,,night </cp:keywords></cp:coreProperties>"
    )
    parts = docx_parts(paragraph(run("Text.")))
    assert read_document(package({**parts, "docProps/core.xml": core}), "docx").front_matter["keywords"] == [
        "quay",
        "tariff",
        "night",
    ]
