"""Plain text: tables whose columns are aligned with blanks, and texts that are none."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.dispatch import read_document
from tests.support.plugins.draws import examples

NAMES = st.sampled_from(["Bolt", "Steel nut", "Washer M8", "Ø 4 screw", "Seal-ring"])
VALUES = st.sampled_from(["7", "12.50", "1,200", "-3", "98 %"])


def blocks(text: str, extension: str = "txt") -> Sequence[Block]:
    return read_document(text.encode(), extension).blocks


def aligned(rows: Sequence[Sequence[str]], gap: int, *, is_right: bool) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [
        [
            cell.rjust(width) if is_right and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    return [(" " * gap).join(row).rstrip() for row in cells]


@given(
    rows=st.lists(st.tuples(NAMES, VALUES, VALUES), min_size=2, max_size=8),
    gap=st.integers(2, 6),
    is_right=st.booleans(),
    has_rule=st.booleans(),
)
@settings(max_examples=examples(100), deadline=None)
def test_an_aligned_table_keeps_its_names_and_cells(
    rows: list[tuple[str, str, str]], gap: int, *, is_right: bool, has_rule: bool
) -> None:
    table = [("Part name", "Units", "Price"), *rows]
    lines = aligned(table, gap, is_right=is_right)
    lines = [lines[0], "-" * len(lines[0]), *lines[1:]] if has_rule else lines
    before, found, after = blocks("\n".join(["Stock of today.", "", *lines, "", "Order soon."]))
    assert (before.text, after.text) == ("Stock of today.", "Order soon.")
    assert (found.kind, found.rows, found.header_rows) == (BlockKind.TABLE, tuple(table), 1)


def test_a_table_right_below_a_sentence_and_in_a_mail_is_found() -> None:
    table = "  Item      Q1      Q2\n  Bolts  1,200   1,300\n  Nuts      15      18\n"
    sentence, found = blocks(f"The sales of 2025:\n{table}")
    assert (sentence.text, found.rows[1]) == ("The sales of 2025:", ("Bolts", "1,200", "1,300"))
    mail = f"From: a@b.example\nSubject: s\n\nHello,\n\n{table}\nRegards\n"
    assert [block.rows[2] for block in blocks(mail, "eml") if block.kind is BlockKind.TABLE] == [("Nuts", "15", "18")]


@pytest.mark.parametrize(
    "text",
    [
        "A sentence ends.  Another begins\nand goes on.  It has two blanks\nafter 5 periods.  It is no\ntable.  7.\n",
        "Name:      Ann\nBorn in:   Oslo\nLives in:  Bonn\n",
        "Bolt    7\nNut    12\n",
        "if x:\n    return  5\nelse:\n    return  7\n",
    ],
)
def test_prose_names_with_words_two_lines_and_code_are_no_table(text: str) -> None:
    assert BlockKind.TABLE not in {block.kind for block in blocks(text)}
