"""CEL filters: what each form of the language means for a document."""

from datetime import date
from random import Random

import pytest

from groundwire.dialects.vertex.filter.parser import parse_cel
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.filters.expression import AllOf, Compare, Exists, Operator, TextMatch, matches, surely_fails
from groundwire.domain.filters.field_types import field_types
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.size import check_size
from tests.support.documents.filters.cel_cases import any_document, any_filter
from tests.support.documents.filters.clauses import row_passes

HELD = metadata_from_mapping(
    {
        "year": 2024,
        "month": "May",
        "price": 1.5,
        "draft": False,
        "due": "2024-05-31",
        "tags": ["red", "2024-01-02"],
        "sizes": [1, 9],
        "none": [],
        "x-y": "a b",
        "if": 1,
        "metadata": 7,
        "path": "C:\\new",
    }
)


def truth_of(text: str, held: Metadata = HELD) -> str:
    """Return T, F, or U for an error of CEL."""
    where = parse_cel(text, field_types([held]))
    return "T" if matches(where, held) else "F" if surely_fails(where, held) else "U"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        # The sample of RAG Engine's documentation, and the names of a field.
        ('year == 2024 && month == "May"', "T"),
        ('metadata.year == 2024 && metadata["month"] == "May"', "T"),
        ("metadata['x-y'] == 'a b'", "T"),
        ("metadata.if == 1 && metadata.metadata == 7", "T"),
        # Comparisons, on either side.
        ("year != 2024", "F"),
        ("year < 2024.5 && year <= 2024 && year > 2023u && year >= 0x7E8", "T"),
        ("2025 > year && 2024 <= year && 2023 < year && 2024 >= year", "T"),
        ("price == 1.5 && price == .15e1 && price > -1", "T"),
        ('month == "may"', "F"),
        ('month < "N" && month >= "Ma"', "T"),
        ("draft == false && draft < true && draft != true", "T"),
        ("draft == false || nothing == 1", "T"),
        # Absent fields are errors, which `&&` and `||` alone absorb.
        ("nothing == 1", "U"),
        ("nothing != 1", "U"),
        ("!(nothing == 1)", "U"),
        ("nothing in [1]", "U"),
        ("nothing in []", "U"),
        ('"a" in nothing', "U"),
        ("nothing == null", "U"),
        ("nothing == []", "U"),
        ("nothing == [1]", "U"),
        ('nothing.startsWith("a")', "U"),
        ('nothing < timestamp("2024-05-31T00:00:00Z")', "U"),
        ('nothing == timestamp("2024-05-31T00:00:01Z")', "U"),
        ("nothing == 1 || true", "T"),
        ("nothing == 1 || year == 2024", "T"),
        ("year == 2024 || nothing == 1", "T"),
        ("nothing == 1 && false", "F"),
        ("nothing == 1 && year == 2024", "U"),
        ("!(nothing == 1 && year == 1)", "T"),
        ("has(metadata.nothing) && nothing == 1", "F"),
        ("!has(metadata.nothing) || nothing == 1", "T"),
        # Presence.
        ("has(metadata.year)", "T"),
        ("has(metadata.none)", "T"),
        ("has(metadata.nothing)", "F"),
        ("has(year)", "T"),
        ('has(metadata["x-y"])', "T"),
        ('"x-y" in metadata', "T"),
        ('"nothing" in metadata', "F"),
        # Values of another type are unequal and have no order.
        ('year == "2024"', "F"),
        ('year != "2024"', "T"),
        ('year < "2024"', "U"),
        ("month >= 1", "U"),
        ("draft == 0", "F"),
        ("draft < 1", "U"),
        ("year == null", "F"),
        ("year != null && null != month", "T"),
        ('year.contains("2")', "U"),
        ('year in ["2024", 2024]', "T"),
        ('year in ["2024", null, true]', "F"),
        ("year in []", "F"),
        # Lists: `in` searches them; equality is that of the whole list.
        ('"red" in tags', "T"),
        ('"blue" in tags', "F"),
        ('"2024-01-02" in tags', "T"),
        ("9.0 in sizes && !(2 in sizes)", "T"),
        ("1 in tags || null in tags || [1] in sizes", "F"),
        ('"red" in month', "U"),
        ('tags == "red"', "F"),
        ('tags != "red"', "T"),
        ('tags in ["red"]', "F"),
        ('tags > "a"', "U"),
        ('tags == ["red", "2024-01-02"]', "T"),
        ('["2024-01-02", "red"] == tags', "F"),
        ('tags == ["red"] || tags == ["red", "2024-01-02", "x"] || tags == [1, null]', "F"),
        ("sizes == [1u, 9.0,]", "T"),
        ("sizes != [1, 8]", "T"),
        ("none == [] && sizes != []", "T"),
        ("month == []", "F"),
        ('month == ["May"]', "F"),
        # Texts by case, with escapes and without.
        ('month.startsWith("Ma") && month.endsWith("ay") && month.contains("a")', "T"),
        ('month.startsWith("ma") || month.contains("A")', "F"),
        ('month.contains("")', "T"),
        ('metadata["x-y"].startsWith("a ")', "T"),
        ('metadata.month.startsWith("Ma ")', "F"),
        ('month.contains("\\x00")', "F"),
        ('month == "\\x4d\\141\\u0079" && month == "\\U0000004day"', "T"),
        ("month == '''May''' && month == \"\"\"May\"\"\" && month == r'May'", "T"),
        ("path == \"C:\\\\new\" && path == r\"C:\\new\" && path == R'''C:\\new'''", "T"),
        ('path.contains("\\new")', "F"),
        # Dates: a text that spells a date is that date, and begins at midnight UTC.
        ('due == "2024-05-31" && due < "2024-06-01" && "2024-05-01" <= due', "T"),
        ('due > "2024"', "U"),
        ('due == "2024-05-31T00:00:00Z"', "F"),
        ('due.startsWith("2024-05")', "T"),
        ('due == timestamp("2024-05-31T00:00:00Z")', "T"),
        ('due == timestamp("2024-05-31T02:00:00.000+02:00")', "T"),
        ('due == timestamp("2024-05-31T00:00:00.000000001Z")', "F"),
        ('due < timestamp("2024-05-31T00:00:01Z") && due <= timestamp("2024-05-31T00:00:00Z")', "T"),
        ('due < timestamp("2024-05-31T00:00:00Z") || due >= timestamp("2024-05-31T00:00:01Z")', "F"),
        ('due > timestamp("2024-05-30T23:59:59Z") && timestamp("2024-05-31T00:00:00Z") <= due', "T"),
        ('due in [timestamp("2024-05-31T00:00:00Z")] && due != timestamp("2024-05-31T12:00:00Z")', "T"),
        ('due in [timestamp("2024-05-31T00:00:01Z")]', "F"),
        ('month == timestamp("2024-05-31T00:00:00Z")', "F"),
        ('month < timestamp("2024-05-31T00:00:00Z")', "U"),
        # Precedence, parentheses, constants, comments.
        ("year == 1 && year == 2 || year == 2024", "T"),
        ("year == 1 && (year == 2 || year == 2024)", "F"),
        ("!!(year == 2024) && !draft.contains('x') || true", "T"),
        ("true && !false", "T"),
        ("false", "F"),
        ("year == 2024 // && false\n && true", "T"),
        ("\tyear\r\n==\f2024", "T"),
    ],
)
def test_a_filter_has_the_truth_of_cel(text: str, truth: str) -> None:
    assert truth_of(text) == truth


