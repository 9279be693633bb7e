"""The filter tree: two truths a node, the rules of four languages, and clauses that are never narrower."""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import (
    ELEMENT,
    AllOf,
    AnyElement,
    AnyOf,
    Compare,
    ElementAt,
    Exists,
    Filter,
    HasLength,
    HasWords,
    Not,
    Operator,
    TextMatch,
    all_elements,
    matches,
    surely_fails,
)
from groundwire.domain.filters.field_types import FieldType, field_types, resolve_field
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.outcomes import TWO_VALUED, Language
from groundwire.domain.filters.own.parser import filter_to_text
from groundwire.domain.filters.size import check_size
from groundwire.domain.filters.value_tests import ANY_CHARACTER, matches_parts
from groundwire.domain.limits import MAX_FILTER_LEVELS, MAX_FILTER_NODES
from tests.server.domain.values import filters, metadata
from tests.support.documents.filters import own_evaluator
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.trees import any_document, any_tree, tree_of
from tests.support.plugins.draws import examples

SEEDS = st.integers(0, 2**32)
MILVUS, CEL, ODATA, OWN = Language.MILVUS, Language.CEL, Language.ODATA, Language.OWN


@settings(deadline=None, max_examples=examples(500))
@given(filters, metadata)
def test_a_filter_of_the_own_language_keeps_its_meaning(where: Filter, held: Metadata) -> None:
    assert matches(where, held) is own_evaluator.passes(where, held)
    assert surely_fails(where, held) is not matches(where, held)


@settings(deadline=None, max_examples=examples(500))
@given(SEEDS)
def test_no_filter_is_both_true_and_false_and_negation_swaps_the_two(seed: int) -> None:
    random = Random(seed)
    where, held = any_tree(random), any_document(random)
    assert not (matches(where, held) and surely_fails(where, held))
    assert matches(Not(where), held) is surely_fails(where, held)
    assert surely_fails(Not(where), held) is matches(where, held)


@pytest.mark.parametrize("language", sorted(TWO_VALUED))
@settings(deadline=None, max_examples=examples(300))
@given(SEEDS)
def test_in_the_own_language_and_odata_a_filter_is_either_true_or_false(language: Language, seed: int) -> None:
    random = Random(seed)
    where, held = tree_of(random, language), any_document(random)
    assert matches(where, held) is not surely_fails(where, held)


@settings(deadline=None, max_examples=examples(1_500))
@given(SEEDS)
def test_clauses_on_rows_are_exact_or_wider_and_never_narrower(seed: int) -> None:
    random = Random(seed)
    where, held = any_tree(random), any_document(random)
    compiled = index_filter(where)
    found = row_passes(compiled.clause, held)
    assert found >= matches(where, held)
    if compiled.is_exact:
        assert found is matches(where, held)


def test_most_random_trees_have_exact_clauses() -> None:
    random = Random(7)
    compiled = [index_filter(any_tree(random)) for _ in range(1_000)]
    assert sum(each.is_exact for each in compiled) > 700


HELD = metadata_from_mapping(
    {"n": 5, "t": "abc", "d": "2024-05-31", "flag": True, "tags": ["a", "b"], "marks": [1, 9], "none": []}
)


def equal(field: str, value: float | str, language: Language) -> Compare:
    return Compare(field, Operator.EQ, value, language)


CASES: Sequence[tuple[Callable[[Language], Filter], str]] = [
    # For each of the own language, Milvus, CEL and OData: T, F, or U for neither.
    (lambda of: equal("absent", 1, of), "FUUF"),
    (lambda of: Compare("absent", Operator.NE, 1, of), "TUUT"),
    (lambda of: Compare("absent", Operator.LT, 1, of), "FUUF"),
    (lambda of: Compare("absent", Operator.IN, (1, 2), of), "FUUF"),
    (lambda of: equal("n", "5", of), "FUFF"),
    (lambda of: Compare("n", Operator.NE, "5", of), "TUTT"),
    (lambda of: Compare("n", Operator.GT, "5", of), "FUUF"),
    (lambda of: Compare("n", Operator.IN, ("5", 5), of), "TTTT"),
    (lambda of: Compare("n", Operator.IN, ("5", 6), of), "FFFF"),
    (lambda of: Compare("n", Operator.IN, (), of), "FFFF"),
    (lambda of: equal("flag", 1, of), "FUFF"),
    (lambda of: Compare("flag", Operator.GT, False, of), "FUTF"),
    (lambda of: equal("tags", "a", of), "TUFF"),
    (lambda of: Compare("tags", Operator.NE, "a", of), "FUTT"),
    (lambda of: Compare("tags", Operator.GT, "0", of), "TUUF"),
    (lambda of: equal("t", "ABC", of), "FFFF"),
    (lambda of: equal("d", "2024-05-31", of), "TTTT"),
    (lambda of: Compare("d", Operator.GT, "2024", of), "FTUF"),
    (lambda of: AnyElement("tags", equal(ELEMENT, "b", of), of), "TTTT"),
    (lambda of: AnyElement("tags", equal(ELEMENT, "c", of), of), "FFFF"),
    (lambda of: AnyElement("t", equal(ELEMENT, "abc", of), of), "FUUF"),
    (lambda of: AnyElement("absent", equal(ELEMENT, "a", of), of), "FUUF"),
    (lambda of: TextMatch("t", ("a", ""), of), "TTTT"),
    (lambda of: TextMatch("n", ("5", ""), of), "FUUF"),
    (lambda of: HasWords("t", ("abc", "x"), 1, None, of), "TTTT"),
    (lambda of: HasWords("t", ("abc", "x"), 1, 0, of), "FFFF"),
    (lambda of: HasWords("tags", ("a",), 1, None, of), "FUUF"),
    (lambda of: HasLength("none", Operator.EQ, 0, of), "TTTT"),
    (lambda of: HasLength("t", Operator.EQ, 3, of), "FUUF"),
    (lambda of: ElementAt("marks", 0, Compare(ELEMENT, Operator.NE, 1, of)), "FFFF"),
    (lambda of: ElementAt("marks", 2, Compare(ELEMENT, Operator.NE, 1, of)), "TUUT"),
    (lambda _: Exists("none"), "TTTT"),
    (lambda _: Exists("absent"), "FFFF"),
]


