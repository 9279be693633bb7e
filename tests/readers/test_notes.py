"""Notes of a text: a mark apart from the figure, and the note beside what it belongs to, in every format."""

from collections.abc import Callable, Mapping

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.office import docx_parts, package, paragraph, run
from tests.readers.open_files import open_file

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHOWN = ["Rent 75^1 EUR and 80^2", "^1 net of tax", "^2 gross", "Other text"]


def _markdown() -> bytes:
    return b"Rent 75[^a] EUR and 80[^2]\n\nOther text\n\n[^2]: gross\n[^a]: net of\n    tax\n"


def _word() -> bytes:
    marks = [f'<w:r><w:footnoteReference w:id="{number}"/></w:r>' for number in (4, 2)]
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph("<w:r><w:footnoteRef/></w:r>", run(f" {text}"))}</w:footnote>'
        for number, text in ((2, "gross"), (4, "net of tax"))
    )
    parts = docx_parts(paragraph(run("Rent 75"), marks[0], run(" EUR and 80"), marks[1]), paragraph(run("Other text")))
    return package({**parts, "word/footnotes.xml": f'<w:footnotes xmlns:w="{_WORD}">{notes}</w:footnotes>'})


def _open_note(label: str, text: str) -> str:
    cited = f"<text:note-citation>{label}</text:note-citation>"
    return f"<text:note>{cited}<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"


def _open_document() -> bytes:
    body = f"Rent 75{_open_note('1', 'net of tax')} EUR and 80{_open_note('2', 'gross')}"
    return open_file("text", f"<text:p>{body}</text:p><text:p>Other text</text:p>")


def _rich_text() -> bytes:
    note = r"{\super\chftn}{\footnote\pard\plain{\super\chftn} %s}"
    body = rf"Rent 75{note % 'net of tax'} EUR and 80{note % 'gross'}\par Other text\par"
    return rf"{{\rtf1\ansi\pard {body}}}".encode()


_WRITERS: Mapping[str, Callable[[], bytes]] = {
    "md": _markdown,
    "docx": _word,
    "odt": _open_document,
    "rtf": _rich_text,
}


@pytest.mark.parametrize("file_type", _WRITERS)
def test_a_note_follows_the_paragraph_that_has_its_mark(file_type: str) -> None:
    assert [block.text for block in read_document(_WRITERS[file_type](), file_type).blocks] == _SHOWN


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("| a |\n|---|\n| 75[^1] |\n\nend\n\n[^1]: net\n", ["a\n75^1", "^1 net", "end"]),
        ("- a[^1]\n- b\n\n[^1]: one\n\n    two\n", ["a^1", "^1 one", "two", "b"]),
        ("75[^missing] and `[^1]`\n", ["75[^missing] and [^1]"]),
        ("75^[net of tax] EUR\n", ["75 (net of tax) EUR"]),
        ("a\n\n[^1]: never cited\n", ["a", "^1 never cited"]),
    ],
)
def test_notes_of_markdown(source: str, shown: list[str]) -> None:
    blocks = read_document(source.encode(), "md").blocks
    assert ["\n".join(" ".join(row) for row in block.rows) or block.text for block in blocks] == shown


def test_notes_of_rich_text_in_cells_and_with_own_marks() -> None:
    row = r"\trowd\cellx2000\cellx4000\intbl 90{\super\chftn}{\footnote{\super\chftn} cell}\cell x\cell\row\pard"
    content = rf"{{\rtf1\ansi\pard Other{{\super *}}{{\footnote\pard own}} end\par {row} last\par}}".encode()
    blocks = read_document(content, "rtf").blocks
    assert [block.rows or block.text for block in blocks][-3:] == [(("90^1", "x"),), "^1 cell", "last"]
    assert any("own" in block.text for block in blocks)
