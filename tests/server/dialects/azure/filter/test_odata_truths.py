"""OData filters on fields of several types, of other spellings, and of definitions: what each form means."""

from datetime import date

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Compare, Exists, Not, Operator, matches, surely_fails
from groundwire.domain.filters.field_types import FieldType, FieldTypes, field_types
from groundwire.domain.filters.outcomes import Language
from tests.support.documents.filters.odata_table import KNOWN

MIXED: tuple[Metadata, ...] = tuple(
    metadata_from_mapping(each)
    for each in (
        {"code": 105, "tags": ["a", "2015-01-01"]},
        {"code": "105", "tags": [1, 9]},
        {"code": "2015-01-01", "tags": "a"},
        {"code": [105], "tags": []},
        {"code": True},
        {},
    )
)


def passing(text: str, documents: tuple[Metadata, ...] = MIXED, defined: frozenset[str] = frozenset()) -> str:
    """Return the numbers of the documents that pass; the others surely fail."""
    where = parse_odata(text, field_types(documents), defined)
    found = [number for number, held in enumerate(documents) if matches(where, held)]
    assert [number for number, held in enumerate(documents) if not surely_fails(where, held)] == found
    return "".join(map(str, found))


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        # A value of another type, or a list, is neither equal nor ordered, and so it is unequal.
        ("code eq 105", "0"),
        ("code ne 105", "12345"),
        ("code eq '105'", "1"),
        ("code ne '105'", "02345"),
        ("code gt 1", "0"),
        ("not (code le 200)", "12345"),
        ("code eq true", "4"),
        ("code", "4"),
        ("not code", "01235"),
        ("code eq null", "5"),
        ("code ne null", "01234"),
        ("search.in(code, '105 2015-01-01')", "12"),
        # Of a field that is no list `any` is false and `all` is true.
        ("tags/any(t: t eq 'a')", "0"),
        ("tags/all(t: t ne 'a')", "12345"),
        ("tags/any(t: t ge 1)", "1"),
        ("tags/all(t: t gt 1)", "2345"),
        ("tags/any(t: t ne 9)", "01"),
        ("tags/any()", "01"),
        ("tags eq 'a'", "2"),
        ("tags ne 'a'", "01345"),
        # A text that spells a date is that date, on both sides, and in lists.
        ("code eq '2015-01-01'", "2"),
        ("code eq 2015-01-01", "2"),
        ("code lt 2015-01-02T00:00:00Z", "2"),
        ("tags/any(t: t eq '2015-01-01')", "0"),
        ("tags/any(t: t eq 2015-01-01T00:00Z)", "0"),
        ("tags/any(t: t gt 2014-12-31 and t lt 2016-01-01)", "0"),
    ],
)
def test_a_field_of_several_types_is_compared_with_each_of_them(text: str, passes: str) -> None:
    assert passing(text) == passes


@pytest.mark.parametrize(
    ("literal", "equal", "later"),
    [
        ("2015-01-01", True, True),
        ("2015-01-01T00:00Z", True, True),
        ("2015-01-01T00:00:00.000Z", True, True),
        ("2015-01-01T02:00:00+02:00", True, True),
        ("2014-12-31T19:00-05:00", True, True),
        ("2015-01-01T08:00:00Z", False, False),
        ("2015-01-01T00:00:00.000000000001Z", False, False),
        ("2014-12-31T23:59:59Z", False, True),
    ],
)
def test_a_date_is_the_beginning_of_its_day_in_utc(literal: str, equal: bool, later: bool) -> None:  # noqa: FBT001
    documents: tuple[Metadata, ...] = ({"due": date(2015, 1, 1)},)
    for operator, expected in (
        ("eq", equal),
        ("ne", not equal),
        ("ge", later),
        ("lt", not later),
        ("gt", later and not equal),
        ("le", equal or not later),
    ):
        assert passing(f"due {operator} {literal}", documents) == ("0" if expected else "")
        assert passing(f"not (due {operator} {literal})", documents) == ("" if expected else "0")


def test_an_integer_is_compared_exactly_and_numbers_that_are_none_by_their_rules() -> None:
    documents: tuple[Metadata, ...] = ({"n": 2.0**53}, {"n": -1.5}, {})
    for text, passes in (
        ("n eq 9007199254740992", "0"),
        ("n eq 9007199254740993", ""),
        ("n ne 9007199254740993", "012"),
        ("n lt 9007199254740993", "01"),
        ("n ge -9223372036854775808", "01"),
        ("n eq +9007199254740992.0", "0"),
        ("n lt INF and n gt -INF", "01"),
        ("n eq INF or n eq NaN or n le NaN", ""),
        ("n ne NaN", "012"),
    ):
        assert passing(text, documents) == passes, text