@pytest.mark.parametrize(("leaf", "truths"), CASES)
def test_each_language_has_its_own_truths_for_absent_values_and_other_types(
    leaf: Callable[[Language], Filter], truths: str
) -> None:
    found = [leaf(language) for language in (OWN, MILVUS, CEL, ODATA)]
    assert "".join("T" if matches(each, HELD) else "F" if surely_fails(each, HELD) else "U" for each in found) == truths


def test_one_element_meets_the_whole_condition() -> None:
    between = AllOf((Compare(ELEMENT, Operator.GT, 2, ODATA), Compare(ELEMENT, Operator.LE, 5, ODATA)))
    assert not matches(AnyElement("marks", between, ODATA), HELD)
    assert matches(AnyElement("marks", between, ODATA), {"marks": (1.0, 3.0, 9.0)})
    assert matches(all_elements("marks", Compare(ELEMENT, Operator.GE, 1, ODATA), ODATA), HELD)
    assert matches(all_elements("marks", Compare(ELEMENT, Operator.GE, 1, ODATA), ODATA), {})
    assert not matches(all_elements("marks", Compare(ELEMENT, Operator.GE, 3, ODATA), ODATA), HELD)


def test_an_unknown_part_is_absorbed_by_and_and_or_alone() -> None:
    unknown, true, false = equal("absent", 1, CEL), AllOf(()), AnyOf(())
    assert matches(AnyOf((unknown, true)), {})
    assert surely_fails(AllOf((unknown, false)), {})
    for neither in (AllOf((unknown, true)), AnyOf((unknown, false)), Not(unknown)):
        assert not matches(neither, {})
        assert not surely_fails(neither, {})


@pytest.mark.parametrize("language", list(Language))
def test_an_integer_is_compared_exactly(language: Language) -> None:
    held = {"n": 2.0**53}
    assert matches(equal("n", 2**53, language), held)
    assert not matches(equal("n", 2**53 + 1, language), held)
    assert matches(Compare("n", Operator.LT, 2**53 + 1, language), held)
    assert not matches(Compare("n", Operator.GE, 2**53 + 1, language), held)
    assert matches(Compare("n", Operator.LT, 10**400, language), held)


@settings(deadline=None, max_examples=examples(300))
@given(st.text("ab%", max_size=8), st.lists(st.text(f"ab{ANY_CHARACTER}", max_size=3), min_size=1, max_size=4))
def test_a_text_matches_a_pattern_in_one_way_at_least(text: str, parts: list[str]) -> None:
    def fits(at: int, rest: list[str]) -> bool:
        part, *others = rest
        if not others:
            return at <= len(text) - len(part) and same(len(text) - len(part), part)
        return any(
            same(start, part) and fits(start + len(part), others) for start in range(at, len(text) - len(part) + 1)
        )

    def same(at: int, part: str) -> bool:
        found = text[at : at + len(part)]
        return len(found) == len(part) and all(
            two in (one, ANY_CHARACTER) for one, two in zip(found, part, strict=True)
        )

    first, *others = parts
    wanted = same(0, first) and (fits(len(first), others) if others else len(first) == len(text))
    assert matches_parts(text, tuple(parts)) is wanted


def test_levels_and_nodes_are_bounded_before_anything_recurses() -> None:
    leaf: Filter = Exists("a")
    deep = leaf
    for _ in range(MAX_FILTER_LEVELS - 1):
        deep = Not(deep)
    check_size(deep)
    far_too_deep: Filter = deep
    for _ in range(100_000):
        far_too_deep = Not(far_too_deep)
    wide = AnyOf((leaf,) * MAX_FILTER_NODES)
    values = Compare("a", Operator.IN, tuple(map(float, range(MAX_FILTER_NODES))))
    for refused in (Not(deep), AnyElement("a", deep, ODATA), far_too_deep, wide, values):
        with pytest.raises(InvalidInput, match="at most"):
            check_size(refused)
    check_size(AnyOf((leaf,) * (MAX_FILTER_NODES - 1)))
    while isinstance(far_too_deep, Not):  # Freed from the outside, because the interpreter would recurse.
        far_too_deep = far_too_deep.part


def test_a_very_large_filter_is_left_to_the_candidates() -> None:
    where = AnyOf(tuple(Compare(f"f{number}", Operator.GT, 1.0, MILVUS) for number in range(600)))
    assert not index_filter(where).is_exact
    assert row_passes(index_filter(where).clause, {})


def test_names_are_metadata_first_and_else_the_documents_own() -> None:
    known = field_types([{"title": "x", "n": 1.0}, {"n": ("a",), "e": (), "m": (1.0,)}])
    assert known["n"] == {FieldType.NUMBER, FieldType.TEXTS}
    assert (known["e"], known["m"]) == ({FieldType.EMPTY_LIST}, {FieldType.NUMBERS})
    assert [resolve_field(name, known) for name in ("title", "page", "n", "other")] == ["title", "/page", "n", "other"]


@settings(deadline=None, max_examples=examples(200))
@given(SEEDS)
def test_every_tree_has_a_text_for_explanations(seed: int) -> None:
    assert filter_to_text(any_tree(Random(seed)))
