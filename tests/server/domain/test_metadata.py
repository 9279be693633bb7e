"""Metadata: typed once, kept exactly, one text for equal values."""

import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.metadata import (
    Metadata,
    Value,
    from_json,
    is_field_name,
    merge_metadata,
    metadata_from_mapping,
    parse_front_matter,
    to_json,
)
from groundwire.domain.errors import InvalidInput
from groundwire_readers.contents.limits import (
    MAX_METADATA_FIELDS,
    MAX_METADATA_LIST_ITEMS,
    MAX_METADATA_VALUE_CHARACTERS,
)
from tests.server.domain.values import metadata
from tests.support.plugins.draws import examples

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=examples(200))
@given(metadata)
def test_what_is_stored_comes_back_with_its_types(held: Metadata) -> None:
    back = from_json(to_json(held))

    assert back == held
    assert {name: type(value) for name, value in back.items()} == {name: type(value) for name, value in held.items()}


@settings(deadline=None, max_examples=examples(200))
@given(metadata, metadata)
def test_equal_metadata_and_no_other_is_equal_text(one: Metadata, other: Metadata) -> None:
    def distinguished(held: Metadata) -> dict[str, tuple[type, Value]]:
        return {name: (type(value), value) for name, value in held.items()}

    assert (to_json(one) == to_json(other)) == (distinguished(one) == distinguished(other))


def test_the_order_of_fields_and_the_sign_of_zero_make_no_difference() -> None:
    assert to_json(metadata_from_mapping({"a": 1, "b": -0.0})) == to_json(metadata_from_mapping({"b": 0, "a": 1.0}))


@settings(deadline=None, max_examples=examples(200))
@given(json_values)
def test_text_that_was_not_stored_here_is_refused_or_metadata(given_value: object) -> None:
    try:
        held = from_json(json.dumps(given_value))
    except ValueError:
        return
    assert from_json(to_json(held)) == held


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '"x"',
        "",
        '{"a":1}',
        '{"a":null}',
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":[1.0,"x"]}',
        '{"a":{"date":"2024"}}',
        '{"a":{"date":"20240531"}}',
        '{"a":{"date":"2024-05-31","b":1.0}}',
    ],
)
def test_nothing_but_stored_metadata_is_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_json(text)


def test_what_a_person_writes_gets_the_type_that_is_meant() -> None:
    given_values = {
        "year": 2024,
        "ratio": 0.5,
        "draft": True,
        "due": "2024-05-31",
        "seen": datetime(2024, 5, 31, 23, 0, tzinfo=UTC),
        "no_day": "2024-02-30",
        "name": "Cafe\u0301\u200b  bar",
        "tags": ["a", "b"],
        "sizes": [1, 2.5],
        "days": [date(2024, 1, 2), "2024-01-03"],
    }

    assert metadata_from_mapping(given_values) == {
        "year": 2024.0,
        "ratio": 0.5,
        "draft": True,
        "due": date(2024, 5, 31),
        "seen": date(2024, 5, 31),
        "no_day": "2024-02-30",
        "name": "Caf\u00e9 bar",
        "tags": ("a", "b"),
        "sizes": (1.0, 2.5),
        "days": ("2024-01-02", "2024-01-03"),
    }
    assert type(metadata_from_mapping(given_values)["seen"]) is date


UNKEPT: dict[str, object] = {
    "nothing": None,
    "nested": {"a": 1},
    "mixed": ["a", 1],
    "truths": [True, False],
    "long": "x" * (MAX_METADATA_VALUE_CHARACTERS + 1),
    "many": ["x"] * (MAX_METADATA_LIST_ITEMS + 1),
    "inexact": 2**53 + 1,
    "huge": 10**400,
    "infinite": float("inf"),
    "no_number": float("nan"),
    "two words": 1,
    "": 1,
    "9lives": 1,
    "x" * 65: 1,
}


@pytest.mark.parametrize("name", UNKEPT)
def test_what_cannot_be_kept_is_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidInput, match=repr(name)):
        metadata_from_mapping({name: UNKEPT[name]})


def test_other_properties_of_a_file_are_kept() -> None:
    assert parse_front_matter({**UNKEPT, "author": "Ada", "year": 2024}) == {"author": "Ada", "year": 2024.0}


def test_a_document_has_only_so_many_fields() -> None:
    many: dict[str, object] = {f"f{number}": number for number in range(MAX_METADATA_FIELDS + 1)}

    with pytest.raises(InvalidInput, match="at most"):
        metadata_from_mapping(many)
    assert list(parse_front_matter(many)) == list(many)[:MAX_METADATA_FIELDS]


@settings(deadline=None, max_examples=examples(100))
@given(metadata, metadata)
def test_what_is_given_counts_more_than_what_the_file_states(own: Metadata, given_values: Metadata) -> None:
    both = merge_metadata(own, given_values)

    assert {name: both[name] for name in given_values} == given_values
    assert {name: value for name, value in both.items() if name not in given_values} == {
        name: value for name, value in own.items() if name not in given_values
    }


def test_fields_of_the_file_give_way_where_there_is_no_room() -> None:
    own = metadata_from_mapping({f"own{number}": number for number in range(MAX_METADATA_FIELDS)})
    given_values = metadata_from_mapping({"a": 1, "b": 2})

    both = merge_metadata(own, given_values)

    assert len(both) == MAX_METADATA_FIELDS
    assert set(given_values) <= set(both)


@settings(deadline=None, max_examples=examples(100))
@given(st.text(max_size=70))
def test_a_field_is_a_letter_and_what_needs_no_quotes(name: str) -> None:
    letters = [*map(chr, range(ord("a"), ord("z") + 1)), *map(chr, range(ord("A"), ord("Z") + 1))]
    others = [*letters, *"0123456789_-"]

    assert is_field_name(name) == (0 < len(name) <= 64 and name[0] in letters and all(c in others for c in name))
