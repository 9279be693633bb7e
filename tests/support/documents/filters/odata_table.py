"""OData filters with the documents that pass them, by the rules of Azure AI Search."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.filters.field_types import FieldType, FieldTypes, field_types

_FIELDS: Final = ("Name", "Category", "Rating", "Price", "Parking", "Opened", "Tags", "Marks")
_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "A": ("Alice's Inn", "Luxury", 5, 120.5, True, "2015-01-01", ["wifi", "pool"], [1, 9]),
    "B": ("Budget hotel", "Budget", 3, 40, False, "2010-06-30", ["wifi"], [3, 4]),
    "C": ("Sea View motel", "luxury", 0, -1.5, None, "2020-12-31", ["sea view", "motel"], [6]),
    "D": ("", "Budget", None, None, True, None, None, None),
    "E": (None,) * 8,
}
_LISTS: Final = ("Tags", "Marks")
ROWS: Final[Mapping[str, Metadata]] = {
    name: metadata_from_mapping({f: each for f, each in zip(_FIELDS, values, strict=True) if each is not None})
    for name, values in _VALUES.items()
}
"""Documents as an index can store them."""
WITH_EMPTY_ROWS: Final[Mapping[str, Metadata]] = {
    name: {**dict.fromkeys(_LISTS, ()), **held} for name, held in ROWS.items()
}
"""Documents in which a missing list is an empty one, which every filter takes alike."""
FLAGS: Final = "Flags"
"""List of booleans, which no metadata can have: filters on it are decided in memory alone."""
_FLAGS: Final[Mapping[str, tuple[bool, ...]]] = {"A": (True, False), "B": (False,), "C": (True,)}
DOCUMENTS: Final[Mapping[str, Metadata]] = {
    name: {**held, FLAGS: _FLAGS[name]} if name in _FLAGS else held for name, held in ROWS.items()
}
WITH_EMPTY_LISTS: Final[Mapping[str, Metadata]] = {
    name: {**dict.fromkeys((*_LISTS, FLAGS), ()), **held} for name, held in DOCUMENTS.items()
}
KNOWN: Final[FieldTypes] = {**field_types(ROWS.values()), FLAGS: frozenset({FieldType.EMPTY_LIST})}
"""Types of the fields; of `FLAGS` a readable document has an empty list, whose items may be of any type."""

ALL: Final = "ABCDE"
NONE: Final = ""
REFUSED: Final = "refused"

FILTERS: Final[tuple[tuple[str, str], ...]] = (
    # Texts, null and a literal on the left.
    ("Category eq 'Luxury'", "A"),
    ("Category ne 'Luxury'", "BCDE"),
    ("Category eq null", "E"),
    ("Category ne null", "ABCD"),
    ("'Luxury' eq Category", "A"),
    ("Name eq 'Alice''s Inn'", "A"),
    ("Name eq ''", "D"),
    # Numbers.
    ("Rating ge 3 and Rating le 5", "AB"),
    ("3 le Rating", "AB"),
    ("5 gt Rating", "BC"),
    ("Rating eq 5.0", "A"),
    ("Price gt -1.5e0", "AB"),
    ("Rating gt null", REFUSED),
    ("not Rating gt 5", REFUSED),
    ("not (Rating gt 3)", "BCDE"),
    ("Rating ne 3", "ACDE"),
    # Booleans.
    ("Parking", "AD"),
    ("not Parking", "BCE"),
    ("Parking eq false", "B"),
    ("Parking ne true", "BCE"),
    ("Parking ne null", "ABD"),
    ("Parking eq 'true'", REFUSED),
    ("true", ALL),
    ("false or Parking", "AD"),
    ("Rating", REFUSED),
    ("Parking and null", REFUSED),
    # Precedence.
    ("Rating eq 3 or Rating eq 5 and Parking", "AB"),
    ("(Rating eq 3 or Rating eq 5) and Parking", "A"),
    ("not Parking or Rating eq 5", "ABCE"),
    # Points in time.
    ("Opened ge 2015-01-01T00:00:00Z", "AC"),
    ("Opened gt 2015-01-01T00:00Z", "C"),
    ("Opened ge 2015-01-01T00:00:00-08:00", "C"),
    ("Opened eq 2015-01-01T01:00:00+01:00", "A"),
    ("Opened lt 2015-01-01", "B"),
    ("Opened ge '2015-01-01'", REFUSED),
    ("Opened ge 2015-01-01T00:00:00", REFUSED),
    ("Opened ge 2015-13-01T00:00:00Z", REFUSED),
    # search.in.
    ("search.in(Category, 'Luxury,Budget')", "ABD"),
    ("search.in(Category, 'Luxury Budget')", "ABD"),
    ("search.in(Name, 'Sea View motel,Budget hotel', ',')", "BC"),
    ("search.in(Name, 'Sea View motel|Budget hotel', '|')", "BC"),
    ("search.in(Name, 'Sea View motel,Budget hotel')", NONE),
    ("not search.in(Category, 'Budget')", "ACE"),
    ("search.in(Category, 'budget')", NONE),
    ("search.in(Rating, '5')", REFUSED),
    ("search.in(Category, 'Luxury') eq true", "A"),
    # Lists of texts.
    ("Tags/any(t: t eq 'wifi')", "AB"),
    ("Tags/any(t: search.in(t, 'pool, motel'))", "AC"),
    ("Tags/any(t: search.in(t, 'sea view|spa', '|'))", "C"),
    ("Tags/all(t: t ne 'wifi')", "CDE"),
    ("Tags/all(t: not search.in(t, 'motel, cabin'))", "ABDE"),
    ("Tags/any()", "ABC"),
    ("not Tags/any()", "DE"),
    ("Tags/all()", REFUSED),
    ("Tags/any(t: t ne 'wifi')", REFUSED),
    ("Tags/all(t: t eq 'wifi')", REFUSED),
    ("Tags/any(t: t eq 'wifi' or t eq 'motel')", "ABC"),
    ("Tags/any(t: t eq 'wifi' and t eq 'pool')", REFUSED),
    ("Tags/any(t: t eq 'wifi') and Tags/any(t: t eq 'pool')", "A"),
    ("Tags/any(t: t gt 'a')", REFUSED),
    ("Tags/any(t: Rating gt 3)", REFUSED),
    ("Tags eq 'wifi'", REFUSED),
    ("Category/any(c: c eq 'Luxury')", REFUSED),
    # Lists of numbers: one item meets all of a condition.
    ("Marks/any(m: m gt 2 and m le 5)", "B"),
    ("Marks/any(m: m gt 5 or m lt 2)", "AC"),
    ("Marks/all(m: m ge 3)", "BCDE"),
    ("Marks/any(m: m ne 6)", "AB"),
    ("Marks/any(m: m ne 6 and m gt 2)", REFUSED),
    ("Marks/all(m: m eq 6)", "CDE"),
    ("Marks/all(m: m eq 6 or m gt 8)", REFUSED),
    ("Marks/any(m: (m gt 2 and m lt 4) or (m gt 8 and m lt 10))", "AB"),
    ("not Marks/all(m: m gt 2)", "A"),
    # Lists of booleans.
    ("Flags/any(f: f)", "AC"),
    ("Flags/all(f: not f)", "BDE"),
    ("Flags/any(f: f or not f)", REFUSED),
    # Types, and what is not served.
    ("Category gt 'B'", REFUSED),
    ("Rating eq '5'", REFUSED),
    ("Rating eq Price", REFUSED),
    ("5 eq 5", REFUSED),
    ("Nope eq 1", REFUSED),
    ("Category in ('Luxury')", REFUSED),
    ("substringof('x', Name)", REFUSED),
    ("search.ismatch('x')", REFUSED),
    ("geo.distance(Loc, geography'POINT(-122 49)') le 10", REFUSED),
    ("startswith(Name, 'A')", REFUSED),
    ("Rating eq 5 AND Parking", REFUSED),
    ("Rating = 5", REFUSED),
    ('Category eq "Luxury"', REFUSED),
    ("(Rating eq 5", REFUSED),
)
ADMITTED: Final = tuple((text, passes) for text, passes in FILTERS if passes != REFUSED)
STORABLE: Final = tuple((text, passes) for text, passes in ADMITTED if FLAGS not in text)
"""Filters that pass documents, on fields that an index can store."""
