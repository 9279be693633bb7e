"""OData filters that cannot be read: each error has the form of Azure AI Search, and mostly the remedy."""

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.errors import InvalidInput
from tests.support.documents.filters.odata_table import KNOWN


def error_of(text: str) -> str:
    with pytest.raises(InvalidInput) as refused:
        parse_odata(text, KNOWN)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        # A syntax error has the position of the last character of the token in question, as the service counts.
        ("Mine is no filter.", 7, "A comparison, `and`, `or` or the end is expected"),
        ("", 0, "The filter is empty"),
        (" \r\n\t", 4, "The filter is empty"),
        ("Rating eq", 9, "is expected"),
        ("Rating eq 5 and", 15, "is expected"),
        ("(Rating eq 5", 12, "`)`, `and`, `or`"),
        ("Rating eq 5)", 12, "or the end is expected"),
        ("Rating eq 5 Parking", 19, "or the end is expected"),
        ("()", 2, "is expected"),
        ("eq eq 5", 2, "is expected"),
        # Marks and words of other languages get a hint.
        ("Rating = 5", 8, "Write `eq`"),
        ("Rating == 5", 9, "Write `eq`"),
        ("Rating != 5", 9, "Write `ne`"),
        ("Rating <> 5", 9, "Write `ne`"),
        ("Rating >= 5", 9, "Write `ge`"),
        ("Rating < 5", 8, "Write `lt`"),
        ("Rating eq 5 && Parking", 14, "Write `and`"),
        ("Rating eq 5 || Parking", 14, "Write `or`"),
        ("!Parking", 1, "Write `not`"),
        ('Category eq "Luxury"', 13, "single quotes"),
        ("Category eq 'Luxury", 13, "A quote is not closed"),
        ("Rating eq 5 AND Parking", 15, "Write `and` in lower case instead of `AND`"),
        ("Rating EQ 5", 9, "Write `eq` in lower case"),
        ("NOT Parking", 3, "Write `not` in lower case"),
        ("Tags/ANY(t: t eq 'a')", 8, "Write `any` in lower case"),
        ("Search.In(Name, 'a')", 9, "Write `search.in` in lower case"),
        ("Category not in ('a')", 12, "write `not` before a condition"),
        ("x-y eq 1", 2, "only letters, digits and `_`"),
        ("\u00e9 eq 1", 1, "is not expected"),
        ("$it eq 1", 1, "name a field"),
        ("Category eq ['a']", 13, "search.in"),
        ("Tags/all()", 8, "`all` needs a condition"),
        ("Tags/any(t)", 11, "`:` and a condition"),
        ("Tags/any('a')", 12, "A name for the item"),
        ("Tags/", 5, "is expected after `/`"),
        ("search.in('a', Name)", 13, "A field is expected"),
        ("search.in(Name)", 15, "A comma and the texts"),
        ("search.in(Name, 5)", 17, "A text in single quotes"),
        ("search.in(Name, 'a', 'b', 'c')", 25, "`)` is expected"),
    ],
)
def test_a_syntax_error_has_the_form_of_the_service_and_the_remedy(text: str, at: int, why: str) -> None:
    shown = "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in text)
    message = error_of(text)
    assert message.startswith(f"Invalid expression: Syntax error at position {at} in '{shown}'. ")
    assert message.endswith(".\r\nParameter name: $filter")
    assert why in message


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        # Refused by name.
        *(
            (f"{name}(Name, 'A')", len(name), f"the function `{name}` is not supported")
            for name in ("indexof", "contains", "startswith", "endswith", "substringof", "length", "tolower", "cast")
        ),
        ("search.ismatch('x')", 14, "the function `search.ismatch` is not supported: put the words into the messages"),
        ("search.ismatchscoring('x')", 21, "the function `search.ismatchscoring`"),
        ("geo.distance(Loc, geography'POINT(-122 49)') le 10", 12, "the function `geo.distance`"),
        ("geo.intersects(Loc, geography'POLYGON((-122 49))')", 14, "the function `geo.intersects`"),
        ("Category in ('Luxury')", 11, "the operator `in` is not supported: write search.in"),
        ("Rating add 1 eq 5", 10, "arithmetic"),
        ("Opened ge datetime'2015-01-01'", 19, "write a date without quotes"),
        # A condition is one.
        ("Rating", 6, "`Rating` is a number and not a condition"),
        ("not Rating", 10, "`Rating` is a number and not a condition"),
        ("Parking and null", 16, "a literal alone is not a condition"),
        ("'a'", 3, "a literal alone is not a condition"),
        ("not Rating gt 5", 13, "the unary operator `not` binds closer than `gt`"),
        ("not search.in(Name, 'a') eq true", 27, "binds closer than `eq`"),
        ("1 lt Rating lt 5", 14, "a comparison cannot be compared"),
        ("(Rating gt 3) eq true", 16, "a condition cannot be compared"),
        ("Tags/any() eq true", 13, "a condition cannot be compared"),
        ("search.in(Name, 'a') eq null", 23, "search.in is true or false"),
        ("search.in(Name, 'a') gt false", 23, "search.in is true or false"),
        ("search.in(Tags/any(), 'a')", 18, "search.in takes a field"),
        ("Rating eq Price", 9, "a field cannot be compared with a field"),
        ("Parking eq TRUE", 10, "write `true` in lower case"),
        ("5 eq 5", 4, "a literal cannot be compared with a literal"),
        # Types.
        ("Rating eq '5'", 13, "`Rating` is a number and cannot be compared with a text: write 5, without quotes"),
        ("Category eq 5", 13, "`Category` is a text and cannot be compared with a number: write 'a', in single quotes"),
        ("Parking eq 'true'", 17, "`Parking` is true or false and cannot be compared with a text: write true"),
        ("Opened eq 5", 11, "write 2024-05-31T00:00:00Z"),
        ("Opened eq 'soon'", 16, "`Opened` is a date and cannot be compared with a text"),
        ("search.in(Rating, '5')", 16, "`Rating` is a number and cannot be compared with a text"),
        ("Category gt 'B'", 11, "text has no order"),
        ("Opened ge '2015-01-01'", 9, "a date without quotes"),
        ("Parking gt false", 10, "true and false have no order"),
        ("Rating gt null", 9, "null has no order"),
        ("Tags eq 'wifi'", 4, "`Tags` is a list and cannot be compared itself: write Tags/any(x: x eq 'a')"),
        ("Tags ne null", 4, "`Tags` is a list"),
        ("Category/any(c: c eq 'Luxury')", 8, "`Category` is not a list"),
        ("Category/any()", 8, "`Category` is not a list"),
        ("Category/City eq 'a'", 13, "`Category` has no members, so `City` is not allowed"),
        ("a.b eq 1", 3, "names have no dots"),
        # Quantifiers.
        ("Tags/any(t: t ne 'wifi')", 16, "for texts `any` takes `eq` and search.in, joined by `or`"),
        ("Tags/any(t: not search.in(t, 'a'))", 25, "for texts `any` takes"),
        ("Tags/any(t: t eq 'a' and t eq 'b')", 29, "for texts `any` takes"),
        ("Tags/all(t: t eq 'wifi')", 16, "for texts `all` takes `ne` and not search.in, joined by `and`"),
        ("Tags/any(t: t gt 'a')", 16, "text has no order"),
        ("Tags/any(t: t eq null)", 21, "an item is never null"),
        ("Tags/any(t: t eq 'a' or t eq 5)", 28, "have one type"),
        ("Tags/any(t: t eq 5)", 18, "`t` is a date or a text and cannot be compared with a number"),
        ("Tags/any(t: t)", 13, "`t` is a date or a text and not a condition"),
        ("Tags/any(t: true)", 16, "a condition on the item is expected"),
        ("Tags/any(t: Tags/any())", 20, "an item is not a list"),
        ("Tags/any(t: t/any(u: u eq 'a'))", 17, "an item is not a list"),
        ("Tags/any(t: Rating gt 3)", 18, "can name only the item, `t`"),
        ("Tags/any(t: t/City eq 'a')", 18, "can name only the item, `t`"),
        ("Tags/any(t: Nope eq 'a')", 16, "can name only the item, `t`"),
        ("Flags/any(f: f or not f)", 23, "allow only one comparison"),
        ("Marks/any(m: m ne 6 and m gt 2)", 17, "`ne` cannot be joined with `and` in `any`"),
        ("Marks/all(m: m eq 6 or m gt 8)", 17, "`eq` cannot be joined with `or` in `all`"),
        ("Marks/any(m: m gt 2 and (m lt 4 or m gt 8))", 39, "`or` is not allowed within `and`"),
        ("Marks/all(m: m gt 2 or (m lt 4 and m gt 1))", 39, "`and` is not allowed within `or`"),
        # Literals.
        ("Rating eq 9223372036854775808", 29, "64 bits"),
        ("Rating eq -9223372036854775809", 30, "64 bits"),
        ("Rating eq 1e999", 15, "the number is too large"),
        ("Rating eq 5L", 12, "this is not a number or a date"),
        ("Rating eq 1.", 12, "this is not a number or a date"),
        ("Rating eq 0x1F", 14, "this is not a number or a date"),
        ("Opened ge 2015-01-01T00:00:00", 29, "with a zone"),
        ("Opened ge 2015-13-01T00:00:00Z", 30, "with a zone"),
        ("Opened ge 2015-02-30", 20, "with a zone"),
        ("Opened ge 2015-01-01T24:00Z", 27, "with a zone"),
        ("Opened ge 2015-01-01T00:00.5Z", 29, "with a zone"),
        ("Opened ge 0001-01-01T00:00+01:00", 32, "with a zone"),
    ],
)
def test_what_is_refused_is_named_with_its_position(text: str, at: int, why: str) -> None:
    message = error_of(text)
    assert message.startswith(f"Invalid expression: At position {at} in '{text}': ")
    assert message.endswith(".\r\nParameter name: $filter")
    assert why in message


