"""Tables have the caption and the header that the pages around them give, in every part."""

from collections.abc import Sequence

import pytest

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, filled, lines, text

HEADER = ("", "2021", "2022")
FIRST = [("Dues of the harbour", "1,234", "2,345"), ("Repairs of the quay", "56", "78"), ("Light", "7", "9")]
SECOND = [("Cranes of the pier", "3,210", "4,321"), ("Boats of the master", "65", "87"), ("Ropes", "5", "6")]
PROSE = ["Boats that come in after dark pay the tariff of the night and are led to the outer", "quay by the master."]


def table(top: float, rows: list[tuple[str, ...]]) -> str:
    drawn_rows = ""
    for number, row in enumerate(rows):
        for x, cell in zip((72, 340, 440), row, strict=True):
            drawn_rows += text(x, top - 14 * number, cell) if cell else ""
    return drawn_rows


def blocks(*pages: str) -> list[Block]:
    return list(read_document(drawn(pages), "pdf").blocks)


def tables(*pages: str) -> list[Block]:
    return [block for block in blocks(*pages) if block.kind is BlockKind.TABLE]


def test_title_and_unit_above_a_table_are_its_caption_and_appear_nowhere_else() -> None:
    above = text(72, 700, "Statement of the harbour's dues") + text(72, 676, "(in thousands)")
    found = blocks(lines(72, 760, PROSE) + above + table(650, [HEADER, *FIRST]))
    assert [block.caption for block in found if block.kind is BlockKind.TABLE] == [
        "Statement of the harbour's dues\n(in thousands)"
    ]
    assert [block.text for block in found if block.kind is not BlockKind.TABLE] == [" ".join(PROSE)]


def spaced(above: Sequence[str]) -> str:
    return "".join(text(72, 720 - 24 * number, line) for number, line in enumerate(above))


def captions_below(*above: str) -> list[str]:
    return [
        found.caption
        for found in tables(lines(72, 770, PROSE) + spaced(above) + table(720 - 24 * len(above), [HEADER, *FIRST]))
    ]


def test_a_title_with_its_number_its_unit_and_its_period_are_the_caption() -> None:
    above = ("Table 3 Statement of dues", "Outer and inner quays", "Year ended March 31, 2022", "(in thousands)")
    assert captions_below(*above) == ["\n".join(above)]


def test_a_long_title_on_two_lines_is_the_caption() -> None:
    above = ("Statement of the dues that boats and cranes of the harbour pay", "by night")
    assert captions_below(*above) == ["\n".join(above)]


def test_lines_of_a_form_above_a_table_are_no_caption() -> None:
    fields = ["Report ID: SP-2024-17", "Warehouse: Outer Quay", "Prepared by: John Doe"]
    found = blocks(spaced(fields) + table(630, [HEADER, *FIRST]))
    assert [block.text for block in found if block.kind is not BlockKind.TABLE] == fields
    assert captions_below(*fields) == [""]


def test_of_short_lines_above_a_table_only_the_nearest_is_the_caption() -> None:
    assert captions_below("Port Royal", "Harbour Office", "Dues by kind") == ["Dues by kind"]


def test_a_sentence_that_introduces_a_table_is_its_caption() -> None:
    introduction = "The dues of the harbour by kind are as follows (in thousands):"
    [found] = tables(lines(72, 760, PROSE) + text(72, 700, introduction) + table(670, [HEADER, *FIRST]))
    assert found.caption == introduction


def test_prose_above_a_table_stays_prose() -> None:
    found = blocks(lines(72, 700, PROSE) + table(650, [HEADER, *FIRST]))
    assert [(block.kind, block.caption) for block in found] == [(BlockKind.PARAGRAPH, ""), (BlockKind.TABLE, "")]


def test_a_table_that_goes_on_over_the_page_has_its_caption_and_header_there_too() -> None:
    first = text(72, 200, "Statement of the harbour's dues") + table(170, [HEADER, *FIRST])
    found = tables(lines(72, 760, PROSE) + first, table(760, SECOND) + lines(72, 600, PROSE))
    assert [(block.page, block.caption, block.rows[: block.header_rows]) for block in found] == [
        (1, "Statement of the harbour's dues", (HEADER,)),
        (2, "Statement of the harbour's dues", (HEADER,)),
    ]
    assert found[1].rows[1:] == tuple(SECOND)
    assert found[1].text.splitlines()[0] == " | ".join(HEADER)


def test_a_table_with_a_header_of_its_own_goes_on_from_none() -> None:
    own = [("", "2019", "2020"), *SECOND]
    first = text(72, 200, "Statement of the harbour's dues") + table(170, [HEADER, *FIRST])
    found = tables(lines(72, 760, PROSE) + first, table(760, own) + lines(72, 600, PROSE))
    assert (found[1].caption, found[1].rows[: found[1].header_rows]) == ("", (own[0],))


def test_a_table_that_is_drawn_after_the_text_of_its_page_is_read_at_its_place() -> None:
    heading = text(72, 500, "Cranes of the harbour", 16, BOLD)
    prose = lines(72, 760, PROSE) + heading + lines(72, 470, PROSE)
    kinds = [block.kind for block in blocks(prose + table(700, [HEADER, *FIRST]))]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.HEADING, BlockKind.PARAGRAPH]


def _grid(rows: Sequence[Sequence[str]], top: float, levels: Sequence[int], upright: tuple[int, int]) -> str:
    """A grid with its horizontal lines at these levels, and vertical ones between two heights."""
    places, (low, high) = (72, 150, 400, 500), upright
    cells = [
        text(x + 4, top - 14 * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip(places, row, strict=False)
        if cell
    ]
    level = [filled(72, y, 428, 0.5) for y in levels]
    return "".join([*cells, *level, *(filled(x, low, 0.5, high - low) for x in places)])


@pytest.mark.parametrize("head", [[], [("Clause", "Duty", "Owner")]], ids=["one header", "a header on each page"])
def test_a_row_that_continues_on_the_next_page_is_one_row(head: list[tuple[str, ...]]) -> None:
    names = ("Clause", "Duty", "Owner")
    first = [names, ("C-1", "sign the list", "Jane"), ("C-2", "pay the fee of", "Peter")]
    second = [*head, ("", "the season", ""), ("C-3", "leave at noon", "Rui")]
    above = 14 * len(head)
    pages = [
        _grid(first, 150, [162, 146, 132], (114, 162)),
        _grid(second, 706 + above, [702, 686, *([732, 716] if head else [])], (686, 716 + above)),
    ]
    tables = [block.rows for block in read_document(drawn(pages), "pdf").blocks if block.rows]
    assert [row for table in tables for row in table if row != names] == [
        ("C-1", "sign the list", "Jane"),
        ("C-2", "pay the fee of the season", "Peter"),
        ("C-3", "leave at noon", "Rui"),
    ]
