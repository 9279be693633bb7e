"""Filters: what a document must be for a search to see it, and how a person writes that."""

from datetime import date

import pytest
from hypothesis import given, settings

from groundwire.domain.documents.metadata import Metadata, Scalar, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator, matches
from groundwire.domain.filters.own.parser import filter_to_text, parse_filter
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_DEPTH, MAX_FILTER_VALUES
from tests.server.domain.values import comparisons, filters, metadata, scalars
from tests.support.plugins.draws import examples

HELD = metadata_from_mapping(
    {
        "year": 2024,
        "department": "sales",
        "draft": False,
        "due": "2024-05-31",
        "tags": ["red", "2024-01-02"],
        "sizes": [1, 9],
        "n": "5",
    }
)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("year = 2024", True),
        ("year == 2024.0", True),
        ("year != 2024", False),
        ("year > 2023 and year < 2025", True),
        ("year >= 2025 or year <= 2024", True),
        ("department = sales", True),
        ("department = Sales", False),
        ("department < tales", True),
        ("department in (legal, sales)", True),
        ("department not in (legal, sales)", False),
        ("not department in (legal, sales)", False),
        ("draft = false", True),
        ("draft = FALSE", True),
        ("draft != true", True),
        ("draft <= false", False),
        ("draft = 0", False),
        ("due = 2024-05-31", True),
        ("due = '2024-05-31'", True),
        ("due < 2024-06-01", True),
        ("due < 2024-13-01", False),
        ("tags = red", True),
        ("tags != red", False),
        ("tags != blue", True),
        ("tags in (2024-01-02)", True),
        ("sizes > 8 and sizes < 2", True),
        ("sizes != 9", False),
        ("n = 5", False),
        ("n = '5'", True),
        ("missing = 1", False),
        ("missing < 1 or missing >= 1", False),
        ("missing in (1, 2)", False),
        ("missing != 1", True),
        ("missing not in (1, 2)", True),
        ("()", True),
        ("not ()", False),
        ("year = 1 and year = 2 or year = 2024", True),
        ("year = 1 and (year = 2 or year = 2024)", False),
        ("not year = 1 and year = 2024", True),
        ("NOT (year = 1 OR Year = 2024)", True),
    ],
)
def test_a_filter_means_what_it_states(text: str, *, passes: bool) -> None:
    assert matches(parse_filter(text), HELD) is passes


@settings(deadline=None, max_examples=examples(300))
@given(filters)
def test_a_filter_written_out_is_read_as_itself(where: Filter) -> None:
    assert parse_filter(filter_to_text(where)) == where


@settings(deadline=None, max_examples=examples(200))
@given(comparisons(), metadata)
def test_groups_of_one_part_and_of_none_are_written_with_the_same_meaning(part: Compare, held: Metadata) -> None:
    for where in (AllOf((part,)), AnyOf((AllOf((part,)),)), Not(AnyOf((part,))), AnyOf(()), Not(AllOf(()))):
        assert matches(parse_filter(filter_to_text(where)), held) == matches(where, held)


@settings(deadline=None, max_examples=examples(200))
@given(comparisons(), scalars, metadata)
def test_several_values_are_written_with_the_same_meaning_for_every_operator(
    part: Compare, another: Scalar, held: Metadata
) -> None:
    first = part.value if not isinstance(part.value, tuple) else part.value[0]
    for options in ((), (first,), (first, another)):
        where = Not(Compare(part.field, part.operator, options))
        assert matches(parse_filter(filter_to_text(where)), held) == matches(where, held)


@settings(deadline=None, max_examples=examples(200))
@given(comparisons(), metadata)
def test_unequal_is_the_opposite_of_equal(part: Compare, held: Metadata) -> None:
    equal, unequal = (Compare(part.field, operator, part.value) for operator in (Operator.EQ, Operator.NE))

    assert matches(equal, held) is not matches(unequal, held)


