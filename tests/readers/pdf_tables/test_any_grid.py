"""Any grid of numbers is read back cell by cell, in whatever order its words were drawn."""

import random
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers.readers.pdf.page_content import PageContent
from groundwire_readers.readers.pdf.tables.finder import find_tables
from tests.readers.pdf_tables.layout import page, statement

labels = st.sampled_from(["Boats", "Cranes", "Piers", "Dues paid", "Night watch", "Buoys at sea", "Ropes"])
values = st.one_of(
    st.integers(0, 9_999_999).map("{:,}".format),
    st.integers(1, 99_999).map("({:,})".format),
    st.integers(0, 999).map("{}.5%".format),
    st.just("—"),
)


@st.composite
def grids(draw: st.DrawFn) -> list[tuple[str, ...]]:
    # One column of numbers that rise is what a table of contents looks like.
    columns = draw(st.integers(2, 4))
    header = ("", *(["2021", "2022", "2023", "2024"][:columns]))
    rows = draw(st.lists(st.tuples(labels, *[values] * columns), min_size=3, max_size=20))
    return [header, *rows]


@given(grids())
def test_a_grid_is_read_back_cell_by_cell(grid: list[tuple[str, ...]]) -> None:
    [table] = find_tables(page(statement(grid)))
    assert (*table.rows,) == (*grid,)
    assert table.header_rows == 1


@given(grids(), st.randoms(use_true_random=False))
def test_the_order_of_drawing_does_not_change_rows(grid: list[tuple[str, ...]], rng: random.Random) -> None:
    content = page(statement(grid))
    words = [*content.words]
    rng.shuffle(words)
    shuffled = PageContent(1, content.width, content.height, tuple(words), ())
    assert [table.rows for table in find_tables(shuffled)] == [table.rows for table in find_tables(content)]


@given(grids())
def test_every_word_appears_once(grid: list[tuple[str, ...]]) -> None:
    content = page(statement(grid))
    stated = [cell.split() for table in find_tables(content) for row in table.rows for cell in row]
    assert sorted(chain.from_iterable(stated)) == sorted(word.text for word in content.words)
