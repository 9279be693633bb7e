"""Headings are what a person takes for headings, at the level that size, number and outline give them."""

import pytest

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, lines, text

PROSE = ["Boats that come in after dark pay the tariff of the night and are led to the outer", "quay by the master."]


def blocks(*pages: str, outline: tuple[tuple[str, int], ...] = ()) -> list[Block]:
    return list(read_document(drawn(pages, outline=outline), "pdf").blocks)


def headings(*pages: str, outline: tuple[tuple[str, int], ...] = ()) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in blocks(*pages, outline=outline) if block.kind is BlockKind.HEADING]


def test_larger_lines_are_headings_of_a_higher_level_than_bold_ones() -> None:
    page = text(72, 740, "Harbour Rules", 20, BOLD)
    for number, name in enumerate(("Boats", "Cranes")):
        top = 700 - 250 * number
        page += text(72, top, f"Part of {name}", 14, BOLD) + lines(72, top - 30, PROSE)
        page += text(72, top - 80, f"Tariff of {name}", 10, BOLD) + lines(72, top - 100, PROSE)
    assert headings(page) == [
        (1, "Harbour Rules"),
        (1, "Part of Boats"),
        (2, "Tariff of Boats"),
        (1, "Part of Cranes"),
        (2, "Tariff of Cranes"),
    ]


def test_a_section_s_number_gives_its_level() -> None:
    page = ""
    for row, name in enumerate(("1 Boats", "1.1 By day", "1.1.1 At the quay", "1.2 By night", "2 Cranes")):
        page += text(72, 740 - 100 * row, name, 12, BOLD) + lines(72, 720 - 100 * row, PROSE)
    assert [level for level, _ in headings(page)] == [1, 2, 3, 2, 1]


def test_headings_without_a_number_are_below_the_numbered_ones_of_their_font() -> None:
    names = ("Note 1 - Rules", "Boats", "Cranes", "Note 2 - Tariffs", "By day", "Note 3 - Fees", "References")
    pages = [
        "".join(text(72, 740 - 100 * row, name, 12, BOLD) + lines(72, 720 - 100 * row, PROSE) for row, name in chunk)
        for chunk in (list(enumerate(names[:4])), list(enumerate(names[4:])))
    ]
    assert [level for level, _ in headings(*pages)] == [1, 2, 2, 1, 2, 1, 1]


def test_headings_of_a_cover_are_no_sections_around_the_document() -> None:
    cover = text(72, 740, "Harbour Commission", 20, BOLD) + text(72, 640, "Port of Weirhaven", 20, BOLD)
    inner = ""
    for row, name in enumerate(("Rules", "Tariffs", "Fees")):
        inner += text(72, 740 - 100 * row, f"{name} of the quay", 12, BOLD) + lines(72, 720 - 100 * row, PROSE)
    found = headings(cover + lines(72, 500, PROSE), inner)
    assert {level for level, _ in found} == {found[-1][0]}


def test_the_text_of_each_section_follows_its_heading() -> None:
    names = [f"{part}.{number}. Purpose" for part in range(1, 5) for number in range(1, 4)]
    pages = [
        "".join(
            text(72, 740 - 200 * row, name, 12, BOLD)
            + text(72, 720 - 200 * row, f"The purpose of {name[:3]} is clear.")
            for row, name in enumerate(names[start : start + 3])
        )
        for start in range(0, len(names), 3)
    ]
    found = [block.text for block in blocks(*pages)]
    assert found == [line for name in names for line in (name, f"The purpose of {name[:3]} is clear.")]


def test_a_heading_on_two_lines_is_one() -> None:
    parts = ["5.5. /var/cache: Data that applications keep for the next time they", "run (optional)"]
    found = headings(lines(72, 740, parts, 16, BOLD) + lines(72, 680, PROSE))
    assert [name for _, name in found] == [" ".join(parts)]


def test_a_subtitle_in_the_font_of_numbered_sections_is_no_higher_than_they() -> None:
    page = ""
    names = ("1 BOATS", "1.1 By day", "Lamps", "1.2 By night", "Bells", "2 CRANES")
    for row, name in enumerate(names):
        page += text(72, 740 - 100 * row, name, 12, BOLD) + lines(72, 720 - 100 * row, PROSE)
    assert headings(page) == [
        (1, "1 BOATS"),
        (2, "1.1 By day"),
        (2, "Lamps"),
        (2, "1.2 By night"),
        (2, "Bells"),
        (1, "2 CRANES"),
    ]


def test_a_bold_beginning_stays_with_the_paragraph_that_it_begins() -> None:
    page = (
        lines(72, 740, PROSE) + text(72, 700, "Night.", 10, BOLD) + text(105, 700, "The tariff of the night is double.")
    )
    assert [(block.kind, block.text) for block in blocks(page)][-1] == (
        BlockKind.PARAGRAPH,
        "Night. The tariff of the night is double.",
    )


