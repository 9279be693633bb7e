"""Filters of every language on the embedded index: what it finds is what `matches` finds in the documents."""

from random import Random

import pytest

from groundwire.adapters.local.index.selection.field_columns import FieldColumns
from groundwire.domain.documents.indexed_fields import PAGE_FIELD, ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.filters import expression
from groundwire.domain.filters.expression import (
    AllOf,
    AnyOf,
    Compare,
    Exists,
    Filter,
    Leaf,
    Not,
    Operator,
    leaf_truth,
    matches,
)
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Index, Phrase
from tests.support.documents.filters.trees import any_document, any_tree
from tests.support.documents.index_documents import ANYONE, for_tags, put, query, readable, search, someone

TREES = 10_000
DOCUMENTS = 30


def filled(index: Index, random: Random) -> dict[str, Metadata]:
    documents = {f"d{number}": any_document(random) for number in range(DOCUMENTS)}
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata={**held, ROWS_FIELD: ROWS_FORM})
    return documents


def found(index: Index, where: Filter) -> set[str]:
    """Return the documents that a lexical search finds, which is the shortest one."""
    (scores,) = search(index, query([Phrase("tea", None)], where=where, mode=SearchMode.LEXICAL))
    return {each.doc_id for each in scores.segments.values()}


def test_ten_thousand_random_trees_find_what_memory_finds(index: Index) -> None:
    random = Random(21)
    documents = filled(index, random)
    met = 0
    for _ in range(TREES):
        where = any_tree(random)
        expected = {doc_id for doc_id, held in documents.items() if matches(where, held)}
        assert found(index, where) == expected, where
        met += len(expected)
    assert DOCUMENTS * TREES * 0.2 < met < DOCUMENTS * TREES * 0.8


def test_a_page_is_left_to_the_search_in_both_directions(index: Index) -> None:
    put(index, "d", ["one", "two"], metadata={ROWS_FIELD: ROWS_FORM})
    first = Compare(PAGE_FIELD, Operator.EQ, 1.0)
    for where in (first, Not(first), AllOf((first, AllOf(())))):
        assert readable(index, ANYONE, where) == {"d"}
    assert readable(index, ANYONE, AllOf((first, AnyOf(())))) == set()


def test_own_fields_of_rows_of_the_first_form_are_left_to_the_search(index: Index) -> None:
    put(index, "first", ["one"], metadata={"n": 1.0})
    put(index, "second", ["one"], metadata={"n": 1.0, "/title": "b", ROWS_FIELD: ROWS_FORM})
    titled = Compare("/title", Operator.EQ, "a", Language.ODATA)
    assert readable(index, ANYONE, titled) == {"first"}
    assert readable(index, ANYONE, Not(titled)) == {"first", "second"}
    assert readable(index, ANYONE, AllOf((titled, Compare("n", Operator.EQ, 2.0)))) == set()


def test_a_leaf_is_evaluated_once_for_each_distinct_value(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        put(index, f"d{number}", ["one", "two", "three"], metadata={"n": float(number), "team": "ab"[number % 2]})
    evaluated: list[object] = []

    def counted(leaf: Leaf, stored: object) -> int:
        evaluated.append(stored)
        return leaf_truth(leaf, stored)  # type: ignore[arg-type]

    monkeypatch.setattr("groundwire.adapters.local.index.selection.field_columns.leaf_truth", counted)
    assert len(readable(index, ANYONE, Compare("team", Operator.EQ, "a"))) == 30
    assert sorted(map(str, evaluated)) == ["None", "a", "b"]


def test_a_search_without_a_filter_decodes_no_metadata(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    put(index, "d", ["text"], metadata={"n": 1.0})

    def refused(*_: object) -> None:
        raise AssertionError("metadata was decoded")

    monkeypatch.setattr(FieldColumns, "_extend", refused)
    assert readable(index, ANYONE) == {"d"}


@pytest.mark.parametrize("where", [Not(Exists("x")), Not(AnyOf(())), AnyOf((Exists("n"), AllOf(())))])
def test_no_filter_reveals_hidden_documents(index: Index, where: expression.Filter) -> None:
    put(index, "d", ["secret"], for_tags("hr"), metadata={"n": 1.0})
    assert readable(index, ANYONE, where) == set()
    assert readable(index, someone("hr"), where) == {"d"}