@pytest.mark.parametrize(
    ("types", "is_read"),
    [({FieldType.TEXT}, True), ({FieldType.TEXT, FieldType.NUMBER}, True), ({FieldType.NUMBER}, False)],
)
def test_a_number_in_quotes_is_text_and_an_error_where_every_document_has_a_number(
    types: set[FieldType],
    is_read: bool,  # noqa: FBT001
) -> None:
    known: FieldTypes = {"page_number": frozenset(types)}
    if is_read:
        assert matches(parse_odata("page_number eq '105'", known), {"page_number": "105"})
        assert not matches(parse_odata("page_number eq '105'", known), {"page_number": 105.0})
    else:
        with pytest.raises(
            InvalidInput, match="is a number and cannot be compared with a text: write 5, without quotes"
        ):
            parse_odata("page_number eq '105'", known)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("source eq 'a'", False),
        ("source eq 5", False),
        ("source gt 2015-01-01", False),
        ("source", False),
        ("search.in(source, 'a,b')", False),
        ("source/any(s: s eq 'a')", False),
        ("source/any(s: s gt 5)", False),
        ("source/any()", False),
        ("source eq null", True),
        ("source ne 'a'", True),
        ("source ne true", True),
        ("source ne null", False),
        ("source/all(s: s)", True),
        ("source/all(s: s ne 'a')", True),
    ],
)
def test_a_field_that_a_definition_names_is_null_where_no_readable_document_has_it(text: str, passes: bool) -> None:  # noqa: FBT001
    assert passing(text, ({"n": 1.0},), frozenset({"source"})) == ("0" if passes else "")
    with pytest.raises(InvalidInput, match="Could not find a property named 'source'"):
        passing(text, ({"n": 1.0},))


def test_the_types_of_readable_documents_count_for_a_field_of_a_definition() -> None:
    with pytest.raises(InvalidInput, match="is a number"):
        passing("n eq 'a'", ({"n": 1.0},), frozenset({"n"}))


def test_a_documents_own_fields_count_where_no_metadata_has_the_name() -> None:
    own = {"title": "'x'", "language": "'de'", "source_file_name": "'a.pdf'", "page": "3"}
    for name, literal in own.items():
        value = 3 if name == "page" else literal.strip("'")
        for defined in (frozenset[str](), frozenset({name})):
            found = parse_odata(f"{name} eq {literal}", {}, defined)
            assert found == Compare(f"/{name}", Operator.EQ, value, Language.ODATA)
        assert parse_odata(f"{name} eq null", {}) == Not(Exists(f"/{name}"))
        known: FieldTypes = {name: frozenset({FieldType.BOOLEAN})}
        assert parse_odata(f"{name} eq true", known) == Compare(name, Operator.EQ, value=True, language=Language.ODATA)
        with pytest.raises(InvalidInput, match=f"`{name}` is (?:a text|a number) and cannot be compared"):
            parse_odata(f"{name} eq true", {})


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("not not Parking", "not (not (Parking))"),
        ("not Parking and Parking", "(not Parking) and Parking"),
        ("true eq search.in(Name, 'a')", "search.in(Name, 'a')"),
        ("search.in(Name, 'a') ne true", "not search.in(Name, 'a')"),
        ("search.in(Name, 'a,b')", "search.in(Name, ', a  ,,b ')"),
        ("search.in(Name, 'a b', '')", "search.in(Name, 'a b', '|')"),
        ("search.in(Name, 'a]b^c-d', '^-]')", "search.in(Name, 'a b c d')"),
        ("5 lt Rating", "Rating gt 5"),
        ("null eq Rating", "Rating eq null"),
        ("(((Rating))) eq (5)", "Rating eq 5"),
        ("Tags/any(Rating:Rating eq 'a')", "Tags/any(t: t eq 'a')"),
        ("Tags/all(t: not (t eq 'a' or t eq 'b'))", "Tags/all(t: not (t eq 'a' or (t eq 'b')))"),
        ("\tRating\r\neq 5 ", "Rating eq 5"),
        ("Name eq 'Cafe\u0301\u200b'", "Name eq 'Caf\u00e9'"),
    ],
)
def test_two_spellings_are_one_filter(text: str, same: str) -> None:
    assert parse_odata(text, KNOWN) == parse_odata(same, KNOWN)


def test_search_in_without_texts_passes_nothing() -> None:
    documents: tuple[Metadata, ...] = ({"t": "a"}, {"t": ""}, {})
    assert passing("search.in(t, ' , ')", documents) == passing("search.in(t, '')", documents) == ""
    assert passing("not search.in(t, '')", documents) == "012"


@pytest.mark.parametrize("text", ["in eq 'a'", "any eq 'a'", "search eq 'a'", "add eq 'a' and has eq 'a'"])
def test_words_of_functions_and_of_operators_that_are_not_served_can_name_fields(text: str) -> None:
    names = ("in", "any", "search", "add", "has")
    assert passing(text, (dict.fromkeys(names, "a"),)) == "0"
