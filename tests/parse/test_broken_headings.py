"""Headings that a PDF broke over several lines are one heading again; headings that stand together stay apart."""

import pytest

from groundwire.adapters.parse.readers.pdf.split_headings import join_split_headings
from groundwire.domain.documents.parsed import Block, BlockKind


def heading(text: str, level: int = 2, page: int = 1) -> Block:
    return Block(BlockKind.HEADING, text, level=level, page=page)


def prose(text: str) -> Block:
    return Block(BlockKind.PARAGRAPH, text, page=1)


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ([heading("7.2 Kinds of wood: oak, beech,"), heading("ash, elm")], "7.2 Kinds of wood: oak, beech, ash, elm"),
        ([heading("3.1 Repairing the old ware-"), prose("houses")], "3.1 Repairing the old warehouses"),
        ([heading("7.8 Timber -"), heading("Built-Using", 3)], "7.8 Timber - Built-Using"),
        ([heading("RULES FOR ALL WHO WORK AT THE HARBOUR AND ITS"), heading("SHEDS")],
         "RULES FOR ALL WHO WORK AT THE HARBOUR AND ITS SHEDS"),
        ([heading("SHIPS AND PAPERS (FROM THE OLD"), heading("MANUAL)")], "SHIPS AND PAPERS (FROM THE OLD MANUAL)"),
        ([heading("SHIPS OF OTHERS"), heading("(FROM THE OLD MANUAL)")], "SHIPS OF OTHERS (FROM THE OLD MANUAL)"),
        ([heading("2 Kinds of pack-"), prose("ages - oak,"), heading("elm")], "2 Kinds of packages - oak, elm"),
    ],
)  # fmt: skip
def test_a_heading_that_was_broken_is_whole(lines: list[Block], whole: str) -> None:
    assert [block.text for block in join_split_headings([*lines, prose("What stands beneath it.")])] == [
        whole,
        "What stands beneath it.",
    ]


@pytest.mark.parametrize(
    "apart",
    [
        [heading("ONE", 1), heading("ABOUT THIS MANUAL", 1)],
        [heading("2.2 Areas of the archive,"), heading("2.2.1 The main area", 3)],
        [heading("Oak, beech,", page=1), heading("ash", page=2)],
        [heading("Things to bring,"), prose("A sentence of its own.")],
        [heading("A heading"), prose("and text in small letters")],
    ],
)
def test_what_is_whole_stays_apart(apart: list[Block]) -> None:
    assert join_split_headings(apart) == apart
