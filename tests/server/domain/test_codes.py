"""Codes of a question: as few as a search can afford, and found as whole runs of letters and digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.text.codes import MAX_CODES, codes_of, comparable_text


@given(st.lists(st.text("ab-019.,/ ", max_size=60), max_size=6))
def test_a_search_looks_for_few_codes_and_finds_each_in_the_phrase_that_has_it(phrases: list[str]) -> None:
    codes = codes_of(phrases)
    assert len(codes) <= MAX_CODES
    assert all(any(code.is_in(comparable_text(phrase)) for phrase in phrases) for code in codes)


def test_of_a_long_list_of_parts_the_first_ones_count() -> None:
    codes = codes_of([",".join(f"a{number:03}" for number in range(500))])
    assert len(codes) == MAX_CODES
    assert codes[0].is_in("part a000 of the pump")


@pytest.mark.parametrize(
    ("question", "text", "is_in"),
    [
        ("S-0017", "valve s-0017/b", True),
        ("S0017/B", "valve s-0017/b", True),
        ("0017/B", "valve s-0017/b", True),
        ("S-0017", "valve s-00171", False),
        ("S-001", "valve s-0017/b", False),
        ("E1042", "error e 1042", True),
    ],
)
def test_a_code_is_in_a_text_by_its_whole_runs(question: str, text: str, *, is_in: bool) -> None:
    [code] = codes_of([question])
    assert code.is_in(text) is is_in
