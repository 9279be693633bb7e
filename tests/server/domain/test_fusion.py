"""Fusion: both signals count, the user's own words most, and each collection by its own weight."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.domain.search.fusion import (
    DEFAULT_BM25_WEIGHT,
    UNKNOWN_LANGUAGE_BM25_WEIGHT,
    PhraseScores,
    best_similarities,
    fuse,
    lexical_matches,
    score_contributions,
)
from groundwire.domain.search.model_languages import ENGLISH
from tests.support.plugins.draws import examples

EVERY = 1_000
"""More than there are candidates in any of these tests."""

SCORES = st.lists(st.tuples(st.floats(0, 30), st.floats(-1, 1)), min_size=1, max_size=30)


def phrase(scores: dict[str, tuple[float, float]], collection: str = "c") -> PhraseScores:
    return PhraseScores(
        keys=list(scores),
        collections=[collection] * len(scores),
        bm25=[bm25 for bm25, _ in scores.values()],
        vector=[vector for _, vector in scores.values()],
    )


def keys_of(*phrases: PhraseScores, weight: float = DEFAULT_BM25_WEIGHT) -> list[int | str]:
    return [ranked.key for ranked in fuse(phrases, {"c": weight}, EVERY)]


def test_a_passage_that_both_signals_find_beats_those_that_one_signal_finds() -> None:
    assert keys_of(phrase({"words": (9, 0), "meaning": (0, 0.9), "both": (8, 0.8)}))[0] == "both"


def test_the_users_own_words_outweigh_one_guess_that_disagrees() -> None:
    own = phrase({"asked": (5, 0.9), "guessed": (0, 0.1)})
    guess = phrase({"asked": (0, 0.1), "guessed": (5, 0.9)})

    assert keys_of(own, guess) == ["asked", "guessed"]
    assert keys_of(guess, own) == ["guessed", "asked"]


def test_the_weight_of_a_collection_decides_between_words_and_meaning() -> None:
    scores = phrase({"words": (9, 0.0), "meaning": (0, 0.9)})

    assert keys_of(scores, weight=0.9) == ["words", "meaning"]
    assert keys_of(scores, weight=0.1) == ["meaning", "words"]


def test_each_candidate_is_weighed_by_its_own_collection() -> None:
    scores = PhraseScores(["x", "y", "z"], ["exact", "exact", "loose"], [9.0, 0.0, 9.0], [0.0, 0.5, 0.0])

    ranked = {r.key: r.score for r in fuse([scores], {"exact": 1.0, "loose": 0.0}, EVERY)}

    assert ranked["x"] == 1.0
    assert ranked["z"] == 0.0


def declared(*languages: str) -> PhraseScores:
    """One candidate that only words find in each language, between two of English that set the range."""
    count = len(languages)
    return PhraseScores(
        keys=["words", *languages, "meaning"],
        collections=["c"] * (count + 2),
        bm25=[9.0] * (count + 1) + [0.0],
        vector=[0.0] * (count + 1) + [0.9],
        languages=["en", *languages, "en"],
    )


def test_words_decide_in_a_language_that_the_model_does_not_know() -> None:
    ranked = {
        each.key: each.score for each in fuse([declared("ru", "zh", "mul", "en-GB", "und")], {"c": 0.4}, 9, ENGLISH)
    }

    assert ranked["ru"] == ranked["zh"] == ranked["mul"] == UNKNOWN_LANGUAGE_BM25_WEIGHT
    assert ranked["words"] == ranked["en-GB"] == ranked["und"] == 0.4


def test_a_collection_may_ask_for_more_weight_on_words_than_an_unknown_language_needs() -> None:
    ranked = {each.key: each.score for each in fuse([declared("ru")], {"c": 0.95}, 9, ENGLISH)}

    assert ranked["ru"] == ranked["words"] == 0.95


def test_the_explained_shares_regard_the_language_as_fusion_does() -> None:
    phrases, weights = [declared("ru", "en"), declared("ru", "en")], {"c": 0.4}

    explained = [shares["ru"] for shares in score_contributions(phrases, weights, ENGLISH)]

    assert sum(explained) == next(each.score for each in fuse(phrases, weights, 9, ENGLISH) if each.key == "ru")


def test_a_signal_that_distinguishes_nothing_ranks_nothing() -> None:
    assert keys_of(phrase({"first": (4, 0.2), "second": (4, 0.3)})) == ["second", "first"]


def test_equal_candidates_keep_the_order_of_the_index() -> None:
    assert keys_of(phrase({"b": (1, 0.1), "a": (1, 0.1), "c": (1, 0.1)})) == ["b", "a", "c"]


def test_a_lone_candidate_is_as_good_as_the_signals_that_found_it() -> None:
    [by_both] = fuse([phrase({"a": (3, 0.5)})], {"c": 0.4}, 1)
    [by_vectors] = fuse([phrase({"a": (0, 0.5)})], {"c": 0.4}, 1)

    assert by_both.score == 1.0
    assert by_vectors.score == 0.6


def test_no_candidate_gives_no_rank() -> None:
    assert fuse([phrase({}), phrase({})], {}, EVERY) == []


@settings(deadline=None, max_examples=examples(100))
@given(SCORES, st.floats(0, 1))
@example([(0.0, 0.0), (0.0, 5e-324)], 0.0)
def test_scores_stay_between_nothing_and_everything(scores: list[tuple[float, float]], weight: float) -> None:
    candidates = phrase({str(number): pair for number, pair in enumerate(scores)})

    ranked = fuse([candidates, candidates], {"c": weight}, EVERY)

    assert {r.key for r in ranked} == set(candidates.keys)
    assert all(-1e-9 <= r.score <= 1 + 1e-9 for r in ranked)
    assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)


@settings(deadline=None, max_examples=examples(100))
@given(SCORES, st.floats(0.1, 10), st.floats(-5, 5))
def test_the_scale_of_a_signal_does_not_matter(scores: list[tuple[float, float]], by: float, shift: float) -> None:
    plain = {str(n): (bm25, vector) for n, (bm25, vector) in enumerate(scores)}
    scaled = {key: (bm25 * by + shift, vector) for key, (bm25, vector) in plain.items()}
    before = {r.key: r.score for r in fuse([phrase(plain)], {"c": 1.0}, EVERY)}
    after = {r.key: r.score for r in fuse([phrase(scaled)], {"c": 1.0}, EVERY)}

    spread = max(b for b, _ in scores) - min(b for b, _ in scores)
    if spread > 1e-6:
        assert all(abs(before[key] - after[key]) < 1e-6 for key in plain)


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.floats(-1.1, 1.1)), unique_by=lambda row: row[0]), max_size=3))
def test_the_similarity_of_a_candidate_is_the_best_over_the_phrases(rows: list[list[tuple[int, float]]]) -> None:
    phrases = [
        PhraseScores(
            [key for key, _ in row], ["c"] * len(row), [0.0] * len(row), [0.0] * len(row), [near for _, near in row]
        )
        for row in rows
    ]
    found = {key for row in rows for key, _ in row}
    best = best_similarities(phrases, found - {3})
    assert set(best) == found - {3}
    for key, value in best.items():
        assert value == max(min(1.0, max(-1.0, near)) for row in rows for each, near in row if each == key)


def test_lexical_matches_keep_every_value_of_those_with_a_word() -> None:
    every = PhraseScores(
        keys=[1, 2, 3],
        collections=["a", "b", "c"],
        bm25=[0.0, 2.0, 1.0],
        vector=[0.1, 0.2, 0.3],
        passage=[0.4, 0.5, 0.6],
        window=[7, 8, 9],
        bm25_limit=5.0,
        term_count=2,
        readable=10,
        languages=["x", "y", "z"],
    )
    assert lexical_matches(every) == PhraseScores(
        [2, 3], ["b", "c"], [2.0, 1.0], [0.2, 0.3], [0.5, 0.6], [8, 9], 5.0, 2, 10, ["y", "z"]
    )
    assert lexical_matches(PhraseScores([1], ["a"], [1.0], [0.0])) == PhraseScores([1], ["a"], [1.0], [0.0])
