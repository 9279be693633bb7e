"""A filter over metadata finds in the engine's terms what `matches` finds in the metadata itself."""

from collections.abc import Mapping
from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.opensearch.schema.metadata_filter import filter_clause
from groundwire.adapters.opensearch.schema.metadata_terms import metadata_terms
from groundwire.domain.documents.metadata import Metadata, Scalar, Value, metadata_from_mapping
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator, matches
from groundwire.domain.filters.index.index_filter import index_filter
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.trees import any_document, any_tree
from tests.support.plugins.draws import examples

FIELDS = st.sampled_from(["a", "b", "A"])
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 2**53 + 0.0])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(["2024-05-31", "1.0", "true"])
SCALARS: st.SearchStrategy[Scalar] = st.one_of(NUMBERS, TEXTS, st.booleans(), st.dates())
VALUES: st.SearchStrategy[Value] = st.one_of(
    SCALARS, st.lists(NUMBERS, max_size=3).map(tuple), st.lists(TEXTS, max_size=3).map(tuple)
)
WANTED: st.SearchStrategy[Scalar | tuple[Scalar, ...]] = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=3).map(tuple), st.just(float("inf"))
)
FILTERS: st.SearchStrategy[Filter] = st.recursive(
    st.builds(Compare, FIELDS, st.sampled_from(list(Operator)), WANTED),
    lambda parts: (
        st.lists(parts, max_size=3).map(lambda given: AllOf(tuple(given)))
        | st.lists(parts, max_size=3).map(lambda given: AnyOf(tuple(given)))
        | parts.map(Not)
    ),
    max_leaves=6,
)


def holds(clause: Mapping[str, Any], terms: list[bytes]) -> bool:
    """Whether a row with these terms passes; the engine orders terms by their bytes."""
    ((kind, body),) = clause.items()
    if kind in {"match_all", "match_none"}:
        return kind == "match_all"
    if kind == "bool":
        enough = sum(holds(each, terms) for each in body.get("should", ())) >= body.get("minimum_should_match", 0)
        return (
            enough
            and all(holds(each, terms) for each in body.get("filter", ()))
            and not any(holds(each, terms) for each in body.get("must_not", ()))
        )
    wanted = body["metadata"]
    if kind == "terms":
        return any(each.encode() in terms for each in wanted)
    assert kind == "range"
    return any(all(_holds(term, sign, bound.encode()) for sign, bound in wanted.items()) for term in terms)


def _holds(term: bytes, sign: str, bound: bytes) -> bool:
    return {"lt": term < bound, "lte": term <= bound, "gt": term > bound, "gte": term >= bound}[sign]


@settings(max_examples=examples(1_000), deadline=None)
@given(st.dictionaries(FIELDS, VALUES, max_size=3), FILTERS)
def test_the_engine_gets_exactly_the_filter_of_matches(given: Metadata, where: Filter) -> None:
    metadata = metadata_from_mapping(given)
    terms = [term.encode() for term in metadata_terms(metadata)]
    assert holds(filter_clause(where), terms) == matches(where, metadata)


@settings(max_examples=examples(300), deadline=None)
@given(NUMBERS, NUMBERS)
def test_numbers_are_in_the_order_of_their_terms(first: float, second: float) -> None:
    (*_, one), (*_, other) = metadata_terms({"x": first}), metadata_terms({"x": second})
    assert (one < other) == (first < second)
    assert (one == other) == (first == second)


@pytest.mark.parametrize(
    ("value", "kind", "term"),
    [
        ("sales", "text", "x\x1ftsales"),
        (date(2024, 5, 31), "date", "x\x1fd2024-05-31"),
        (True, "boolean", "x\x1fb1"),
        (0.0, "number", "x\x1fn8000000000000000"),
    ],
)
def test_a_term_names_field_and_type(value: Scalar, kind: str, term: str) -> None:
    assert metadata_terms({"x": value}) == [f"\x1fx\x1f{kind}", "x\x1fS", term]


def test_a_lists_length_and_its_items_by_position_are_terms_too() -> None:
    values, items = ["x\x1fta", "x\x1ftb"], ["x\x1fI0000\x1fta", "x\x1fI0001\x1ftb", "x\x1fI0002\x1fta"]
    assert metadata_terms({"x": ("a", "b", "a")}) == ["\x1fx\x1ftexts", *items, "x\x1fL0003", *values]
    assert metadata_terms({"x": ()}) == ["\x1fx\x1fempty list", "x\x1fL0000"]


@settings(max_examples=examples(1_000), deadline=None)
@given(st.integers(0, 2**32))
def test_the_engine_gets_the_clauses_of_every_language(seed: int) -> None:
    random = Random(seed)
    where, held = any_tree(random), any_document(random)
    terms = [term.encode() for term in metadata_terms(held)]
    assert holds(filter_clause(where), terms) == row_passes(index_filter(where).clause, held)


def test_no_part_of_any_is_never_and_no_part_of_all_is_always() -> None:
    assert filter_clause(AnyOf(())) == {"match_none": {}}
    assert filter_clause(AllOf(())) == {"match_all": {}}
