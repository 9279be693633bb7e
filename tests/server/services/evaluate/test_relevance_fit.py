"""The fit of relevance: what it learns from judged questions, and what the command proposes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.logistic import Observation, chance, fit_logistic
from groundwire.domain.search.relevance import (
    MINILM_FITS,
    WORDS_FIT,
    RelevanceFit,
    Signals,
    fits_for,
    signals_at,
)
from groundwire.domain.search.request import SearchMode
from groundwire.services.evaluate.relevance_fit import (
    TOLERATED_LOSS,
    JudgedPassage,
    JudgedQuestion,
    QuestionKind,
    best_relevance,
    fit_relevance,
)
from groundwire.settings.relevance_fits import read_relevance_fits, relevance_fits_text
from tests.support.documents import beir
from tests.support.entry.command import Command

SUBJECTS = (
    *("pump", "valve", "turbine", "gearbox", "boiler", "compressor", "filter", "motor", "sensor", "conveyor"),
    *("crane", "furnace", "generator", "mixer", "press", "reactor", "separator", "tank", "winch", "dryer"),
)
FOREIGN = (
    *("Who painted the Mona Lisa?", "What is the capital of Peru?", "How do I bake sourdough bread?"),
    *("Which team won the cup in 1998?", "When was the moon landing?", "How many strings has a violin?"),
    *("Who wrote Hamlet?", "What are symptoms of measles?", "How far is Mars?", "Which river crosses Vienna?"),
    *("How tall is Everest?", "What does a panda eat?", "Who composed the Four Seasons?", "What is a haiku?"),
    *("Where do penguins live?", "Which planet has rings?", "What is the rule of offside?", "Who was Cleopatra?"),
    *("How is cheese made?", "What language is spoken in Brazil?"),
)


def question(kind: QuestionKind, name: str, similarity: float, *, rerank: float | None = None) -> JudgedQuestion:
    answers = kind is QuestionKind.ANSWERED
    return JudgedQuestion(
        kind, name, [JudgedPassage(Signals(similarity, similarity, similarity, 500, rerank), answers)]
    )


def questions(*, rerank: bool = False) -> list[JudgedQuestion]:
    random = np.random.default_rng(3)
    classes = ((QuestionKind.ANSWERED, 0.6), (QuestionKind.FOREIGN, 0.2), (QuestionKind.GIBBERISH, 0.1))
    return [
        question(kind, f"{kind}{at}", float(value), rerank=float(value) * 10 if rerank else None)
        for kind, middle in classes
        for at, value in enumerate(random.normal(middle, 0.05, 60))
    ]


def test_the_floor_refuses_what_nothing_answers_and_costs_what_is_tolerated() -> None:
    judged = questions()
    fitted = fit_relevance({"one": judged}, SearchMode.HYBRID)
    empty = {
        kind: [best_relevance(fitted, one) < fitted.floor for one in judged if one.kind is kind]
        for kind in (QuestionKind.ANSWERED, QuestionKind.FOREIGN, QuestionKind.GIBBERISH)
    }
    assert all(empty[QuestionKind.FOREIGN])
    assert all(empty[QuestionKind.GIBBERISH])
    assert np.mean(empty[QuestionKind.ANSWERED]) <= TOLERATED_LOSS


def test_a_rerankers_score_is_a_signal_where_every_passage_has_one() -> None:
    assert fit_relevance({"one": questions(rerank=True)}, SearchMode.HYBRID).rerank > 0
    assert fit_relevance({"one": questions()}, SearchMode.HYBRID).rerank == 0


def test_more_passages_make_the_same_signals_less_relevant() -> None:
    fit = MINILM_FITS.hybrid
    chances = [fit.chance(Signals(0.4, 0.4, 0.4, readable)) for readable in (1, 250, 2_000, 10_000, 1_000_000)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == chances[1] > chances[2] > chances[3] == chances[4]


@given(st.floats(-30, 30), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_no_signal_lowers_a_chance(rerank: float, window: float, passage: float, words: float) -> None:
    fit = RelevanceFit(-2.0, 3.0, 5.0, 3.0, 0.5, 0.2, 0.0)
    least = Signals(window, passage, words, 1_000, rerank)
    more = Signals(min(1.0, window + 0.1), min(1.0, passage + 0.1), min(1.0, words + 0.1), 1_000, rerank + 1)
    assert 0.0 < fit.chance(least) <= fit.chance(more) < 1.0


@given(
    st.lists(st.tuples(st.floats(0, 20), st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=5),
    st.sampled_from([0, 1]),
    st.floats(0, 30),
    st.integers(0, 12),
    st.integers(1, 100_000),
    st.none() | st.floats(-10, 10),
)
def test_the_odds_of_many_candidates_are_those_of_the_signals_of_each(
    rows: list[tuple[float, float, float]],
    share_with_cosines: int,
    limit: float,
    terms: int,
    readable: int,
    rerank: float | None,
) -> None:
    bm25, vector, passage = (list(each) for each in zip(*rows, strict=True))
    keys, collections = list(range(len(rows))), ["default"] * len(rows)
    scores = PhraseScores(
        keys,
        collections,
        bm25,
        vector,
        # An index gives the cosine of each passage, or of none.
        passage[: share_with_cosines * len(rows)],
        bm25_limit=limit,
        term_count=terms,
        readable=readable,
    )
    for fit in (MINILM_FITS.hybrid, WORDS_FIT, RelevanceFit(-2.0, 3.0, 5.0, 3.0, 0.5, 0.2, 0.0, 6.0)):
        odds = fit.log_odds_of(scores)
        assert [odds(at, rerank) for at in keys] == [fit.log_odds(signals_at(scores, at, rerank)) for at in keys]


def test_a_logistic_fit_finds_the_coefficients_that_made_the_labels() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(0, 1, (4_000, 2))
    labels = random.random(4_000) < [chance(0.5 + 2.0 * a + 1.0) for a, _ in rows]
    found = fit_logistic(
        [Observation((a, -a), 1.0, bool(label), 1.0) for (a, _), label in zip(rows, labels, strict=True)]
    )
    assert found.intercept == pytest.approx(0.5, abs=0.2)
    # The second feature could only lower the chance.
    assert found.coefficients == (pytest.approx(2.0, abs=0.25), 0.0)


def test_separable_labels_have_a_finite_fit() -> None:
    found = fit_logistic([Observation((float(at),), 0.0, at > 4, 1.0) for at in range(10)])
    assert 0 < found.coefficients[0] < 100


def test_own_fits_come_before_the_built_in_one_and_those_with_the_reranker_first() -> None:
    [own, reranked] = read_relevance_fits(setting({}, {"reranker": "judge"}))
    model = MINILM_FITS.model
    assert fits_for(model, None, []) is MINILM_FITS
    assert fits_for(model, None, [reranked, own]) is own
    assert fits_for(model, "judge", [own, reranked]) is reranked
    assert fits_for(model, "another", [own, reranked]) is own
    assert fits_for("unknown", None, [own]) is None


def setting(*changes: dict[str, Any]) -> str:
    rows = json.loads(relevance_fits_text([MINILM_FITS] * len(changes)))
    return json.dumps([row | change for row, change in zip(rows, changes, strict=True)])


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("{", "not JSON"),
        ("{}", "an array"),
        ("[1]", "an object with"),
        (setting({"model": 1}), "`model` is a name"),
        (setting({"more": 1}), "an object with"),
        (setting({"hybrid": {}}), "an object with"),
        (setting({"hybrid": json.loads(setting({}))[0]["hybrid"] | {"words": -1}}), "below 0"),
        (setting({"hybrid": json.loads(setting({}))[0]["hybrid"] | {"floor": 2}}), "from 0 (none) to 1"),
        (setting({"hybrid": json.loads(setting({}))[0]["hybrid"] | {"words": "1"}}), "is not a number"),
    ],
)
def test_a_setting_that_no_fit_wrote_is_refused(text: str, reported: str) -> None:
    with pytest.raises(InvalidInput, match=reported.replace("(", r"\(").replace(")", r"\)")):
        read_relevance_fits(text)


def test_an_empty_setting_has_no_fits() -> None:
    assert read_relevance_fits(" ") == ()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    documents = [(name, "", f"The {name} is serviced every {at + 3} weeks.") for at, name in enumerate(SUBJECTS)]
    requested = [(str(at), f"How often is the {name} serviced?") for at, name in enumerate(SUBJECTS)]
    foreign = [(f"f{at}", text) for at, text in enumerate(FOREIGN)]
    judged = [(str(at), name, 1) for at, name in enumerate(SUBJECTS)]
    none = [(name, "-", 0) for name, _ in foreign]
    return beir.write(tmp_path_factory.mktemp("sets") / "machines", documents, [*requested, *foreign], [*judged, *none])


def test_the_command_proposes_a_fit_that_the_setting_takes(groundwire: Command, folder: Path) -> None:
    report = json.loads(groundwire("eval", str(folder), "--fit-relevance", "--json").done().out)["relevance"]
    shares = {row["questions"]: row for row in report["classes"]}
    assert shares["answered"]["number"] == len(SUBJECTS)
    assert shares["gibberish"]["empty_fitted"] == 1.0
    assert shares["other subject"]["empty_fitted"] >= 0.9
    assert sum(row["passages"] for row in report["reliability"]) >= len(SUBJECTS) + len(FOREIGN)
    [fits] = read_relevance_fits(report["setting"])
    assert (fits.model, fits.reranker, fits.hybrid.floor) == (MINILM_FITS.model, None, report["floor"])


def test_a_person_is_shown_the_setting_and_that_nothing_changed(groundwire: Command, folder: Path) -> None:
    shown = groundwire("eval", str(folder), "--fit-relevance").done().out
    assert "Nothing was changed. To use the fit, set:" in shown
    assert "GROUNDWIRE_RELEVANCE_FITS='[{" in shown


def test_too_few_questions_without_an_answer_fit_no_relevance(groundwire: Command, tmp_path: Path) -> None:
    documents = [(name, "", f"The {name} is serviced.") for name in SUBJECTS]
    requested = [(str(at), f"Is the {name} serviced?") for at, name in enumerate(SUBJECTS)]
    folder = beir.write(
        tmp_path / "few", documents, requested, [(str(at), name, 1) for at, name in enumerate(SUBJECTS)]
    )
    refused = groundwire("eval", str(folder), "--fit-relevance").err
    refused = " ".join(refused.split())
    assert "judge at least 20 questions without an answer. There are 0" in refused
    assert "question-id<tab>-<tab>0" in refused