@pytest.mark.parametrize(
    "text",
    [
        "Nope eq 1",
        "not Nope",
        "search.in(Nope, 'a')",
        "Nope/any()",
        "Nope/City eq 1",
        "Rating eq 5 or Nope",
        "5 eq Nope",
    ],
)
def test_a_field_that_no_readable_document_has_is_unknown(text: str) -> None:
    assert error_of(text) == (
        "Invalid expression: Could not find a property named 'Nope' on type 'search.document'."
        "\r\nParameter name: $filter"
    )


def test_the_page_of_the_systems_own_example_is_named_as_here() -> None:
    hint = "The page is the number 'page', as in: page eq 105."
    assert hint in error_of("page_number eq '105'")
    assert hint not in error_of("Nope eq '105'")


def test_a_syntax_error_comes_before_an_unknown_field() -> None:
    assert "Syntax error at position 12" in error_of("Nope eq 1 or")


def test_the_callers_text_is_bounded_and_printable() -> None:
    long = "(" + "x" * 2_000 + " eq 1 and\nRating = 5" + " " * 1_000
    assert len(error_of(long)) < 400
    assert "\u2026xx" in error_of(long)
    assert "xx eq 1 and\\nRating = 5" in error_of(long)
    assert len(error_of("x" * 3_000 + " eq 1")) < 300
    assert "'\\ud800 eq'" in error_of("\ud800 eq")
