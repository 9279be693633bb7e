"""Metadata that an owner declares: by option, in a file beside the documents, or in a file of a parent folder."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from groundwire import wiring
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.options import metadata_from_options
from groundwire.ports import SourceObject
from groundwire.services.ingest.source_objects.sidecars import SidecarResolver


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("2024", 2024.0),
        ("-1.5e3", -1500.0),
        ("007", "007"),
        ("'7'", "7"),
        ("2024-05-31", date(2024, 5, 31)),
        ("true", True),
        ("False", False),
        ("Legal team", "Legal team"),
        ("a=b", "a=b"),
        ("", ""),
        ("it's", "it's"),
        ("'it''s'", "it's"),
        ("[a, b]", ("a", "b")),
        ("[1, 2.5]", (1.0, 2.5)),
        ("['a, b' , c]", ("a, b", "c")),
        ("[it's, ok]", ("it's", "ok")),
        ("[one]", ("one",)),
        ("[]", ()),
        ("['']", ("",)),
    ],
)
def test_an_option_has_the_type_that_is_meant(option: str, value: Value) -> None:
    assert metadata_from_options([f"field={option}"]) == {"field": value}


def test_a_repeated_field_is_a_list() -> None:
    assert metadata_from_options(["tag=a", "year=2024", "tag=b", "tag=[c, d]"]) == {
        "tag": ("a", "b", "c", "d"),
        "year": 2024,
    }


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["year"], "FIELD=VALUE"),
        (["=3"], "is not a valid metadata field"),
        (["two words=3"], "is not a valid metadata field"),
        (["a=[1, 2"], "not closed"),
        (["a=['x' y, z]"], "quote is not closed"),
        (["a='x"], "quote is not closed"),
        (["a=[x,,y]"], "an item is missing"),
        (["a=1", "a=x"], "only texts, or only numbers"),
        (["a=1e999"], "finite"),
    ],
)
def test_an_option_that_cannot_be_kept_is_refused(options: list[str], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        metadata_from_options(options)


@pytest.fixture
def sidecars() -> SidecarResolver:
    services = wiring.local_services()
    return services.files.sidecar_resolver(services.files.folder_objects((), 0.0))


def metadata_for(sidecars: SidecarResolver, file: Path) -> Metadata:
    return sidecars.resolve(SourceObject(str(file), "", 0, {}, 0.0)).metadata


@pytest.fixture
def file(tmp_path: Path) -> Path:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "note.md").write_text("# Note\n")
    return inner / "note.md"


def test_the_nearest_file_wins_field_by_field(sidecars: SidecarResolver, tmp_path: Path, file: Path) -> None:
    (tmp_path / ".meta.yaml").write_text("department: sales\nyear: 2023\ndraft: true\n")
    (file.parent / ".meta.yaml").write_text("year: 2024\ntags: [a, b]\n")
    (file.parent / "note.md.meta.yaml").write_text("tags: [c]\ndue: 2024-05-31\ndraft: null\n")

    assert metadata_for(sidecars, file) == {
        "department": "sales",
        "year": 2024.0,
        "tags": ("c",),
        "due": date(2024, 5, 31),
    }
    assert metadata_for(sidecars, file.with_name("other.md")) == {
        "department": "sales", "year": 2024.0, "tags": ("a", "b"), "draft": True,
    }  # fmt: skip


def test_without_any_file_nothing_is_reported(sidecars: SidecarResolver, file: Path) -> None:
    (file.parent / ".meta.yaml").write_text("")

    assert metadata_for(sidecars, file) == {}


def test_a_file_whose_name_leaves_no_room_for_the_ending_has_no_sidecar(sidecars: SidecarResolver, file: Path) -> None:
    (file.parent / ".meta.yaml").write_text("year: 2024\n")

    assert metadata_for(sidecars, file.with_name("x" * 250 + ".md")) == {"year": 2024.0}


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _holding(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(text)

    return write


NOT_UNDERSTOOD: dict[str, Callable[[Path], None]] = {
    "a dangling link": _link("missing.yaml"),
    "a link to a file": _link("note.md"),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "no mapping": _holding("- a\n"),
    "no YAML": _holding("a: [\n"),
    "a field said twice": _holding("a: 1\na: 2\n"),
    "a day that is none": _holding("a: 2024-02-30\n"),
    "a number as a field": _holding("1: 2\n"),
    "a nested value": _holding("a:\n  b: 1\n"),
    "nested without end": _holding("[" * 20_000),
    "too long": _holding("# " + "x" * 1_000_001),
}


@pytest.mark.parametrize("kind", NOT_UNDERSTOOD)
@pytest.mark.parametrize("name", [".meta.yaml", "note.md.meta.yaml"])
def test_a_metadata_file_that_cannot_be_understood_is_refused_by_its_name(
    sidecars: SidecarResolver, file: Path, name: str, kind: str
) -> None:
    path = file.parent / name
    NOT_UNDERSTOOD[kind](path)

    with pytest.raises(InvalidInput) as refused:
        metadata_for(sidecars, file)

    assert str(path) in str(refused.value)


@pytest.mark.parametrize("name", [".meta.yml", ".META.yaml", ".meta.yaml.txt", "note.md.meta.yml"])
def test_a_name_that_is_nearly_right_is_refused_with_the_right_one(
    sidecars: SidecarResolver, file: Path, name: str
) -> None:
    (file.parent / name).write_text("year: 2024\n")

    with pytest.raises(InvalidInput, match=r"is not a valid name .*: rename it to .*\.meta\.yaml, or"):
        metadata_for(sidecars, file)


def test_files_that_say_too_much_only_together_are_refused(
    sidecars: SidecarResolver, tmp_path: Path, file: Path
) -> None:
    (tmp_path / ".meta.yaml").write_text("".join(f"outer{number}: 1\n" for number in range(20)))
    (file.parent / ".meta.yaml").write_text("".join(f"inner{number}: 1\n" for number in range(20)))

    with pytest.raises(InvalidInput, match="together"):
        metadata_for(sidecars, file)
