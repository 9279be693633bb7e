"""OData filters against an evaluator of their own: random texts on random rows, in which fields are absent."""

from collections import Counter
from random import Random

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter, Not, matches, surely_fails
from groundwire.domain.filters.index.index_filter import index_filter
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.odata_cases import DEFINED, KNOWN, any_filter, any_row, text_of
from tests.support.documents.filters.odata_evaluator import evaluate
from tests.support.documents.filters.odata_rules import is_admitted

CASES = 2_000
ROWS = 12


def parsed(text: str) -> Filter | None:
    try:
        return parse_odata(text, KNOWN, DEFINED)
    except InvalidInput:
        return None


def test_random_filters_decide_as_the_rules_do() -> None:
    random, counts = Random(51), Counter[bool]()
    for _ in range(CASES):
        tree = any_filter(random)
        text = text_of(tree, random)
        where = parsed(text)
        assert where is not None, text
        for row in [any_row(random) for _ in range(ROWS)]:
            held, expected = metadata_from_mapping(row), evaluate(tree, row)
            assert matches(where, held) is expected, (text, row)
            check_two_values(where, held)
            counts[expected] += 1
    assert min(counts[True], counts[False]) > CASES * ROWS // 5


def check_two_values(where: Filter, held: Metadata) -> None:
    """Check that the filter is surely true or surely false, and that its negation swaps the two."""
    assert matches(where, held) is not surely_fails(where, held)
    assert matches(Not(where), held) is surely_fails(where, held)
    assert surely_fails(Not(where), held) is matches(where, held)


def test_random_filters_are_refused_where_the_rules_refuse_them() -> None:
    random, counts = Random(52), Counter[bool]()
    for _ in range(2 * CASES):
        tree = any_filter(random, depth=1, wild=0.5)
        text = text_of(tree, random)
        where = parsed(text)
        assert (where is not None) is is_admitted(tree), text
        counts[where is not None] += 1
        for row in [any_row(random) for _ in range(2)]:
            assert where is None or matches(where, metadata_from_mapping(row)) is evaluate(tree, row), (text, row)
    assert min(counts[True], counts[False]) > CASES // 4


def test_their_clauses_on_rows_are_exact_or_wider() -> None:
    random, exact = Random(53), 0
    for _ in range(CASES):
        compiled = index_filter(where := parse_odata(text_of(any_filter(random), random), KNOWN, DEFINED))
        exact += compiled.is_exact
        for held in [metadata_from_mapping(any_row(random)) for _ in range(ROWS)]:
            found = row_passes(compiled.clause, held)
            assert found is matches(where, held) if compiled.is_exact else found >= matches(where, held)
    assert exact == CASES


@pytest.mark.parametrize("text", ["_unread", "rating eq 1", "_unread ne 'a' and tags/any()"])
def test_a_negated_text_is_the_negated_filter(text: str) -> None:
    where = parse_odata(text, KNOWN, DEFINED)
    assert parse_odata(f"not ({text})", KNOWN, DEFINED) == Not(where)
