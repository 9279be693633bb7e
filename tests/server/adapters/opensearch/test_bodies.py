"""Every search that chooses candidates contains the access rule, the collections and the filter."""

from dataclasses import replace
from typing import Any

import pytest

from groundwire.adapters.opensearch.query import request_bodies
from groundwire.adapters.opensearch.query.statistics import language_search, term_searches
from groundwire.adapters.opensearch.schema.access_filter import readable_by
from groundwire.adapters.opensearch.schema.metadata_filter import filter_clause
from groundwire.adapters.opensearch.schema.terms import weighted_term
from groundwire.adapters.opensearch.schema.vectors import VECTOR, FieldVector
from groundwire.domain.access.policy import Principal
from groundwire.domain.filters.expression import Compare, Operator
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode
from groundwire.ports import IndexQuery

ANN = Principal("acme", "ann", frozenset({"hr"}))
YEAR = Compare("year", Operator.EQ, 2024.0)
QUERY = IndexQuery(ANN, ALL_COLLECTIONS, ["b", "a", "b"], frozenset({"d", "c"}), YEAR, [], SearchMode.HYBRID, 50)
SCOPE = request_bodies.scope_filters(QUERY)
ONE = FieldVector(VECTOR, [1.0])


def test_the_scope_is_the_rule_the_collections_the_documents_and_the_filter() -> None:
    rule, collections, documents = readable_by(ANN), {"terms": {"collection": ["a", "b"]}}, {"doc_id": ["c", "d"]}
    assert [rule, collections, {"terms": documents}, filter_clause(YEAR)] == SCOPE
    unnarrowed = replace(QUERY, documents=ALL_DOCUMENTS, where=None)
    assert request_bodies.scope_filters(unnarrowed) == [rule, collections]
    assert request_bodies.scope_filters(replace(unnarrowed, documents=frozenset()))[2:] == [{"terms": {"doc_id": []}}]


@pytest.mark.parametrize(
    "body", [request_bodies.semantic_search(ONE, SCOPE, 50), request_bodies.window_search(ONE, SCOPE, 50, None)]
)
def test_near_ones_are_chosen_among_those_that_may_be_found(body: dict[str, Any]) -> None:
    ((kind, near),) = body["query"].items()
    assert kind == "knn"
    inside = near["vector"]["filter"]["bool"]["filter"]
    assert inside[1:] == SCOPE
    assert "post_filter" not in body


def test_matching_ones_are_chosen_among_those_that_may_be_found() -> None:
    assert request_bodies.lexical_search([(1, 2.0)], SCOPE, 50)["query"]["bool"]["filter"][1:] == SCOPE
    assert request_bodies.earlier_rows_search("x", SCOPE, 50)["query"]["bool"]["filter"][2:] == SCOPE


def test_words_are_counted_among_all_that_the_rights_admit_whatever_the_search_narrows() -> None:
    rule = readable_by(ANN)
    assert request_bodies.rights_filters(QUERY) == [rule]
    rights = request_bodies.rights_filters(replace(QUERY, granted=frozenset({"b", "z"})))
    assert rights == [rule, {"terms": {"collection": ["b", "z"]}}]
    for body in (language_search(rights, ["b"]), *term_searches(rights, range(600))):
        assert (body["size"], body["query"]["bool"]["filter"][1:]) == (0, rights)


@pytest.mark.parametrize("terms", [1, 300, 900, 901, 5_000])
def test_a_phrase_of_however_many_terms_fits_into_one_search_by_its_rarest(terms: int) -> None:
    body = request_bodies.lexical_search([(term, 1.0 + term) for term in range(terms)], SCOPE, 50)
    clauses = body["query"]["bool"]["must"][0]["bool"]["should"]
    assert clauses == [weighted_term(term, 1.0 + term) for term in reversed(range(terms))][:900]


def test_each_passage_counts_by_its_best_window_and_five_times_as_many_windows_are_compared() -> None:
    body = request_bodies.window_search(ONE, SCOPE, 50, None)
    assert (body["size"], body["query"]["knn"]["vector"]["k"], body["collapse"]) == (50, 250, {"field": "row"})


def test_few_are_looked_for_among_more() -> None:
    assert request_bodies.semantic_search(ONE, SCOPE, 3)["query"]["knn"]["vector"]["k"] == 100


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("one two three", 3, "one two three"),
        ("one two three", 2, "one two "),
        ("one one one two", 1, "one one one "),
        ("東京都の休暇", 2, "東京"),
        ("", 1, ""),
        ("\ud800 x", 5, "? x"),
    ],
)
def test_a_phrase_is_searched_as_far_as_its_first_words(text: str, most: int, kept: str) -> None:
    assert request_bodies.truncate_words(text, most) == kept
