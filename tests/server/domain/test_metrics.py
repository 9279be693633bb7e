"""Metrics equal sums that were computed manually, and keep the bounds of a metric."""

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.search.metrics import (
    Estimate,
    bootstrap_mean,
    ndcg_at,
    permutation_p_value,
    recall_at,
    reciprocal_rank_at,
)
from tests.support.plugins.draws import examples

DOCUMENTS = [f"d{number}" for number in range(12)]
RANKINGS = st.permutations(DOCUMENTS).flatmap(lambda all_: st.integers(0, len(all_)).map(lambda cut: all_[:cut]))
JUDGEMENTS = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 4), max_size=8)
VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=40)
few = settings(deadline=None, max_examples=examples(100))


def test_the_gain_is_the_grade_itself_and_its_discount_the_logarithm_of_the_rank() -> None:
    judged = {"a": 3, "b": 2, "c": 1}

    found = ndcg_at(10, ["b", "x", "a"], judged)

    assert found == pytest.approx((2 + 3 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4)))


def test_the_ideal_ranking_is_of_all_relevant_documents_as_far_as_the_depth_reaches() -> None:
    judged = {"a": 1, "b": 1, "c": 1}

    assert ndcg_at(2, ["a", "b"], judged) == 1.0
    assert ndcg_at(3, ["a", "b"], judged) == pytest.approx((1 + 1 / log2(3)) / (1 + 1 / log2(3) + 1 / log2(4)))


def test_a_grade_of_nothing_or_less_is_no_gain_and_no_loss() -> None:
    judged = {"a": 1, "b": 0, "c": -1}

    assert ndcg_at(10, ["c", "b", "a"], judged) == pytest.approx(1 / log2(4))
    assert recall_at(10, ["c", "b"], judged) == 0.0
    assert reciprocal_rank_at(10, ["c", "b", "a"], judged) == pytest.approx(1 / 3)


def test_recall_is_of_the_relevant_documents_within_the_depth() -> None:
    assert recall_at(2, ["a", "x", "b"], {"a": 1, "b": 2, "x": 0}) == 0.5


def test_a_rank_beyond_the_depth_counts_for_nothing() -> None:
    assert reciprocal_rank_at(2, ["x", "y", "a"], {"a": 1}) == 0.0


def test_a_question_without_a_relevant_document_scores_nothing() -> None:
    assert ndcg_at(10, ["a"], {}) == recall_at(10, ["a"], {}) == reciprocal_rank_at(10, ["a"], {}) == 0.0


@few
@given(RANKINGS, JUDGEMENTS, st.integers(1, 12))
def test_every_metric_stays_between_nothing_and_everything(
    ranking: list[str], judged: dict[str, int], depth: int
) -> None:
    for metric in (ndcg_at, recall_at, reciprocal_rank_at):
        assert 0.0 <= metric(depth, ranking, judged) <= 1.0 + 1e-12


@few
@given(st.permutations(DOCUMENTS), JUDGEMENTS, st.integers(1, len(DOCUMENTS) - 1))
def test_a_better_document_that_moves_up_never_costs_anything(
    ranking: list[str], judged: dict[str, int], at: int
) -> None:
    better, worse = sorted(ranking[at - 1 : at + 1], key=lambda name: -judged.get(name, 0))
    before = [*ranking[: at - 1], worse, better, *ranking[at + 1 :]]
    after = [*ranking[: at - 1], better, worse, *ranking[at + 1 :]]

    for metric in (ndcg_at, recall_at, reciprocal_rank_at):
        assert metric(10, after, judged) >= metric(10, before, judged) - 1e-12


@few
@given(JUDGEMENTS)
def test_the_ideal_ranking_scores_everything(judged: dict[str, int]) -> None:
    judged = judged | {"found": 5}
    best = sorted(judged, key=lambda name: -judged[name])

    assert ndcg_at(10, best, judged) == pytest.approx(1.0)
    assert reciprocal_rank_at(10, best, judged) == 1.0


def test_an_interval_of_equal_values_is_their_value() -> None:
    assert bootstrap_mean([0.5] * 30) == Estimate(0.5, 0.5, 0.5)
    assert bootstrap_mean([]) == Estimate(0.0, 0.0, 0.0)


@few
@given(VALUES)
def test_an_interval_holds_its_mean_and_is_the_same_every_time(values: list[float]) -> None:
    found = bootstrap_mean(values)

    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == bootstrap_mean(values)


def test_an_interval_is_as_wide_as_the_spread_of_the_mean() -> None:
    found = bootstrap_mean([0.0, 1.0] * 200)

    # Of 400 throws of a fair coin the mean's standard error is .025, so 95 % lie within .049 on each side.
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.451, abs=0.01)
    assert found.high == pytest.approx(0.549, abs=0.01)


def test_no_difference_is_chance_and_a_constant_one_is_not() -> None:
    assert permutation_p_value([]) == permutation_p_value([0.0] * 50) == 1.0
    assert permutation_p_value([0.1, -0.1] * 30) == 1.0
    assert permutation_p_value([0.1] * 30) < 0.001


def test_the_chance_of_a_few_equal_differences_is_that_of_as_many_coins() -> None:
    # Five coins of one face, either face: 2 of 32.
    assert permutation_p_value([0.2] * 5) == pytest.approx(2 / 32, abs=0.01)


@few
@given(st.lists(st.floats(-1, 1), max_size=20))
def test_the_chance_is_the_same_whichever_side_is_called_better(differences: list[float]) -> None:
    found = permutation_p_value(differences)

    assert 0 < found <= 1
    assert found == pytest.approx(permutation_p_value([-difference for difference in differences]))
