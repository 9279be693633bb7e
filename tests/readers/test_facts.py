"""Facts that a file states about itself are returned with its text and can do no harm."""

from datetime import date

import pytest

from groundwire.adapters.codecs.sidecar_yaml import parse_metadata
from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire_readers import WorkerParser
from tests.readers.blocks import texts
from tests.readers.open_files import open_file


def test_markdown_front_matter_gives_title_and_fields_and_is_no_text(parser: WorkerParser) -> None:
    source = (
        "---\ntitle: Returns\nreviewed: 2024-05-31\nyear: 2024\ndraft: false\ntags: [a, b]\ndeep: {a: b}\n---\n"
        "# Other title\n\nText.\n"
    )
    document = parser.parse(source.encode(), "md")
    assert document.title == "Returns"
    assert document.front_matter == {
        "title": "Returns",
        "reviewed": date(2024, 5, 31),
        "year": 2024,
        "draft": False,
        "tags": ["a", "b"],
    }
    assert texts(document) == ["Other title", "Text."]


@pytest.mark.parametrize(
    "header",
    [
        "a: &a [x,x,x,x,x,x,x,x]\n"
        + "".join(f"{c}: &{c} [{','.join([f'*{p}'] * 8)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
        "a: &a {x: 1}\nb: &b {<<: [*a, *a]}\nc: {<<: [*b, *b]}",
        "k: " + "[" * 30_000,
        "k: !!python/object/apply:os.system [id]",
    ],
)
def test_a_front_matter_that_is_a_bomb_harms_nobody(parser: WorkerParser, header: str) -> None:
    document = parser.parse(f"---\n{header}\n---\n\nThe text.\n".encode(), "md")
    assert texts(document)[-1] == "The text."
    assert set(document.front_matter) <= {"a", "k"}
    assert document.front_matter.get("k", ["id"]) == ["id"]


def test_the_properties_of_a_file_are_returned_with_it(parser: WorkerParser) -> None:
    head = "<meta name=author content=Ann><meta property=article:published_time content=2024-05-31T10:00>"
    page = f"<html><head>{head}</head><p>x</p></html>"
    assert parser.parse(page.encode(), "html").front_matter == {"author": "Ann", "date": date(2024, 5, 31)}
    properties = (
        "<dc:title>T</dc:title><dc:creator>Ann</dc:creator><meta:creation-date>2024-05-31T10:00:00</meta:creation-date>"
    )
    document = parser.parse(open_file("text", "<text:p>x</text:p>", properties=properties), "odt")
    assert (document.title, document.front_matter) == ("T", {"author": "Ann", "created": date(2024, 5, 31)})


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0715", "0715"),
        ("6:30", "6:30"),
        ("off", "off"),
        ("NO", "NO"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("1.10", "1.10"),
        ("1e3", "1e3"),
        ("2024-05-31 10:00:00", date(2024, 5, 31)),
        ("-12", -12),
        ("0.5", 0.5),
        ("True", True),
        ("'12'", "12"),
        ("[01, 2]", ["01", "2"]),
        ("[1, 2]", [1, 2]),
    ],
)
def test_a_value_of_front_matter_that_no_number_gives_back_stays_as_written(
    parser: WorkerParser, written: str, value: object
) -> None:
    document = parser.parse(f"---\nfield: {written}\n---\n\nThe text.\n".encode(), "md")
    assert document.front_matter == {"field": value}
    assert parse_metadata(f"field: {written}", "m.yaml") == metadata_from_mapping({"field": value})
