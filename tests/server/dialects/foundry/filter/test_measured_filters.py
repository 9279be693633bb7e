"""Filters with the rows that Milvus finds by them, by its grammar of version 3 and its three-valued logic."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from groundwire.dialects.foundry.filter.parser import parse_filter
from groundwire.domain.documents.indexed_fields import FILE_PATH_FIELD
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Values, matches
from groundwire.domain.filters.field_types import FieldType, FieldTypes

_PLAIN: Final = ("page", "lang", "ok", "price", "nums", "file_path")
_DOCUMENTS = "…/device-guide.pdf", "…/install_guide.pdf", "/exports/100%_sure.txt", "/exports/notes/a_b.txt"
_PATHS: Final = (*_DOCUMENTS, "/exports/5.txt", "/exports/axb.txt", "/exports/7.txt", "/exports/münchen/straße.md")
_COLUMNS: Final[tuple[tuple[Any, ...], ...]] = (
    (12, "en", True, 9.5, (1, 2, 3)),
    (3, "de", False, 10.0, (2,)),
    (100, "zz", False, 100.0, (100,)),
    (0, "", True, 0.0, ()),
    (-1, "EN", False, -2.5, (7, 7)),
    (7, "en", True, 3.0, (1,)),
    (8, "en-GB", True, 7.25, (8, 9, 10)),
    (5, "de", True, 2.0, (-1, 0)),
)
# A key whose JSON value is null or an object is absent, because metadata is flat.
_METADATA: Final[tuple[Mapping[str, Any], ...]] = (
    {"dept": "sales", "year": 2024, "score": 4.5, "tags": ("a", "b"), "flag": True, "team": "blue", "level": 3},
    {"dept": "finance", "year": 2023, "score": 4, "tags": ("b",), "flag": False, "team": "red", "level": 3.0},
    {},
    {},
    {"year": "2024", "score": "4.5", "tags": "a", "flag": "true", "nested": (1, 2), "team": 5, "level": "3"},
    {"dept": "Sales", "year": 2024.0, "score": 5, "tags": (1, 2, "a"), "flag": 1, "team": ("blue", "red")},
    {"dept": ("sales",), "year": 2025, "tags": ()},
    {"year": 2024, "big": 9007199254740993, "score": 4.5000001, "tags": (("a",), "b", 1.0, True), "level": -3},
)
ROWS: Final[Mapping[str, Values]] = {
    str(number): {
        **dict(zip(_PLAIN, (*columns, path), strict=True)),
        FILE_PATH_FIELD: path,
        **metadata,
    }
    for number, (columns, metadata, path) in enumerate(zip(_COLUMNS, _METADATA, _PATHS, strict=True), 1)
}
KNOWN: Final[FieldTypes] = dict.fromkeys(_PLAIN, frozenset({FieldType.TEXT}))

REFUSED: Final = "refused"
NONE: Final = ""
ALL: Final = "12345678"

FOUND: Final = [
    ("page == 12.0", "1"),
    ("12 == page", "1"),
    ("3 <= page <= 8", "2678"),
    ("3 < page > 1", REFUSED),
    ('2023 < metadata["year"] <= 2024', "168"),
    ("not (page == 12)", "2345678"),
    ("not page == 12", REFUSED),
    ("NOT (page == 12)", "2345678"),
    ("page in [3.0, 12]", "12"),
    ("page in []", NONE),
    ("page  not  in  [3, 12]", "345678"),
    ("lang == en", REFUSED),
    ('lang like "%n"', "16"),
    ('lang like "e_"', "16"),
    ('lang like "%"', ALL),
    ('lang not like "e%"', REFUSED),
    (r'file_path like "/exports/notes/a\\_b.txt"', "4"),
    (r'file_path like "%100\\%%"', "3"),
    (r'file_path like r"%100\%%"', "3"),
    ('file_path like "%stra_e.md"', "8"),
    # No engine without scripts has a remainder.
    ("page % 2 == 0", REFUSED),
    ("page + page == 24", REFUSED),
    ("24 / page == 2", REFUSED),
    ("price * 2 > 15", "123"),
    ("page / 0 == 1", REFUSED),
    ("page == 0x0c", "1"),
    ("ok", REFUSED),
    ("ok == 1", NONE),
    ('page > 3 or lang == "en" and ok == false', "13678"),
    ('page > 3 AND lang == "en"', "16"),
    ('page == 12 and (lang == "en" or lang == "de"', REFUSED),
    ("unknown_field == 1", NONE),
    ("unknown_field != 1", NONE),
    ('metadata["dept"] != "sales"', "26"),
    ('not (metadata["dept"] == "sales")', "26"),
    ('metadata["dept"] in ["sales", "finance"]', "12"),
    ('metadata["dept"] not in ["sales"]', "26"),
    ('not (metadata["dept"] like "sa%")', "26"),
    ('metadata["year"] == 2024.0', "168"),
    ('metadata["year"] != 2024', "27"),
    ('metadata["year"] % 2 == 1', REFUSED),
    ('metadata["flag"] == true', "1"),
    ('metadata["flag"] == 1', "6"),
    ('metadata["flag"] != true', "2"),
    ('metadata ["dept"] == "sales"', REFUSED),
    # No metadata has a name with a dot.
    ('metadata["a.b"] == 1', NONE),
    ('exists metadata["dept"]', "1267"),
    ('exists metadata["tags"]', "12568"),
    ('not exists metadata["dept"]', "3458"),
    ('metadata["dept"] is null', "3458"),
    ("page is  null", REFUSED),
    ('json_contains(metadata["tags"], "a")', "16"),
    ('Json_Contains(metadata["tags"], "a")', REFUSED),
    # Whole numbers and fractions are stored as one kind of number.
    ('json_contains(metadata["tags"], 1)', "68"),
    ('json_contains(metadata["tags"], 1.0)', "68"),
    ('json_contains(metadata["tags"], true)', "8"),
    ('not (json_contains(metadata["tags"], "a"))', "278"),
    ('json_contains_all(metadata["tags"], [])', "12678"),
    ('json_contains_any(metadata["tags"], [])', NONE),
    ('json_contains_any(metadata["tags"], []) or page == 12', "1"),
    ('array_length(metadata["tags"]) == 0', "7"),
    ("nums[0] != 1", "23578"),
    ('metadata["big"] == 9007199254740993', "8"),
    ('metadata["big"] == 9007199254740992', NONE),
    ("page == 99999999999999999999", REFUSED),
    (r'lang == "\u0065n"', "16"),
    ('text_match(file_path, "guide")', "1"),
    ('$meta["team"] == "red"', "2"),
    ("level == 3", "12"),
]


def found(text: str, rows: Mapping[str, Values] = ROWS) -> str:
    where = parse_filter(text, KNOWN)
    return "".join(number for number, held in rows.items() if matches(where, held))


@pytest.mark.parametrize(("text", "rows"), FOUND)
def test_a_filter_finds_the_rows_that_milvus_finds(text: str, rows: str) -> None:
    if rows == REFUSED:
        with pytest.raises(InvalidInput, match="cannot be read at character"):
            parse_filter(text, KNOWN)
    else:
        assert found(text) == rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("page != 12", "245678"),
        ("not (page > 3)", "245"),
        ("page is null", "3"),
        ("page is not null", "1245678"),
        ("page not in [3, 12]", "45678"),
        ("not array_contains(nums, 2)", "45678"),
        ("array_length(nums) == 0", "4"),
    ],
)
def test_a_null_passes_neither_a_condition_nor_its_negation(text: str, rows: str) -> None:
    assert found(text, {**ROWS, "3": {}}) == rows


def test_a_blank_filter_finds_every_row() -> None:
    assert found("") == found(" \t\r\n") == ALL


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("file_path like '%guide.pdf'", {"/source_file_name": "device-guide.pdf"}),
        ("title == 'Guide' and metadata[\"title\"] == 'Guide'", {"/title": "Guide"}),
        ("language == 'de'", {"/language": "de"}),
        ("page >= 3", {"/page": 4.0}),
        ("source_file_name == 'a.pdf'", {"/source_file_name": "a.pdf"}),
    ],
)
def test_a_documents_own_fields_count_where_no_metadata_has_the_name(text: str, held: Values) -> None:
    names = {name.removeprefix("/"): frozenset({FieldType.TEXT}) for name in (*held, "file_path")}
    assert matches(parse_filter(text, {}), held)
    assert not matches(parse_filter(text, names), held)


@pytest.mark.parametrize("key", ["/title", "", "a b", "/rows", "dept/x", "_x", "x" * 200])
def test_a_key_that_no_metadata_can_have_is_absent(key: str) -> None:
    held: Values = {key: "x", "/title": "x", "dept": "x"}
    for path in (f'metadata["{key}"]', f'$meta["{key}"]', f'dept["{key}"]', f'metadata["dept"]["{key}"]', "dept[0][0]"):
        assert matches(parse_filter(f"{path} is null and not (exists {path})", {}), held)
        assert not matches(parse_filter(f"{path} == 'x' or {path} != 'x'", {}), held)
