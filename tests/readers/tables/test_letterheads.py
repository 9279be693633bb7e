"""Blocks of a letterhead are read one by one; tables of contacts keep their rows."""

from collections.abc import Callable, Sequence

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.office import docx, paragraph, pptx, run, shape, slide_table
from tests.readers.open_files import open_file
from tests.readers.pdf.drawing import drawn, text

_Blocks = Sequence[Sequence[str]]
_FIRM, _STREET = ("Hartwell Ltd", "Precision Works", "Est. 1921"), ("14 Mill Lane,", "Harborough LE16 7QB", "England")
_PHONES = ("Phone: 01858 555 014", "Fax: 01858 555 015", "www.hartwell.example")
_LETTERHEADS: dict[str, _Blocks] = {
    "three blocks": (_FIRM, _STREET, _PHONES),
    "two blocks": (_FIRM, _PHONES),
    "an address and references": (
        ("Mr Erik Lind", "Quay 7", "24103 Kiel"),
        ("Our ref: HL-204", "Your ref: 17/5", "Date: 4 May 2026"),
    ),
    "particulars of a company": (
        ("Hartwell Ltd", "Reg. 204417"),
        ("Bank of Harborough", "IBAN GB33 0000"),
        ("Directors: A. Hale,", "M. Osei"),
    ),
    "in German": (
        ("Hartwell GmbH", "Seestr. 4", "24103 Kiel"),
        ("Tel. 0431 555014", "Fax 0431 555015", "info@hartwell.example"),
    ),
}
_TABLES: dict[str, _Blocks] = {
    "of contacts": (
        ("Name", "Erik Lind", "Ana Hale"),
        ("Phone", "01858 555 014", "01858 555 015"),
        ("E-mail", "e.lind@hartwell.example", "a.hale@hartwell.example"),
    ),
    "of contacts without names of columns": (
        ("Erik Lind", "Ana Hale", "Mo Osei"),
        ("Phone: 01858 555 014", "Phone: 01858 555 015", "Phone: 01858 555 016"),
        ("e.lind@hartwell.example", "a.hale@hartwell.example", "m.osei@hartwell.example"),
    ),
    "of particulars": (("Phone", "E-mail", "Web"), ("01858 555 014", "info@hartwell.example", "www.hartwell.example")),
    "of figures": (("Berth", "North", "South"), ("2023", "1,204", "917"), ("2024", "1,377", "880")),
}


def _drawn(blocks: _Blocks, top: float = 750) -> bytes:
    rows = max(map(len, blocks))
    page = "".join(
        text(72 + 190 * at, top - 12 * row, block[row])
        for row in range(rows)
        for at, block in enumerate(blocks)
        if row < len(block)
    )
    letter = (
        "Dear Mr Lind, thank you for your letter of the third of May about the berth",
        "that you rented at the quay.",
    )
    return drawn([page + "".join(text(72, 500 - 12 * line, words) for line, words in enumerate(letter))])


def _texts(content: bytes, file_type: str) -> list[str]:
    blocks = read_document(content, file_type).blocks
    assert not any(block.rows for block in blocks)
    return [block.text for block in blocks]


@pytest.mark.parametrize("name", _LETTERHEADS)
@pytest.mark.parametrize("top", [750, 90])
def test_blocks_of_a_letterhead_of_pdf_are_read_one_by_one(name: str, top: float) -> None:
    blocks = _LETTERHEADS[name]
    found = " ".join(_texts(_drawn(blocks, top), "pdf"))
    assert all(" ".join(block) in found for block in blocks)


@pytest.mark.parametrize("name", _LETTERHEADS)
def test_blocks_of_a_letterhead_of_word_are_read_one_by_one(name: str) -> None:
    cells = ("".join(paragraph(run(line)) for line in block) for block in _LETTERHEADS[name])
    table = f"<w:tbl><w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr></w:tbl>"
    lines = [line for block in _LETTERHEADS[name] for line in block]
    assert _texts(docx(table, paragraph(run("Dear Mr Lind,"))), "docx") == [*lines, "Dear Mr Lind,"]


def _html(blocks: _Blocks) -> bytes:
    cells = "".join(f"<td>{'<br>'.join(block)}" for block in blocks)
    return f"<table><tr>{cells}<tr><td>Dear Mr Lind,</table>".encode()


def _open(blocks: _Blocks) -> bytes:
    lines = ("".join(f"<text:p>{line}</text:p>" for line in block) for block in blocks)
    cells = "".join(f"<table:table-cell>{block}</table:table-cell>" for block in lines)
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    return open_file("text", f"{table}<text:p>Dear Mr Lind,</text:p>")


def _slide(blocks: _Blocks) -> bytes:
    lines = ["".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in block) for block in blocks]
    table = slide_table([[f"CELL{place}" for place in range(len(blocks))]])
    for place, block in enumerate(lines):
        table = table.replace(f"<a:p><a:r><a:t>CELL{place}</a:t></a:r></a:p>", block)
    return pptx([[table], [shape("Dear Mr Lind,")]], {})


@pytest.mark.parametrize(
    ("file_type", "written"), [("html", _html), ("odt", _open), ("pptx", _slide)], ids=["html", "odt", "pptx"]
)
@pytest.mark.parametrize("name", _LETTERHEADS)
def test_blocks_of_a_letterhead_of_other_formats_are_read_one_by_one(
    file_type: str, written: Callable[[_Blocks], bytes], name: str
) -> None:
    blocks = _LETTERHEADS[name]
    lines = [line for block in blocks for line in block]
    assert _texts(written(blocks), file_type) == [*lines, "Dear Mr Lind,"]


def test_two_persons_with_their_particulars_are_rows() -> None:
    rows = (
        ("Erik Lind", "Tel. 01858 555 014", "e@hartwell.example"),
        ("Ana Hale", "Tel. 01858 555 015", "a@x.org"),
    )
    body = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in rows)
    (table,) = read_document(f"<table>{body}</table>".encode(), "html").blocks
    assert table.rows == rows


@pytest.mark.parametrize("name", _TABLES)
def test_rows_of_other_tables_are_kept(name: str) -> None:
    columns = _TABLES[name]
    tables = [block.rows for block in read_document(_drawn(columns), "pdf").blocks if block.rows]
    assert tables == [tuple(zip(*columns, strict=True))]
