"""Milvus expressions against an evaluator of their own: random texts on random rows, in which keys are absent."""

from random import Random

from groundwire.dialects.foundry.filter.parser import parse_filter
from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.filters.expression import matches, surely_fails
from groundwire.domain.filters.index.index_filter import index_filter
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.milvus_cases import any_filter, any_row, text_of
from tests.support.documents.filters.milvus_evaluator import evaluate

CASES = 2_000
ROWS = 12


def test_random_filters_decide_as_the_rules_do() -> None:
    random = Random(11)
    counts = {True: 0, False: 0, None: 0}
    for _ in range(CASES):
        tree = any_filter(random)
        text = text_of(tree, random)
        where = parse_filter(text, {})
        for row in [any_row(random) for _ in range(ROWS)]:
            held = metadata_from_mapping(row)
            expected = evaluate(tree, row)
            found = True if matches(where, held) else False if surely_fails(where, held) else None
            assert found is expected, (text, row)
            counts[expected] += 1
    assert min(counts.values()) > CASES * ROWS // 10


def test_their_clauses_on_rows_are_exact_or_wider() -> None:
    random = Random(12)
    exact = 0
    for _ in range(CASES):
        where = parse_filter(text_of(any_filter(random), random), {})
        compiled = index_filter(where)
        exact += compiled.is_exact
        for held in [metadata_from_mapping(any_row(random)) for _ in range(ROWS)]:
            found = row_passes(compiled.clause, held)
            assert found is matches(where, held) if compiled.is_exact else found >= matches(where, held)
    assert exact > CASES // 2