def test_an_integer_is_compared_exactly() -> None:
    held = {"n": 2.0**53}
    assert truth_of("n == 9007199254740992", held) == "T"
    assert truth_of("n == 9007199254740993", held) == "F"
    assert truth_of("n < 9007199254740993", held) == "T"
    assert truth_of("n < 18446744073709551615u && n > -9223372036854775808", held) == "T"


def test_a_text_of_several_lines_and_its_escapes_are_those_of_cel() -> None:
    written = 'a.contains("""x\r\ny\rz\\r\\?\\`""") && a.endsWith(r"""x\r\n\\n""")'
    assert parse_cel(written, {}) == AllOf(
        (
            TextMatch("a", ("", "x\ny\nz\r?`", ""), Language.CEL),
            TextMatch("a", ("", "x\n\\n"), Language.CEL),
        )
    )


def test_the_names_of_a_documents_own_fields_give_way_to_metadata() -> None:
    for text in ('title == "x"', 'metadata.title == "x"', 'metadata["title"] == "x"'):
        assert parse_cel(text, {}) == Compare("/title", Operator.EQ, "x", Language.CEL)
        assert parse_cel(text, field_types([{"title": "y"}])) == Compare("title", Operator.EQ, "x", Language.CEL)
    assert parse_cel("has(metadata.page)", {}) == parse_cel('"page" in metadata', {}) == Exists("/page")


def test_text_is_normalised_like_the_metadata_that_it_equals() -> None:
    assert truth_of('name == "Cafe\\u0301\\u200b"', metadata_from_mapping({"name": "Caf\u00e9"})) == "T"
    assert truth_of('name.endsWith("e\\u0301")', metadata_from_mapping({"name": "Caf\u00e9"})) == "T"


@pytest.mark.parametrize(
    ("zone", "later"), [("Z", date(2024, 5, 31)), ("+14:00", date(2024, 5, 31)), ("-11:30", date(2024, 6, 1))]
)
def test_a_time_of_day_is_compared_with_the_beginning_of_a_date_in_utc(zone: str, later: date) -> None:
    for day in (date(2024, 5, 29), date(2024, 5, 30), date(2024, 5, 31), date(2024, 6, 1)):
        text = f'due < timestamp("2024-05-31T00:00:00{zone}")'
        assert truth_of(text, {"due": day}) == ("T" if day < later else "F")


def test_clauses_on_rows_are_exact_or_wider_for_two_thousand_random_filters() -> None:
    random, exact, met = Random(11), 0, 0
    for _ in range(2_000):
        where = parse_cel(any_filter(random).ours, {})
        check_size(where)
        compiled, held = index_filter(where), any_document(random)
        passes = row_passes(compiled.clause, held)
        assert passes >= matches(where, held)
        assert not compiled.is_exact or passes is matches(where, held)
        exact, met = exact + compiled.is_exact, met + matches(where, held)
    assert exact > 1_400
    assert met > 500
