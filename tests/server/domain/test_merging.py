"""Results of several queries are merged by turns."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.search.merging import merge_by_turns

RANKINGS = st.lists(st.lists(st.integers(0, 12), unique=True, max_size=9), max_size=5)


def merged(*rankings: list[int], most: int = 100) -> list[int]:
    return merge_by_turns(rankings, most, lambda item: item)


def test_each_query_gives_its_best_result_in_turn_and_the_first_query_begins() -> None:
    assert merged([1, 2, 3], [11, 12, 13]) == [1, 11, 2, 12, 3, 13]


def test_a_query_whose_best_result_is_there_already_gives_its_next_one() -> None:
    assert merged([1, 2, 3], [1, 12, 13]) == [1, 12, 2, 13, 3]


def test_a_query_without_further_results_leaves_its_places_to_the_others() -> None:
    assert merged([1], [11, 12, 13], []) == [1, 11, 12, 13]


def test_no_more_results_are_merged_than_are_wanted() -> None:
    assert merged([1, 2], [11, 12], [21, 22], most=4) == [1, 11, 21, 2]
    assert merged([1, 2], most=0) == []


def test_two_results_with_one_identity_are_one_result() -> None:
    assert merge_by_turns([["a1", "b1"], ["a2", "c2"]], 8, lambda item: item[0]) == ["a1", "c2", "b1"]


@given(RANKINGS, st.integers(0, 60))
def test_nothing_is_missing_repeated_or_invented(rankings: list[list[int]], most: int) -> None:
    found = merged(*rankings, most=most)
    every = {item for ranking in rankings for item in ranking}
    assert len(found) == len(set(found)) == min(most, len(every))
    assert set(found) <= every


@given(RANKINGS)
def test_one_query_keeps_its_order(rankings: list[list[int]]) -> None:
    for ranking in rankings:
        assert merged(ranking) == merged(ranking, []) == merged(ranking, ranking) == ranking


@given(RANKINGS, st.integers(0, 20))
def test_fewer_results_are_the_beginning_of_more(rankings: list[list[int]], most: int) -> None:
    assert merged(*rankings, most=most) == merged(*rankings)[:most]