@settings(deadline=None, max_examples=examples(300))
@given(scalars, scalars)
def test_two_values_are_ordered_one_way_or_not_at_all(held: Scalar, wanted: Scalar) -> None:
    kept = metadata_from_mapping({"f": held})

    def holds(operator: Operator) -> bool:
        return matches(Compare("f", operator, wanted), kept)

    one_way = holds(Operator.LT) + holds(Operator.EQ) + holds(Operator.GT)
    kinds = {type(metadata_from_mapping({"f": value})["f"]) for value in (held, wanted)}
    assert one_way == (1 if len(kinds) == 1 and kinds != {bool} else int(held is wanted))
    if kinds != {bool}:
        assert holds(Operator.LE) == (holds(Operator.LT) or holds(Operator.EQ))
        assert holds(Operator.GE) == (holds(Operator.GT) or holds(Operator.EQ))


@settings(deadline=None, max_examples=examples(200))
@given(filters, filters, metadata)
def test_groups_follow_the_laws_of_logic(one: Filter, other: Filter, held: Metadata) -> None:
    both = matches(AllOf((one, other)), held)

    assert both == (matches(one, held) and matches(other, held))
    assert both != matches(AnyOf((Not(one), Not(other))), held)


def test_whole_numbers_from_json_equal_the_floats_that_are_kept() -> None:
    assert matches(Compare("year", Operator.EQ, 2024), HELD)
    assert matches(Compare("year", Operator.IN, (7, 2024)), HELD)
    assert matches(Compare("year", Operator.LT, 10**400), HELD)
    assert not matches(Compare("draft", Operator.EQ, 0), HELD)


def test_numbers_with_leading_zeros_and_quoted_ones_are_text() -> None:
    assert parse_filter("a in (007, 7, -1.5e3, '7')") == Compare("a", Operator.IN, ("007", 7.0, -1500.0, "7"))


def test_text_is_made_regular_like_the_metadata_it_is_compared_with() -> None:
    assert parse_filter("a = 'Cafe\u0301\u200b'") == Compare("a", Operator.EQ, "Caf\u00e9")


def test_quotes_are_written_twice_within_quotes() -> None:
    text = '''a in ('it''s', "say ""x""", 2024-05-31)'''
    assert parse_filter(text) == Compare("a", Operator.IN, ("it's", 'say "x"', date(2024, 5, 31)))


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("", 1, "empty"),
        ("   ", 4, "empty"),
        ("year", 5, "is expected after the field"),
        ("year =", 7, "a value is expected"),
        ("year = = 3", 8, "a value is expected"),
        ("year = 2024 draft = true", 13, "`and`, `or` or the end"),
        ("legal team = 3", 7, "is expected after the field"),
        ("a = 'x", 5, "a quote is not closed"),
        ("a in 1, 2", 6, "parentheses are expected"),
        ("a in ()", 7, "a value is expected"),
        ("a in (1 2)", 9, "`,` or `)`"),
        ("a not 3", 7, "`in` is expected after `not`"),
        ("(a = 1", 7, "is expected"),
        ("a = 1)", 6, "the end is expected"),
        ("a ! 1", 3, "'!' is not expected"),
        ("and = 1", 1, "field name"),
        ("9a = 1", 1, "field name"),
        ("a = 1e999", 5, "too large"),
        ("a = 1 and", 10, "field name"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_with_its_place(text: str, at: int, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_filter(text)

    assert f"at character {at}," in str(refused.value)
    assert why in str(refused.value)


def test_a_filter_is_bounded_in_length_depth_and_values() -> None:
    deep = "(" * MAX_FILTER_DEPTH + "a = 1" + ")" * MAX_FILTER_DEPTH
    many = ", ".join("1" for _ in range(MAX_FILTER_VALUES))
    assert parse_filter(deep) == Compare("a", Operator.EQ, 1.0)
    assert parse_filter(f"a in ({many})")

    for refused in (f"({deep})", "not " * 1000 + "a = 1", f"a in ({many}, 1)", "a" * (MAX_FILTER_CHARACTERS + 1)):
        with pytest.raises(InvalidInput, match="at most"):
            parse_filter(refused)
