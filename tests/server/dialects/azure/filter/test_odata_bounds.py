"""Bounds of OData filters: levels, nodes, length and time, and any text at all."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Not, Operator
from groundwire.domain.filters.field_types import FieldType, FieldTypes
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS
from tests.support.documents.filters import odata_cases
from tests.support.documents.filters.step_count import is_read_in_linear_steps
from tests.support.plugins.draws import examples

LEAF = Compare("a", Operator.EQ, 1, Language.ODATA)
KNOWN_A: FieldTypes = {"a": frozenset({FieldType.NUMBER}), "tags": frozenset({FieldType.TEXTS})}
FORM = re.compile(
    r"Invalid expression: (?:(?:Syntax error at position (?P<syntax>\d+) in '.*'\. .+\.)"
    r"|(?:At position (?P<other>\d+) in '.*': .+\.)"
    r"|Could not find a property named '[^']+' on type 'search\.document'\.(?: The page is .+\.)?"
    r"|A filter .+\.)\r\nParameter name: \$filter"
)


def test_levels_nodes_and_length_are_bounded() -> None:
    levels = MAX_FILTER_LEVELS
    assert parse_odata("(" * levels + "a eq 1" + ")" * levels, KNOWN_A) == LEAF
    check_size(parse_odata("not " * (levels - 1) + "(a eq 1)", KNOWN_A))
    alternating = "(a eq 1 or a eq 1 and " * (levels // 2 - 1) + "a eq 1" + ")" * (levels // 2 - 1)
    check_size(parse_odata(alternating, KNOWN_A))
    texts = ",".join("1" * (MAX_FILTER_CHARACTERS // 2 - 16))
    check_size(parse_odata(f"tags/any(t: search.in(t, '{texts}'))", KNOWN_A))

    for refused, why in (
        ("(" * (levels + 1) + "a eq 1" + ")" * (levels + 1), "At position 65 in"),
        ("not " * (levels + 1) + "(a eq 1)", "nested at most 64 deep"),
        ("not " * levels + "(a eq 1)", "at most 64 deep"),
        (f"(a eq 1 or a eq 1 and a eq 1 and ({alternating} or a eq 1))", "at most 64 deep"),
        ("tags/any(t: " * (levels + 1), "nested at most 64 deep"),
        (" " * MAX_FILTER_CHARACTERS + "a", "A filter can have at most 4000 characters, not 4001."),
    ):
        with pytest.raises(InvalidInput, match=why):
            parse_odata(refused, KNOWN_A)
        read_or_refused(refused)


def test_a_filter_of_many_parts_is_read() -> None:
    assert parse_odata(" or ".join(["a eq 1"] * 300), KNOWN_A) == AnyOf((LEAF,) * 300)
    assert parse_odata(" and ".join(["a eq 1"] * 300), KNOWN_A) == AllOf((LEAF,) * 300)


@pytest.mark.parametrize(
    "piece",
    ["(", "not ", "not(", "a/", "a/any(", "a/any(t:", "search.in(", "a eq 1 or ", "a eq 1 and(", "'", "''", "-", "-I",
     "1", "1-", "1.", "a", "a.", "a'", " ", "\n", "\r\n", "/", ":", "2015-01-01T", "tags/any(t:t eq 'a' or ", "a eq "],
)  # fmt: skip
def test_the_longest_repetition_of_any_piece_takes_steps_by_its_length(piece: str) -> None:
    repeated = (piece * MAX_FILTER_CHARACTERS)[: MAX_FILTER_CHARACTERS - 40]
    for text in (
        repeated,
        f"'{repeated}'",
        f"search.in(a, '{repeated}', ', |')",
        f"tags/any(t: t eq 'a' or {repeated}",
    ):
        assert is_read_in_linear_steps(read_or_refused, text)


@settings(deadline=None, max_examples=examples(600))
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet="at'\"eqnor().,:/=-+0129TZ \r\n\\", max_size=40),
        st.lists(st.sampled_from(odata_cases.TOKENS), max_size=14).map(" ".join),
        st.lists(st.sampled_from(odata_cases.TOKENS), max_size=14).map("".join),
    )
)
def test_any_text_is_a_filter_or_refused_with_a_place_within_it(text: str) -> None:
    read_or_refused(text, odata_cases.KNOWN)


def test_deep_filters_are_read_with_little_of_the_stack_left() -> None:
    def below(frames: int, text: str) -> None:
        if frames:
            below(frames - 1, text)
        else:
            read_or_refused(text)

    for opening in ("(", "not (", "a eq 1 and (", "tags/any(t: ", "tags/any(t: t eq 'a' or not ("):
        below(250, opening * (MAX_FILTER_LEVELS + 1))
    levels = MAX_FILTER_LEVELS // 2
    below(250, "a eq 1 or a eq 1 and not (" * levels + "a eq 1" + ")" * levels)
    below(250, "tags/any(t: " + "t eq 'a' or (t eq 'b' and (" * (levels - 1) + "t eq 'a'" + "))" * (levels - 1) + ")")
    where = parse_odata("not (" * levels + "a eq 1" + ")" * levels, KNOWN_A)
    for _ in range(levels):
        assert isinstance(where, Not)
        where = where.part
    assert where == LEAF


def read_or_refused(text: str, known: FieldTypes = KNOWN_A) -> None:
    try:
        where = parse_odata(text, known)
    except InvalidInput as error:
        check_form(str(error), text)
    else:
        check_size(where)


def check_form(message: str, text: str) -> None:
    found = FORM.fullmatch(message)
    assert found, message
    assert len(message) < 1_200
    assert 0 <= int(found["syntax"] or found["other"] or 0) <= len(text)
