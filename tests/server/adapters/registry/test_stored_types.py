"""A field table gives the row, the item and the JSON of a type, and what is missing or foreign is never replaced."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.local.sqlite.stored_rows import RowCodec, column_declaration, column_declarations
from groundwire.domain.errors import InvalidInput
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.entry.serialization.stored_members import order_members, read_members, shown_members
from groundwire.stored.fields import REQUIRED, Shown, field
from groundwire.stored.kinds import (
    BOOLEAN,
    BYTES,
    COUNT,
    INTEGER,
    MOMENT,
    REAL,
    TEXT,
    TEXT_SET,
    TEXTS,
    UnreadableValue,
    enum_set,
    enum_text,
    word_or_set,
)
from groundwire.stored.stored_type import NotStored, StoredPart, StoredType


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class ReachedScope(NamedTuple):
    names: frozenset[str] | str
    colours: frozenset[Colour]


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    colour: Colour
    size: Size
    span: ReachedScope
    made_at: float
    marks: tuple[str, ...]
    tags: frozenset[str]
    sketch: bytes = b""
    is_open: bool = False
    count: int = 7
    note: str | None = None
    in_memory: object = None


THING: Final = StoredType(
    Thing,
    field("name", TEXT, absent=REQUIRED),
    # The order of a table is free.
    field("made_at", MOMENT, absent=REQUIRED),
    field("colour", enum_text(Colour), absent=REQUIRED, stored_as="paint", item_as="item_paint"),
    StoredPart("size", StoredType(Size, field("width", INTEGER, absent=REQUIRED), field("weight", REAL, absent=None))),
    StoredPart(
        "span",
        StoredType(
            ReachedScope,
            field("names", word_or_set("every"), absent=REQUIRED),
            field("colours", enum_set(Colour), absent=REQUIRED),
        ),
    ),
    field("marks", TEXTS, absent=REQUIRED),
    field("tags", TEXT_SET, absent=REQUIRED, shown=Shown.NEVER),
    field("sketch", BYTES, absent=b"", shown=Shown.NEVER),
    field("is_open", BOOLEAN, absent=False),
    field("count", COUNT, absent=7, always_written=True, shown=Shown.ALWAYS),
    field("note", TEXT, absent=None, shown=Shown.ALWAYS),
    NotStored("in_memory", None),
)
ROWS: Final = RowCodec(THING)
ITEMS: Final = ItemCodec(THING)
USUAL: Final = Thing(
    "usual",
    Colour.RED,
    Size(1),
    ReachedScope(frozenset({"a"}), frozenset({Colour.RED})),
    1.5,
    ("b", "a"),
    frozenset({"t"}),
)
SETS = st.frozensets(st.text(max_size=8), max_size=4)
THINGS = st.builds(
    Thing,
    name=st.text(max_size=8),
    colour=st.sampled_from(Colour),
    size=st.builds(Size, st.integers(-(2**60), 2**60), st.none() | st.floats(allow_nan=False)),
    span=st.builds(ReachedScope, SETS | st.just("every"), st.frozensets(st.sampled_from(Colour))),
    made_at=st.floats(allow_nan=False, allow_infinity=False),
    marks=st.lists(st.text(max_size=8), max_size=4).map(tuple),
    tags=SETS,
    sketch=st.binary(max_size=8),
    is_open=st.booleans(),
    count=st.integers(0, 100),
    note=st.none() | st.text(max_size=8),
    in_memory=st.none(),
)


@given(THINGS)
def test_a_value_is_read_from_its_row_and_its_item_as_it_was_written(thing: Thing) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        declared = ", ".join(f"{each.column} {column_declaration(each)}" for each in THING.fields)
        connection.execute(f"CREATE TABLE things ({declared})")
        connection.execute(f"INSERT INTO things ({ROWS.names}) VALUES ({ROWS.placeholders})", ROWS.to_row(thing))
        row = connection.execute(f"SELECT {ROWS.names}, 1 AS further FROM things").fetchone()
    assert ROWS.from_row(row) == thing
    assert ITEMS.from_item(ITEMS.to_item(thing)) == thing


def test_the_columns_that_a_file_may_lack_have_the_meaning_of_their_absence() -> None:
    assert column_declarations(THING) == {
        "weight": "REAL",
        "sketch": "BLOB NOT NULL DEFAULT x''",
        "is_open": "INTEGER NOT NULL DEFAULT 0",
        "count": "INTEGER NOT NULL DEFAULT 7",
        "note": "TEXT",
    }
    with closing(sqlite3.connect(":memory:")) as connection:
        required = [each for each in THING.fields if each.column not in column_declarations(THING)]
        connection.execute(f"CREATE TABLE things ({', '.join(each.column for each in required)})")
        values = dict(zip(ROWS.columns, ROWS.to_row(USUAL), strict=True))
        marks = ", ".join("?" for _ in required)
        connection.execute(f"INSERT INTO things VALUES ({marks})", [values[each.column] for each in required])
        for column, declaration in column_declarations(THING).items():
            connection.execute(f"ALTER TABLE things ADD COLUMN {column} {declaration}")
        assert ROWS.from_row(connection.execute(f"SELECT {ROWS.names} FROM things").fetchone()) == USUAL


def test_an_item_has_neither_none_nor_what_its_absence_means_unless_an_earlier_release_requires_it() -> None:
    item = ITEMS.to_item(USUAL)
    assert {"weight", "sketch", "is_open", "note", "in_memory"}.isdisjoint(item)
    assert (item["count"], item["item_paint"]) == ({"N": "7"}, {"S": "red"})


@pytest.mark.parametrize("attribute", ["name", "made_at", "item_paint", "width", "names", "colours", "marks", "tags"])
def test_an_item_without_a_required_attribute_or_with_a_foreign_one_is_not_read(attribute: str) -> None:
    item = ITEMS.to_item(USUAL)
    foreign: list[Any] = [{"NULL": True}, {"BOOL": True}, {"S": "strange"}, {"N": "1"}, {"L": [{"N": "1"}]}]
    for value in foreign:
        if value.keys() != item[attribute].keys() or attribute not in {"name", "made_at", "width"}:
            with pytest.raises(UnreadableValue):
                ITEMS.from_item({**item, attribute: value})
    del item[attribute]
    with pytest.raises(UnreadableValue):
        ITEMS.from_item(item)


@pytest.mark.parametrize(
    ("column", "value"),
    [("names", "all"), ("names", "[1]"), ("colours", '["green"]'), ("marks", "{}"), ("tags", "["), ("paint", None)],
)
def test_a_row_with_a_foreign_value_is_not_read(column: str, value: object) -> None:
    row = [*ROWS.to_row(USUAL)]
    row[ROWS.columns.index(column)] = value
    with pytest.raises(UnreadableValue):
        ROWS.from_row(row)


def test_a_field_may_be_read_from_the_key_of_an_item() -> None:
    codec = ItemCodec(THING, derived={"name": lambda item: item["id"].get("S", "").removeprefix("thing#")})
    item = codec.to_item(USUAL)
    assert "name" not in item
    assert codec.from_item({**item, "id": {"S": "thing#usual"}}) == USUAL


def test_people_read_times_as_utc_and_no_hidden_field() -> None:
    shown = shown_members(THING, replace(USUAL, is_open=True, span=ReachedScope("every", frozenset())))
    assert shown == {
        "name": "usual",
        "made_at": "1970-01-01T00:00:01Z",
        "colour": "red",
        "width": 1,
        "names": "every",
        "colours": [],
        "marks": ["b", "a"],
        "is_open": True,
        "count": 7,
        "note": None,
    }


class Order(NamedTuple):
    width: int
    weight: float | None
    is_open: bool
    tags: frozenset[str] | None
    title: str


ORDER: Final = StoredType(
    Order,
    field("width", INTEGER, absent=REQUIRED),
    field("weight", REAL, absent=None),
    field("is_open", BOOLEAN, absent=False),
    field("tags", TEXT_SET, absent=None),
    field("title", TEXT, absent=REQUIRED),
)
PLAIN_ORDER: Final = Order(3, None, False, None, "")


@given(st.builds(Order, st.integers(), st.none() | st.floats(0, 1), st.booleans(), st.none() | SETS, st.text()))
def test_an_order_is_read_as_it_was_written_and_has_no_unknown_member(order: Order) -> None:
    members = order_members(ORDER, order)
    reader = ObjectReader(members)
    assert read_members(ORDER, reader, PLAIN_ORDER) == order
    reader.reject_unread()
    assert members.keys() >= {"width", "title"}
    assert ("is_open" in members) is order.is_open


def test_an_order_without_members_is_the_usual_one() -> None:
    assert order_members(ORDER, PLAIN_ORDER) == {"width": 3, "title": ""}
    assert read_members(ORDER, ObjectReader({"tags": None, "weight": None}), PLAIN_ORDER) == PLAIN_ORDER


@pytest.mark.parametrize(
    "member", [{"width": "3"}, {"weight": "heavy"}, {"is_open": "yes"}, {"tags": "t"}, {"tags": [1]}, {"title": 1}]
)
def test_a_member_of_another_type_is_refused(member: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(member))):
        read_members(ORDER, ObjectReader(member), PLAIN_ORDER)


def test_a_table_has_one_entry_for_each_attribute() -> None:
    for entries in (
        [field("width", INTEGER, absent=REQUIRED)],
        [field("width", INTEGER, absent=REQUIRED), field("weight", REAL, absent=None), NotStored("height", 1)],
        [field("width", INTEGER, absent=REQUIRED), NotStored("width", 1)],
    ):
        with pytest.raises(TypeError, match="Size"):
            StoredType(Size, *entries)


def test_two_fields_of_a_type_and_its_parts_cannot_have_one_name() -> None:
    class Pair(NamedTuple):
        width: int
        size: Size

    size = StoredType(Size, field("width", INTEGER, absent=REQUIRED), field("weight", REAL, absent=None))
    with pytest.raises(TypeError, match="one name"):
        StoredType(Pair, field("width", INTEGER, absent=REQUIRED), StoredPart("size", size))
