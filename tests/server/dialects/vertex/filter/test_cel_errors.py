"""CEL filters that cannot be read: each error has the place in the caller's text, and mostly the remedy."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.dialects.vertex.filter.parser import parse_cel
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Not, Operator
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS, MAX_FILTER_NODES
from tests.support.documents.filters.cel_cases import TOKENS
from tests.support.documents.filters.step_count import is_read_in_linear_steps
from tests.support.plugins.draws import examples

LEAF = Compare("a", Operator.EQ, 1, Language.CEL)


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("", 1, "it is empty"),
        ("  // nothing", 13, "it is empty"),
        # Operators of other languages get a hint.
        ("year = 2024", 6, "write `==`"),
        ('user = "x" AND project = "y"', 6, "write `==`"),
        ('user == "x" AND project == "y"', 13, "write `&&` instead of `AND`"),
        ("(a == 1 or b == 1)", 9, "write `||` instead of `or`"),
        ("NOT a == 1", 1, "write `!` instead of `NOT`"),
        ("a == 1 && not b == 1", 11, "write `!` instead of `not`"),
        ("not (a == 1)", 1, "write `!`"),
        ("a not in [1]", 3, "write `!` and parentheses"),
        ("a <> 1", 3, "write `!=`"),
        ("a == 1 & b == 1", 8, "write `&&`"),
        ("a == 1 | b == 1", 8, "write `||`"),
        ("tags:red", 5, "write `==`"),
        ("a in (1, 2)", 8, "written [1, 2]"),
        ("a-b == 1", 2, 'written metadata["a-b"]'),
        # The rest of CEL is refused by its name.
        ("a + 1 == 2", 3, "arithmetic, `+`"),
        ("a == 2 * 3", 8, "arithmetic, `*`"),
        ("a % 2 == 0", 3, "arithmetic, `%`"),
        ("-a == 1", 1, "arithmetic, `-`"),
        ("a == 1 ? true : false", 8, "the conditional `? :`"),
        ("a == {1: 2}", 6, "maps"),
        ('a == b"x"', 6, "bytes"),
        ("size(a) == 1", 1, "the function `size`"),
        ("a.size() == 1", 3, "the function `size`"),
        ('a.matches("x")', 3, "the function `matches`"),
        ("tags.exists(x, x == 1)", 6, "the function `exists`"),
        ('duration("1s") == a', 1, "the function `duration`"),
        ("tags[0] == 1", 6, "items by position"),
        (".a == 1", 1, "starts with `.`"),
        # A filter is a condition, and a comparison is one of a field with a value.
        ("author", 1, "a field alone"),
        ("!author", 2, "a field alone"),
        ("a == 1 && author", 11, "a field alone"),
        ("(1)", 2, "a value alone"),
        ('"x" || a == 1', 1, "a value alone"),
        ("metadata", 1, "a value alone"),
        ("!a == 1", 2, "`!` binds closer"),
        ("a == b", 6, "with a field"),
        ("a in b", 6, "with a field"),
        ("1 in metadata", 6, "metadata.NAME"),
        ("1 == 1", 1, "name a field"),
        ("metadata == 1", 1, "metadata.NAME"),
        ("has(metadata.a) == true", 20, "join conditions"),
        ("1 < a < 3", 7, "1 < year && year < 5"),
        ("a == b in c", 8, "a comparison cannot be compared"),
        ("a < null", 5, "`null` has no order"),
        ("a < [1]", 5, "a list has no order"),
        ('a in "x"', 6, "a list is expected"),
        ("a in [[1]]", 7, "a list can contain only"),
        ("a in [b]", 7, "a list can contain only"),
        # Functions.
        ("has(1)", 5, "`has` takes a field"),
        ("has(metadata)", 5, "`has` takes a field"),
        ("has()", 5, "is expected"),
        ("a.contains(b)", 12, "takes a text"),
        ('"x".contains("y")', 1, "is a function"),
        ("timestamp(a) == b", 11, "`timestamp` takes a text"),
        ('a == timestamp("2024-05-31")', 16, "2024-05-31T00:00:00Z"),
        ('a == timestamp("2024-02-30T00:00:00Z")', 16, "2024-05-31T00:00:00Z"),
        ('a == timestamp("2024-05-31T24:00:00Z")', 16, "2024-05-31T00:00:00Z"),
        ('a == timestamp("0001-01-01T00:00:00+01:00")', 16, "2024-05-31T00:00:00Z"),
        # Names.
        ("if == 1", 1, 'as metadata["if"]'),
        ("a == in", 6, "`in` is a reserved word of CEL"),
        ("_a == 1", 1, "a field name"),
        ('metadata["a.b"] == 1', 10, "a field name"),
        ("metadata[1] == 1", 10, "in quotes"),
        ("metadata.in == 1", 10, "a field name"),
        ("metadata.a.b == 1", 12, "no members, so `b` is not allowed"),
        # Literals.
        ("a == 9223372036854775808", 6, "64 bits"),
        ("a == -9223372036854775809", 7, "64 bits"),
        ("a == 18446744073709551616u", 6, "64 bits"),
        ("a == -1u", 7, "no sign"),
        ("a == 1e999", 6, "too large"),
        ("a == 1.", 6, "`1.` is not a number"),
        ("a == 12ab", 6, "`12ab` is not a number"),
        ("a == 0x", 6, "`0x` is not a number"),
        ('a == "x', 6, "a quote is not closed"),
        ('a == "x\ny"', 6, "a quote is not closed"),
        ('a == """x""', 6, "a quote is not closed"),
        ('a == "x\\d"', 8, "`\\d` is no escape"),
        ('a == "\\ud800"', 7, "is no escape"),
        ('a == """\\U00110000"""', 9, "is no escape"),
        ('a == "\\477"', 7, "is no escape"),
        # The rest of the syntax.
        ("a ==", 5, "is expected"),
        ("a == 1 &&", 10, "is expected"),
        ("(a == 1", 8, "`)`, `&&`"),
        ("a == 1)", 7, "or the end is expected"),
        ("a in [1", 8, "`,` or `]`"),
        ("a in [,]", 7, "written [1, 2]"),
        ("a == 1 b == 2", 8, "or the end is expected"),
        ("a @ 1", 3, "'@' is not expected"),
        ("a == 1\n&& b = 2", 13, "write `==`"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_with_its_place(text: str, at: int, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_cel(text, {})

    assert f"at character {at}," in str(refused.value)
    assert why in str(refused.value)


def test_a_filter_of_the_size_that_the_specification_of_cel_demands_is_read() -> None:
    assert parse_cel(" || ".join(["a == 1"] * 32), {}) == AnyOf((LEAF,) * 32)
    assert parse_cel(" && ".join(["a == 1"] * 32), {}) == AllOf((LEAF,) * 32)
    assert parse_cel("(" * 12 + "a == 1" + ")" * 12, {}) == LEAF


def test_levels_and_nodes_are_bounded_at_the_place_that_exceeds_them() -> None:
    levels = MAX_FILTER_LEVELS
    assert parse_cel("(" * levels + "a == 1" + ")" * levels, {}) == LEAF
    check_size(parse_cel("!" * (levels - 1) + "(a == 1)", {}))
    alternating = "(a == 1 || a == 1 && " * (levels // 2 - 1) + "a == 1" + ")" * (levels // 2 - 1)
    check_size(parse_cel(alternating, {}))
    # Each item of a list that a field equals is two nodes, and the equality four.
    many = ",".join("1" * (MAX_FILTER_NODES // 2 - 2))
    check_size(parse_cel(f"a == [{many}]", {}))

    for refused, at in (
        ("(" * (levels + 1) + "a == 1" + ")" * (levels + 1), levels + 2),
        ("[" * (levels + 1), levels + 2),
        ("metadata[" * (levels + 1), 9 * (levels + 1) + 1),
        ("!" * levels + "(a == 1)", 1),
        (f"(a == 1 || a == 1 && a == 1 && ({alternating}))", None),
        (f"a == [{many},1]", 1),
        (f"b == 1 && a == [{many}]", None),
        (" " * MAX_FILTER_CHARACTERS + "a", MAX_FILTER_CHARACTERS + 1),
    ):
        with pytest.raises(InvalidInput, match="at most" if at is None else f"at character {at},.* at most"):
            parse_cel(refused, {})


@pytest.mark.parametrize(
    "piece",
    ["(", "[", "!", "((", "metadata[", "has(", "a.contains(", "a in [", "a==1||", "a==1&&(", "-", "//", "'''", '"""',
     "\\", '"\\', "r'", "1e", "..", "a.", "a==1 ", "!(", "timestamp(", "\n", " ", "0x", "1", "a", "\r\n"],
)  # fmt: skip
def test_the_longest_repetition_of_any_piece_takes_steps_by_its_length(piece: str) -> None:
    repeated = (piece * MAX_FILTER_CHARACTERS)[: MAX_FILTER_CHARACTERS - 3]
    for text in (repeated, f'"{repeated}"', f"a in [{repeated}"[:MAX_FILTER_CHARACTERS]):
        assert is_read_in_linear_steps(read_or_refused, text)


@settings(deadline=None, max_examples=examples(600))
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet="ab\"'\\rRbu0x1.eE+-[](){}!&|=<>,:?/ \r\nU", max_size=40),
        st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join),
        st.lists(st.sampled_from(TOKENS), max_size=14).map("".join),
    )
)
def test_any_text_is_a_filter_or_refused_with_a_place_within_it(text: str) -> None:
    read_or_refused(text)


def test_deep_filters_are_read_with_little_of_the_stack_left() -> None:
    def below(frames: int, text: str) -> None:
        if frames:
            below(frames - 1, text)
        else:
            read_or_refused(text)

    for opening in ("(", "!(", "a==1&&(", "[", "has(", "metadata[("):
        below(250, opening * (MAX_FILTER_LEVELS + 1))
    where = parse_cel("!(" * (MAX_FILTER_LEVELS - 1) + "a == 1" + ")" * (MAX_FILTER_LEVELS - 1), {})
    for _ in range(MAX_FILTER_LEVELS - 1):
        assert isinstance(where, Not)
        where = where.part
    assert where == LEAF


def read_or_refused(text: str) -> None:
    try:
        where = parse_cel(text, {})
    except InvalidInput as error:
        [at] = re.findall(r"^The filter cannot be read at character (\d+), ", str(error))
        assert 1 <= int(at) <= len(text) + 1
    else:
        check_size(where)
