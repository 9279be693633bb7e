import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain import errors
from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion
from tests.support.documents.index_documents import (
    ANYONE,
    MODEL,
    PUBLIC,
    TENANT,
    found,
    put,
    readable,
    segment,
    texts,
    with_vectors,
)


def filled(folder: Path) -> None:
    indexes = EmbeddedIndexes(folder, MODEL)
    for number in range(20):
        segments = [segment(f"d{number}", n, f"text {number} {n}") for n in range(10)]
        inputs = [with_vectors(one, "a window") for one in segments]
        indexes.for_tenant(TENANT).put(DocumentVersion(f"d{number}", 1), single_policy(PUBLIC), inputs)
    indexes.close()


def no_header(content: bytes) -> bytes:
    return b"\xff" * 4096 + content[4096:]


def cut_short(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(_: bytes) -> bytes:
    return b""


def scrambled(content: bytes) -> bytes:
    return content[:8192] + bytes(reversed(content[8192:]))


@pytest.mark.parametrize("damage", [no_header, cut_short, emptied, scrambled])
def test_a_damaged_file_is_named_with_what_to_do_and_left_as_it_is(
    folder: Path, file: Path, indexes: EmbeddedIndexes, damage: Callable[[bytes], bytes]
) -> None:
    filled(folder)
    broken = damage(file.read_bytes())
    file.write_bytes(broken)
    with pytest.raises(errors.Unavailable) as reported:
        found(indexes.for_tenant(TENANT))
    assert str(file) in str(reported.value)
    assert reported.value.remedy == "ingest_again"
    assert "\n" not in str(reported.value)
    assert file.read_bytes() == broken


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vector = x'00'",
        "UPDATE vectors SET terms = x'00'",
        "UPDATE windows SET vectors = x'00'",
        "UPDATE policies SET rule = '{'",
        "UPDATE policies SET rule = '[]'",
        "UPDATE log SET policy = 99",
        "DELETE FROM log",
        "DELETE FROM collections",
        "DELETE FROM languages",
        "DELETE FROM metadata",
        "UPDATE metadata SET fields = '['",
        "UPDATE metadata SET fields = '[]'",
    ],
)
def test_rows_that_nobody_wrote_so_are_damage_too_and_admit_nobody(
    folder: Path, file: Path, indexes: EmbeddedIndexes, damage: str
) -> None:
    filled(folder)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(damage)
    with pytest.raises(errors.Unavailable, match="is damaged"):
        found(indexes.for_tenant(TENANT))


def test_a_damaged_index_can_still_be_dropped(folder: Path, file: Path, indexes: EmbeddedIndexes) -> None:
    filled(folder)
    file.write_bytes(no_header(file.read_bytes()))
    assert indexes.drop(TENANT) == 0
    assert readable(indexes.for_tenant(TENANT), ANYONE) == set()


def test_a_file_of_a_newer_groundwire_is_refused(folder: Path, file: Path, indexes: EmbeddedIndexes) -> None:
    filled(folder)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(errors.Conflict, match="upgrade"):
        indexes.for_tenant(TENANT)


def test_a_file_of_an_earlier_groundwire_is_named_as_that_with_what_to_do(
    folder: Path, file: Path, indexes: EmbeddedIndexes
) -> None:
    filled(folder)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(errors.Conflict, match="written by an earlier release") as reported:
        indexes.for_tenant(TENANT)
    assert reported.value.remedy == "ingest_again"
    assert str(file) in str(reported.value)
    assert indexes.drop(TENANT) == 200


def test_a_full_disk_is_reported_and_what_was_stored_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(folder)
    connect = sqlite3.connect

    def connect_to_a_full_disk(*given: object, **named: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*given, **named)  # pyright: ignore[reportCallIssue, reportArgumentType]
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_full_disk)
    indexes = EmbeddedIndexes(folder, MODEL)
    before = sorted(texts(found(indexes.for_tenant(TENANT))))
    with pytest.raises(errors.Unavailable, match="is full"):
        put(indexes.for_tenant(TENANT), "d0", [f"new text {number} " + "long " * 500 for number in range(200)])
    assert sorted(texts(found(indexes.for_tenant(TENANT)))) == before
    assert len(before) == 200
    monkeypatch.undo()
    indexes.close()
    put(indexes.for_tenant(TENANT), "d0", ["room again"])
    assert indexes.for_tenant(TENANT).count_rows() == 191
    indexes.close()


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(errors.Unavailable, match="taken"):
        EmbeddedIndexes(tmp_path / "taken", MODEL).for_tenant(TENANT)


@pytest.mark.parametrize("tenant", ["..", "a/b", "", "a\0b", "/etc"])
def test_a_tenant_id_leads_nowhere_else(indexes: EmbeddedIndexes, tenant: str) -> None:
    with pytest.raises(errors.InvalidInput):
        indexes.for_tenant(tenant)
    with pytest.raises(errors.InvalidInput):
        indexes.drop(tenant)


def test_dropping_leaves_what_others_keep_in_the_folder(folder: Path, indexes: EmbeddedIndexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["text"])
    (folder / TENANT / "blob").write_text("theirs")
    indexes.drop(TENANT)
    assert [one.name for one in (folder / TENANT).iterdir()] == ["blob"]


def test_deleted_text_and_metadata_do_not_stay_in_the_file(folder: Path, file: Path, indexes: EmbeddedIndexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["confidential severance"], metadata={"client": "Initech"})
    indexes.close()
    assert b"severance" in file.read_bytes()
    assert b"Initech" in file.read_bytes()
    indexes.for_tenant(TENANT).prune("d", None)
    indexes.close()
    assert b"severance" not in file.read_bytes()
    assert b"Initech" not in file.read_bytes()


def test_a_closed_index_reports_that_it_is_closed(indexes: EmbeddedIndexes) -> None:
    index = indexes.for_tenant(TENANT)
    indexes.close()
    with pytest.raises(errors.Unavailable):
        index.count_rows()
