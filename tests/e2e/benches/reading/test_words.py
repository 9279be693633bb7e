"""Words are counted, and compared in order, as a person would."""

import random

import pytest

from bench.reading.words import (
    common_in_order,
    common_words,
    in_pieces,
    longest_ascent,
    without_contents_lines,
    words,
)


def test_numbers_keep_their_points_and_letters_their_spelling_aside() -> None:
    assert words("Net SALES: $(1,746.5), 3.4.2. Don\u2019t \ufb01ll H2O \u4fdd\u9669 \ubcf4\ud5d8") == [
        *("net", "sales", "1,746.5", "3.4.2", "don", "t", "fill", "h", "2", "o", "\u4fdd", "\u9669", "\ubcf4", "\ud5d8")
    ]


def test_a_word_that_one_text_repeats_is_common_only_as_often_as_the_other_has_it() -> None:
    assert common_words(["a", "a", "b"], ["a", "c", "b", "b"]) == 2


@pytest.mark.parametrize(
    ("left", "right", "length"),
    [("abcde", "abcde", 5), ("abcde", "edcba", 1), ("abcde", "deabc", 3), ("aab", "aba", 2), ("abc", "", 0)],
)
def test_the_longest_common_subsequence_is_found(left: str, right: str, length: int) -> None:
    assert common_in_order(left, right) == length


def test_it_is_as_long_as_the_table_of_all_prefixes_has_it() -> None:
    chance = random.Random(7)
    for _ in range(40):
        left, right = (chance.choices("abcd", k=chance.randrange(90)) for _ in range(2))
        above = [0] * (len(right) + 1)
        for one in left:
            row = [0]
            for at, other in enumerate(right):
                row.append(above[at] + 1 if one == other else max(above[at + 1], row[at]))
            above = row
        assert common_in_order(left, right) == above[-1]


@pytest.mark.parametrize(("places", "length"), [([1, 2, 2, 3], 4), ([4, 3, 2, 1], 1), ([1, 9, 2, 3], 3), ([], 0)])
def test_the_longest_run_that_never_falls_is_found(places: list[int], length: int) -> None:
    assert longest_ascent(places) == length


@pytest.mark.parametrize(
    ("reference", "text", "pieces"),
    [
        ("cost 16,411", "cost 16,41 1", {"16,411": 1}),
        ("(11,746) 62,115", "(1 1,746) | 62,1 | 15", {"11,746": 1, "62,115": 1}),
        ("1.5 and 1.5", "1 .5 and 1. 5", {"1.5": 2}),
        ("117", "1. 17", {}),
        ("12", "a column of 1\n2", {}),
        ("Recommends", "Rec\nommends", {"recommends": 1}),
        ("Total Total", "T otal and Total", {"total": 1}),
        ("Total", "T otal and Total", {}),
        ("longterm", "long-term", {}),
        ("into", "see appendix in to", {"into": 1}),
        ("never", "no word of it", {}),
    ],
)
def test_words_that_are_there_in_pieces_only_are_found(reference: str, text: str, pieces: dict[str, int]) -> None:
    assert in_pieces(words(reference), text) == pieces


def test_lines_of_a_table_of_contents_count_for_nobody() -> None:
    prose = "A long paragraph with a gap ........ in it is prose, whatever is missing there. " * 3
    entries = "Notices . . . . . . . vii\nPreface ........ ix\nFigures | \u2026\u2026 | 3\nTables \u2026 ix\n"
    assert without_contents_lines(f"It ends ... here.\n{entries}{prose}") == f"It ends ... here.\n{prose}"
