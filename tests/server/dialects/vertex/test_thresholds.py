"""Thresholds on the cosine distance, the floor beside them, alpha and the ranker."""

from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.request import SearchRequest
from tests.server.dialects.vertex.company import HANDBOOK, Company, request, texts
from tests.support.worlds.exchange import exchange

PUMP = "The wheel pump needs oil."


def near(company: Company, name: str, value: object, **config: Any) -> list[dict[str, Any]]:
    return company.retrieve(request(PUMP, filter={name: value}, **config))


def distances(contexts: list[dict[str, Any]]) -> list[float]:
    return [each["score"] for each in contexts]


def test_each_passage_has_a_distance_those_found_by_keywords_alone_too(company: Company) -> None:
    found: list[dict[str, float]] = []
    for alpha in (None, 0, 1):
        contexts = company.retrieve(request("wheel", hybridSearch={"alpha": alpha}))
        assert contexts
        assert all(isinstance(each, float) and 0 <= each <= 2 for each in distances(contexts))
        found.append({each["text"]: each["score"] for each in contexts})
    both, lexical, semantic = found
    assert lexical.items() <= both.items()
    assert semantic == both


def test_a_distance_threshold_is_strict_and_comes_before_the_cut(company: Company) -> None:
    every = company.retrieve(request(PUMP))
    for threshold in distances(every):
        found = near(company, "vectorDistanceThreshold", threshold)
        assert found == [each for each in every if each["score"] < threshold]
        [best] = near(company, "vectorDistanceThreshold", max(distances(every)), topK=1)
        assert best == next(each for each in every if each["score"] < max(distances(every)))


def test_a_similarity_threshold_is_one_minus_the_distance_and_strict(company: Company) -> None:
    every = company.retrieve(request(PUMP))
    for threshold in distances(every):
        found = near(company, "vectorSimilarityThreshold", 1.0 - threshold)
        assert found == [each for each in every if each["score"] < 1.0 - (1.0 - threshold)]
        assert all(1.0 - each["score"] > 1.0 - threshold for each in found)


@pytest.mark.parametrize(
    ("name", "value", "passes"),
    [
        ("vectorDistanceThreshold", 0, False),
        ("vectorDistanceThreshold", 0.0, False),
        ("vectorDistanceThreshold", "0.0", False),
        ("vectorDistanceThreshold", "NaN", False),
        ("vectorDistanceThreshold", "-Infinity", False),
        ("vectorDistanceThreshold", "Infinity", True),
        ("vectorDistanceThreshold", "2.1", True),
        ("vectorSimilarityThreshold", 1, False),
        ("vectorSimilarityThreshold", "NaN", False),
        ("vectorSimilarityThreshold", "Infinity", False),
        ("vectorSimilarityThreshold", "-Infinity", True),
        ("vectorSimilarityThreshold", -1.1, True),
    ],
)
def test_the_ends_of_a_threshold_let_everything_or_nothing_through(
    company: Company, name: str, value: object, *, passes: bool
) -> None:
    assert near(company, name, value) == (company.retrieve(request(PUMP)) if passes else [])


def test_a_threshold_switches_the_floor_off_and_not_that_of_a_key(company: Company) -> None:
    services = company.world.services
    handbook = next(each for each in services.stores.collections.all(company.tenant) if each.name == "handbook")
    services.stores.collections.put(company.tenant, replace(handbook, floor=1.0))
    company.world.reopen()
    relevance = [each.relevance for each in _search(company).passages]
    contexts = company.retrieve(request(PUMP))
    # Passages of a model without a fit have no relevance, and no floor concerns them.
    assert bool(contexts) == any(each is None for each in relevance)
    assert near(company, "vectorDistanceThreshold", "Infinity")


def _search(company: Company) -> Any:
    from groundwire.domain.access.policy import Principal
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import KeyKind

    principal = Principal(company.tenant, "ana", frozenset())
    caller = Caller(principal, "k", KeyKind.ACT_AS, frozenset(), "every", options=replace(USUAL_OPTIONS, top_n=10))
    wanted = SearchRequest.for_caller(
        caller, [PUMP], collections=frozenset({"handbook"}), documents="every", where=None, top_n=10
    )
    return company.world.services.reading.search(caller, replace(wanted, min_relevance=0.0))


def test_alpha_one_ranks_by_vectors_and_alpha_zero_by_keywords(company: Company) -> None:
    meaning = company.retrieve(request("wheel oil", hybridSearch={"alpha": 1}))
    words = company.retrieve(request("wheel oil", hybridSearch={"alpha": 0}))
    assert "Bread is baked in the morning." in texts(meaning)
    assert "Bread is baked in the morning." not in texts(words)
    assert texts(words)[0] == PUMP
    between = [company.retrieve(request("wheel oil", hybridSearch={"alpha": alpha})) for alpha in (0.1, 0.5, 0.9)]
    assert between == [company.retrieve(request("wheel oil"))] * 3


class Ranker:
    """Implements `ports.Reranker`: longer passages come first."""

    name = "longer"
    is_down = False

    def score(self, _question: str, passages: list[str]) -> list[float]:
        """As many scores as passages."""
        if self.is_down:
            raise Unavailable("/var/model")
        return [float(len(each)) for each in passages]


def test_both_rankers_are_the_configured_one(company: Company) -> None:
    ranker = Ranker()
    exchange(company.world.services, reranker=ranker)
    plain = company.retrieve(request())
    assert plain[0]["text"] == "The wheel pump stands in the cellar."
    for ranking in ({"rankService": {"modelName": "semantic-ranker-512@latest"}}, {"llmRanker": {}}):
        assert company.retrieve(request(ranking=ranking)) == plain
    ranker.is_down = True
    assert company.retrieve(request(ranking={"rankService": {}})) == company.retrieve(request())


def test_a_shorter_answer_is_the_beginning_of_a_longer_one(company: Company) -> None:
    longest = company.retrieve(request(topK=100))
    assert len(longest) == 4
    for count in range(1, 5):
        assert company.retrieve(request(topK=count)) == longest[:count]
    assert company.retrieve(request(corpus=HANDBOOK)) == longest
