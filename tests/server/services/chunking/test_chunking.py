"""Chunks: short enough, complete, in order, under the right headings, with no row cut."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import SEGMENT_MAX_CHARACTERS, SEGMENT_TARGET_CHARACTERS
from groundwire.domain.passages.chunking import chunk
from groundwire_readers.contents.parsed import Block, BlockKind
from tests.server.services.chunking.documents import blocks, document, texts
from tests.support.plugins.draws import examples

steady = settings(max_examples=examples(40), deadline=None)


def heading(level: int, text: str) -> Block:
    return Block(BlockKind.HEADING, text, level=level)


def paragraph(text: str, page: int | None = None, group: int | None = None) -> Block:
    return Block(BlockKind.PARAGRAPH, text, page=page, group=group)


def table(*rows: tuple[str, ...]) -> Block:
    return Block(BlockKind.TABLE, "\n".join(" | ".join(row) for row in rows), rows=rows)


def words_of(block: Block) -> list[str]:
    return [word for row in block.rows for cell in row for word in cell.split()] if block.rows else block.text.split()


def appear_in_order(wanted: list[str], chunks: list[Chunk]) -> bool:
    text, position = "\n".join(piece.text for piece in chunks), 0
    for word in wanted:
        position = text.find(word, position)
        if position < 0:
            return False
        position += len(word)
    return True


@given(st.lists(blocks, max_size=8))
@steady
def test_no_chunk_is_empty_or_longer_than_the_limit(found: list[Block]) -> None:
    chunks = chunk(document(found))
    assert all(0 < len(piece.text) <= SEGMENT_MAX_CHARACTERS for piece in chunks)
    assert [piece.ordinal for piece in chunks] == list(range(len(chunks)))


@given(st.lists(blocks, max_size=8))
@steady
def test_every_word_of_the_document_appears_in_order(found: list[Block]) -> None:
    assert appear_in_order([word for block in found for word in words_of(block)], chunk(document(found)))


@given(st.lists(texts, min_size=1, max_size=8))
@steady
def test_text_without_tables_is_never_repeated(found: list[Block]) -> None:
    plain = [replace(block, kind=BlockKind.PARAGRAPH) for block in found]
    chunked = [word for piece in chunk(document(plain)) for word in piece.text.split()]
    assert chunked == [word for block in plain for word in words_of(block)]


@given(st.lists(blocks, min_size=1, max_size=8), st.data())
@steady
def test_every_page_is_covered_and_no_chunk_spans_two_groups(found: list[Block], data: st.DataObject) -> None:
    pages = sorted(data.draw(st.lists(st.integers(1, 9), min_size=len(found), max_size=len(found))))
    placed = [replace(block, page=page, group=page) for block, page in zip(found, pages, strict=True)]
    chunks = chunk(document(placed))
    assert {piece.page_first for piece in chunks} == set(pages)
    assert all(piece.page_first == piece.page_last for piece in chunks)


@given(st.lists(blocks, min_size=1, max_size=8))
@steady
def test_the_path_of_a_chunk_is_the_headings_in_force_at_some_point(found: list[Block]) -> None:
    stack: list[Block] = []
    in_force: set[tuple[str, ...]] = {()}
    for block in found:
        if block.kind is BlockKind.HEADING:
            stack = [*(above for above in stack if above.level < block.level), block]
            in_force.add(tuple(above.text for above in stack))
    assert {piece.heading_path for piece in chunk(document(found))} <= in_force


def test_a_heading_starts_a_chunk_and_is_above_its_text() -> None:
    chunks = chunk(
        document(
            [heading(1, "Leave"), paragraph("Ask first."), heading(2, "Sick"), paragraph("Call."), heading(1, "Pay")]
        )
    )
    assert [(piece.heading_path, piece.text) for piece in chunks] == [
        (("Leave",), "Leave\n\nAsk first."),
        (("Leave", "Sick"), "Sick\n\nCall."),
        (("Pay",), "Pay"),
    ]


def test_headings_with_nothing_between_them_share_a_chunk() -> None:
    chunks = chunk(document([heading(1, "Part"), heading(2, "Chapter"), paragraph("Text.")]))
    assert [(piece.heading_path, piece.text) for piece in chunks] == [(("Part", "Chapter"), "Part\n\nChapter\n\nText.")]


def test_a_group_starts_without_the_headings_of_the_one_before() -> None:
    chunks = chunk(document([replace(heading(1, "Slide one"), group=1), paragraph("Untitled slide.", group=2)]))
    assert [piece.heading_path for piece in chunks] == [("Slide one",), ()]


def test_a_long_table_repeats_its_header_and_cuts_no_row() -> None:
    rows = [(f"Item {number}", f"{number} EUR", "in stock") for number in range(200)]
    chunks = chunk(document([heading(1, "Prices"), table(("Item", "Price", "State"), *rows), paragraph("The end.")]))
    lines = [piece.text.splitlines() for piece in chunks]
    assert len(chunks) > 3
    assert all("Item | Price | State" in part for part in lines)
    kept = [line for part in lines for line in part if line.startswith("Item ") and line != "Item | Price | State"]
    assert kept == [" | ".join(row) for row in rows]


def test_a_row_wider_than_a_chunk_is_split_between_cells_under_their_names() -> None:
    wide = ("Bolt", "Steel. " * 120, "M8 " * 250)
    chunks = chunk(document([table(("Name", "Material", "Size"), ("Nut", "Brass", "M4"), wide, ("Pin", "Iron", "M2"))]))
    assert all(len(piece.text) <= SEGMENT_MAX_CHARACTERS for piece in chunks)
    assert chunks[0].text.startswith("Name | Material | Size\nNut | Brass | M4\n\nName: Bolt\nMaterial: Steel.")
    assert any(line.startswith("Size: M8") for piece in chunks for line in piece.text.splitlines())
    assert chunks[-1].text.endswith("Name | Material | Size\nPin | Iron | M2")


def test_each_part_of_a_wide_row_names_its_row() -> None:
    names = ("Name", *(f"Column {number}" for number in range(60)))
    rows = [(row, *(f"{row} has {number} of these" for number in range(60))) for row in ("Bolt", "Nut")]
    parts = [part for piece in chunk(document([table(names, *rows)])) for part in piece.text.split("\n\n")]
    reported = [part.splitlines() for part in parts if part.startswith("Name: ")]
    assert len(reported) > 3
    assert all(
        line.endswith(" of these") and f": {lines[0][6:]} has" in line for lines in reported for line in lines[1:]
    )
    assert sum(len(lines) - 1 for lines in reported) == 120


def test_a_giant_cell_is_split_at_sentence_ends() -> None:
    giant = " ".join(f"Sentence number {number} of the cell." for number in range(150))
    chunks = chunk(document([table(("Id", "Remark"), ("1", giant))]))
    assert len(chunks) > 3
    assert all(piece.text.endswith("of the cell.") for piece in chunks)
    assert all("Remark: Sentence number" in piece.text for piece in chunks)


def test_a_long_paragraph_is_split_at_sentence_ends() -> None:
    text = " ".join(f"This is sentence {number}, see Fig. 7 by Dr. Who." for number in range(100))
    chunks = chunk(document([heading(1, "H"), paragraph(text)]))
    assert len(chunks) > 3
    assert all(piece.text.endswith("Dr. Who.") for piece in chunks)


def test_a_long_paragraph_without_spaces_is_split_at_its_own_sentence_ends() -> None:
    chunks = chunk(document([paragraph("これは文です。" * 600)]))
    assert len(chunks) > 2
    assert all(piece.text.endswith("。") for piece in chunks)


def test_a_short_leftover_joins_the_chunk_before_it() -> None:
    long = "Word " * 215 + "end."
    chunks = chunk(document([heading(1, "H"), paragraph(long), paragraph("Tail.")]))
    assert len(long) < SEGMENT_TARGET_CHARACTERS
    assert [piece.text.endswith("Tail.") for piece in chunks] == [True]


def test_a_section_that_fits_the_limit_stays_whole() -> None:
    first, second = ("word " * 190).strip() + ".", ("other " * 70).strip() + "."
    assert SEGMENT_TARGET_CHARACTERS < len(first) + len(second) < SEGMENT_MAX_CHARACTERS
    assert len(chunk(document([paragraph(first), paragraph(second)]))) == 1


def test_list_items_are_together_and_code_keeps_its_lines() -> None:
    found = [
        Block(BlockKind.LIST_ITEM, "one"),
        Block(BlockKind.LIST_ITEM, "2. two"),
        Block(BlockKind.CODE, "if a:\n    b()"),
    ]
    assert chunk(document(found))[0].text == "- one\n2. two\n\nif a:\n    b()"


def test_an_item_has_one_mark_whatever_bullet_the_page_prints_and_keeps_its_box_to_tick() -> None:
    items = [Block(BlockKind.LIST_ITEM, text) for text in ("• one", "- two", "\u2013 three", "☐ four", "-5 five")]
    [found] = chunk(document(items))
    assert found.text.splitlines() == ["- one", "- two", "- three", "- ☐ four", "- -5 five"]


def test_pages_of_a_chunk_span_its_blocks() -> None:
    chunks = chunk(document([paragraph("One.", page=3), paragraph("Two.", page=4)]))
    assert [(piece.page_first, piece.page_last) for piece in chunks] == [(3, 4)]


@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.LIST_ITEM])
def test_a_chunk_names_the_pages_of_its_own_text(kind: BlockKind) -> None:
    sides = [" ".join(f"Side {side} has row {row}." for row in range(90)) for side in (5, 6, 7)]
    text = " ".join(sides)
    block = Block(kind, text, page=5, page_breaks=(len(sides[0]), len(sides[0]) + len(sides[1]) + 1))
    for piece in chunk(document([block])):
        stated = [side for side in (5, 6, 7) if f"Side {side}" in piece.text]
        assert (piece.page_first, piece.page_last) == (min(stated), max(stated))


def test_a_document_without_text_has_no_chunks() -> None:
    assert chunk(document([])) == []


def ledger(rows: int, **others: Any) -> Block:
    cells = tuple((f"Item {number} of the ledger of the year", f"{number},000") for number in range(rows))
    header = (("", "Nine Months Ended"), ("Item", "July 1, 2023"))
    return Block(BlockKind.TABLE, "", rows=(*header, *cells), header_rows=2, **others)


def test_each_part_of_a_table_has_its_caption_and_all_header_rows() -> None:
    chunks = chunk(document([ledger(90, caption="Table 2 Ledger\n(in millions)")]))
    assert len(chunks) > 2
    head = "Table 2 Ledger\n(in millions)\n | Nine Months Ended\nItem | July 1, 2023\nItem "
    assert all(part.text.startswith(head) for part in chunks)
    rows = [line for part in chunks for line in part.text.splitlines() if line.startswith("Item ") and "," in line]
    assert len([row for row in rows if "ledger of" in row]) == 90


@pytest.mark.parametrize("header_rows", [0, 1])
def test_each_part_of_a_table_has_the_label_that_spans_its_rows(header_rows: int) -> None:
    parts = [f"Part {number} " + "x" * 40 for number in range(120)]
    depots = {0: "Depot Kiel", 60: "Depot Aarau"}
    cells = [(depots.get(number, ""), part) for number, part in enumerate(parts)]
    rows = (*[("Depot", "Part")] * header_rows, *cells)
    labels = tuple((header_rows + start, 0, header_rows + start + 60) for start in depots)
    chunks = chunk(document([Block(BlockKind.TABLE, "", rows=rows, header_rows=header_rows, labels=labels)]))
    lines = [part.text.splitlines()[header_rows:] for part in chunks]
    assert len(chunks) > 4
    assert [line.split(" | ")[-1] for each in lines for line in each] == parts
    for first, *others in lines:
        depot, part = first.split(" | ")
        assert depot == depots[int(part.split()[1]) // 60 * 60]
        assert all(line.startswith((" | ", "Depot Aarau | Part 60 ")) for line in others)


@pytest.mark.parametrize("rows", range(20, 60))
def test_the_last_row_of_a_table_is_no_passage_of_its_own(rows: int) -> None:
    chunks = chunk(document([ledger(rows)]))
    assert all(len(part.text) <= SEGMENT_MAX_CHARACTERS for part in chunks)
    assert sum(line.startswith("Item ") for line in chunks[-1].text.splitlines()) > 1


def test_the_first_row_of_a_table_without_a_header_is_a_row() -> None:
    cells = tuple((f"Key {number} " + "x" * 60, f"Value {number}") for number in range(40))
    chunks = chunk(document([Block(BlockKind.TABLE, "", rows=cells, header_rows=0)]))
    assert "\n".join(part.text for part in chunks).splitlines() == [" | ".join(row) for row in cells]


def test_the_line_that_introduces_a_list_or_a_table_is_in_one_chunk_with_its_beginning() -> None:
    filling = Block(BlockKind.PARAGRAPH, "Word " * 200 + "end.")
    item = Block(BlockKind.LIST_ITEM, "item " * 60)
    for following in ([item, item], [ledger(20)]):
        chunks = chunk(document([filling, Block(BlockKind.PARAGRAPH, "The parts are as follows:"), *following]))
        assert not chunks[0].text.endswith("follows:")
        assert chunks[1].text.startswith("The parts are as follows:")


def test_a_list_is_not_cut_before_its_last_item() -> None:
    items = [Block(BlockKind.LIST_ITEM, f"{number}. " + "word " * 20) for number in range(1, 12)]
    chunks = chunk(document(items))
    assert [part.text.splitlines()[-1][:3] for part in chunks] == ["11."]
