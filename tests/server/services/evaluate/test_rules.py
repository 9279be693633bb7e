"""What a measurement is made of: rankings, the fitted weight, comparisons, and how documents are named."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.fusion import PhraseScores
from groundwire.services.evaluate.comparison import MAX_SHOWN, compare
from groundwire.services.evaluate.measurement import QuestionResult
from groundwire.services.evaluate.rankings import RRF_K, RankingCandidates, ranked_documents
from groundwire.services.evaluate.test_set import Question, doc_id_of
from groundwire.services.evaluate.weight_fit import fit_weight
from groundwire.services.search import Passage, Trace
from tests.support.documents.passages import document, passage, segment
from tests.support.plugins.draws import examples


def candidates(
    scores: Mapping[str, tuple[float, float]], documents: Mapping[int | str, str] | None = None
) -> RankingCandidates:
    """Return rows by name, with lexical and semantic scores; by default each is a document of its own."""
    keys = list(scores)
    found = PhraseScores(keys, ["c"] * len(keys), [b for b, _ in scores.values()], [v for _, v in scores.values()])
    return RankingCandidates(found, {key: key for key in keys} if documents is None else documents, ["c"])


THREE = {"words": (9.0, 0.1), "both": (8.0, 0.8), "meaning": (0.0, 0.9)}


def test_words_rank_only_what_holds_one() -> None:
    assert candidates(THREE).rank_lexically() == ["words", "both"]
    assert candidates(THREE).rank_semantically() == ["meaning", "both", "words"]


def test_reciprocal_rank_fusion_adds_one_over_sixty_and_the_rank() -> None:
    # words: 1/61 + 1/63, both: 1/62 + 1/62, meaning: 1/61.
    assert RRF_K == 60
    assert candidates(THREE).rank_by_rrf(100) == ["words", "both", "meaning"]


def test_reciprocal_rank_fusion_reads_its_lists_to_the_given_depth() -> None:
    assert candidates(THREE).rank_by_rrf(1) == ["words", "meaning"]


def test_a_document_has_the_rank_of_its_best_passage() -> None:
    rows: dict[int | str, str] = {"words": "book", "both": "leaflet", "meaning": "book"}
    assert candidates(THREE, rows).rank_semantically() == ["book", "leaflet"]


def test_rows_that_were_not_admitted_are_nowhere() -> None:
    found = candidates(THREE, {"words": "book"})
    assert (
        found.rank_lexically()
        == found.rank_semantically()
        == found.rank_by_rrf(9)
        == found.rank_by_weight(0.4)
        == ["book"]
    )


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(st.floats(0, 9), st.floats(-1, 1)), max_size=20)
)
@settings(deadline=None, max_examples=examples(60))
def test_every_method_ranks_each_document_once(scores: dict[str, tuple[float, float]]) -> None:
    found = candidates(scores)
    for ranking in (found.rank_by_weight(0.3), found.rank_semantically(), found.rank_lexically(), found.rank_by_rrf(5)):
        assert len(ranking) == len(set(ranking))
        assert set(ranking) <= set(scores)
    assert set(found.rank_by_weight(0.3)) == set(found.rank_semantically()) == set(scores)


def test_near_duplicate_documents_follow_the_document_of_the_passage() -> None:
    first, copy, last = (named(passage(segment(name, at)), name) for at, name in enumerate(["first", "copy", "last"]))
    found = Trace(["x"], None, ordered=[Passage(first.segment, first.document, 1.0, also_in=(copy,)), last])
    assert ranked_documents(found) == ["first", "copy", "last"]


def named(found: Passage, doc_id: str) -> Passage:
    return replace(found, document=replace(document(), doc_id=doc_id))


def requested(number: int, served: RankingCandidates) -> QuestionResult:
    return QuestionResult(Question(f"q{number}", f"question {number}"), {}, [], served)


def lexical_alone(count: int) -> tuple[list[QuestionResult], dict[str, dict[str, int]]]:
    """Questions that only words answer right."""
    found = [requested(number, candidates({"wrong": (0.0, 0.9), "right": (9.0, 0.0)})) for number in range(count)]
    return found, {each.question.id: {"right": 1} for each in found}


def test_the_fit_finds_the_weight_that_the_questions_want_and_its_gain_on_held_out_ones() -> None:
    found, judged = lexical_alone(40)
    proposal = fit_weight(found, judged, 0.1)
    assert proposal.proposed > 0.5
    assert all(weight > 0.5 for weight in proposal.chosen)
    assert proposal.ndcg_now == pytest.approx(1 / 1.584963, abs=1e-5)
    assert proposal.ndcg_fitted == 1.0
    assert proposal.gain.low == proposal.gain.mean == pytest.approx(1 - proposal.ndcg_now)
    assert proposal.p < 0.001


def test_a_weight_that_is_as_good_as_any_stays() -> None:
    found, judged = lexical_alone(40)
    proposal = fit_weight(found, judged, 0.73)
    assert (proposal.proposed, set(proposal.chosen), proposal.gain.mean, proposal.p) == (0.73, {0.73}, 0.0, 1.0)


def test_the_fit_of_chance_promises_no_gain() -> None:
    """Half of the questions want words, half meaning: what one fold chooses the other regrets."""
    found = [
        requested(
            at,
            candidates(
                {"wrong": (0.0, 0.9), "right": (9.0, 0.0)} if at % 2 else {"wrong": (9.0, 0.0), "right": (0.0, 0.9)}
            ),
        )
        for at in range(40)
    ]
    proposal = fit_weight(found, {each.question.id: {"right": 1} for each in found}, 0.4)
    assert proposal.gain.low <= 0


def test_the_order_of_the_questions_changes_no_fit() -> None:
    found, judged = lexical_alone(30)
    assert fit_weight(found, judged, 0.1) == fit_weight(found[::-1], judged, 0.1)


def test_too_few_questions_fit_nothing() -> None:
    found, judged = lexical_alone(19)
    with pytest.raises(InvalidInput, match="judge at least 20 questions"):
        fit_weight(found, judged, 0.4)


def test_a_comparison_covers_the_questions_of_both_runs() -> None:
    before = {"a": 0.5, "b": 1.0, "c": 0.2, "gone": 1.0}
    after = {"a": ("A?", 1.0), "b": ("B?", 0.25), "c": ("C?", 0.2), "new": ("N?", 0.0)}
    found = compare(before, after)
    assert (found.questions, found.better, found.worse, found.equal) == (3, 1, 1, 1)
    assert found.change.mean == pytest.approx((0.5 - 0.75) / 3)
    assert [(each.text, each.change) for each in (*found.improved, *found.regressed)] == [("A?", 0.5), ("B?", -0.75)]


def test_a_comparison_shows_the_largest_differences_first() -> None:
    after = {str(number): (f"{number}?", number / 10) for number in range(10)}
    found = compare(dict.fromkeys(after, 0.45), after)
    assert [each.id for each in found.improved] == ["9", "8", "7", "6", "5"]
    assert [each.id for each in found.regressed] == ["0", "1", "2", "3", "4"]
    assert MAX_SHOWN == 5


def test_runs_without_a_common_question_are_not_compared() -> None:
    with pytest.raises(InvalidInput, match="no question in common"):
        compare({"a": 1.0}, {"b": ("B?", 1.0)})


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=examples(100))
def test_every_name_of_a_test_set_can_be_kept(name: str) -> None:
    assert is_doc_id(doc_id_of(name))
    assert doc_id_of(name) == name or not is_doc_id(name)