def test_a_paragraph_in_bold_is_no_heading() -> None:
    bold = [
        f"Whoever pays late, on day {day} or after it, pays twice and is sent home by the master," for day in range(6)
    ]
    assert headings(lines(72, 740, PROSE) + lines(72, 690, bold, 10, BOLD) + lines(72, 560, [*PROSE, *PROSE] * 4)) == []


def test_a_line_that_the_outline_names_is_a_heading_even_in_the_body_s_font() -> None:
    page = lines(72, 740, PROSE) + text(72, 690, "Tariff of the night") + lines(72, 660, PROSE)
    assert headings(page) == []
    assert headings(page, outline=(("Tariff of the night", 1),)) == [(1, "Tariff of the night")]


def test_a_table_of_contents_is_left_out_where_its_headings_are_there() -> None:
    names = ["Boats by day", "Boats by night", "Cranes and ropes", "Lamps and bells", "Fines and appeals"]
    contents = text(72, 740, "Contents", 16, BOLD) + lines(
        72, 700, [f"{name} {'. ' * 30}{number + 2}" for number, name in enumerate(names)]
    )
    pages = [
        text(72, 740, name, 16, BOLD) + lines(72, 700, [f"On {name} there is a rule of its own."]) for name in names
    ]
    found = blocks(contents, *pages)
    assert [block.text for block in found if block.kind is BlockKind.HEADING] == names
    assert all(block.page != 1 for block in found)


def test_entries_of_contents_are_no_headings_where_their_sections_are_on_other_pages() -> None:
    entries = [f"Chapter of the boats number {number} {'. ' * 30}{number}" for number in range(11, 17)]
    found = blocks(
        text(72, 740, "Contents", 16, BOLD) + lines(72, 700, entries, 12, BOLD), *[lines(72, 700, PROSE * 5)] * 2
    )
    assert [block.text for block in found if block.kind is BlockKind.HEADING] == ["Contents"]
    assert "Chapter of the boats number 11 … 11" in [block.text for block in found]


def test_lines_to_sign_on_are_no_entries_of_contents() -> None:
    names = ("Harbour master", "Owner", "Witness", "Date", "Place")
    page = lines(72, 740, PROSE) + "".join(
        text(72, 640 - 40 * row, f"{name}: ____________________") for row, name in enumerate(names)
    )
    found = " ".join(block.text for block in blocks(page))
    assert all(name in found for name in names)


def test_a_compound_that_is_divided_at_its_hyphen_keeps_it_in_a_heading() -> None:
    known = ["Rules for data that are independent of the machine and of its architecture,", "which are few."]
    parts = ["4.11 The rules of the harbour for its miscellaneous architecture-", "independent data"]
    found = headings(lines(72, 740, parts, 16, BOLD) + lines(72, 660, known))
    assert [name for _, name in found] == ["".join(parts)]


@pytest.mark.parametrize(
    "line",
    [
        "John Doe, Jane Roe and Max von Muster",
        "by John Doe",
        "3 March 2021",
        "Fri, Feb 24, 2017",
        ", Jane Roe of the Quays",
        "Jane Roe (jane@quay.example)",
        "Keywords: boats, tariff of the night",
    ],
)
def test_authors_and_dates_below_a_title_are_no_headings(line: str) -> None:
    page = text(72, 740, "Rules of the Harbour", 24, BOLD) + text(72, 700, line, 14, BOLD)
    section = text(72, 640, "Tariff of the Night", 14, BOLD)
    found = read_document(drawn([page + section + lines(72, 600, PROSE)]), "pdf").blocks
    assert [block.text for block in found if block.kind is BlockKind.HEADING] == [
        "Rules of the Harbour",
        "Tariff of the Night",
    ]
    assert line in [block.text for block in found if block.kind is BlockKind.PARAGRAPH]


def test_the_lines_of_a_statement_in_bold_are_no_headings() -> None:
    statement = ("CREATE QUAY <quay name>", "FOR BOATS", "WITH <dues of the quay>", "ENABLE")
    shown = "".join(
        text(72, 600 - 40 * row, line, 10, BOLD) + text(300, 580 - 40 * row, f"Note {row} says what this line is for.")
        for row, line in enumerate(statement)
    )
    page = text(72, 700, "Statements of the harbour", 16, BOLD) + lines(72, 660, ["They rule the quays."]) + shown
    found = read_document(drawn([page]), "pdf").blocks
    assert [block.text for block in found if block.kind is BlockKind.HEADING] == ["Statements of the harbour"]


def test_a_name_above_each_statement_is_no_item_of_a_list() -> None:
    names = ["Harbour of Norby", "Statements of the year", "Note on the tariff", "Basis of the fees"]
    last = "".join(text(72, 740 - 24 * row, name, 10, BOLD) for row, name in enumerate(names)) + lines(72, 640, PROSE)
    others = [text(72, 740, "Harbour of Norby", 10, BOLD) + lines(72, 720, [each, *PROSE]) for each in names]
    found = [name for _, name in headings(*others, last)]
    assert found[-4:] == names
