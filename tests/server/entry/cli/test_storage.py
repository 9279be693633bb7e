"""The home folder on its disk: compacted and copied while it is in use."""

import fcntl
import os
import stat
from pathlib import Path

import pytest

from groundwire.adapters.local.backup.home_copy import REGISTRY_FILE, back_up
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.sqlite import database_files
from groundwire.adapters.local.sqlite.errors import DatabaseKind
from groundwire.ports import ModelId
from tests.support.entry.command import Command

QUESTION = "blue pump"


def found(groundwire: Command, tenant: str) -> list[str]:
    rows = groundwire.json("search", QUESTION, "-t", tenant, "--tag", "all")
    return sorted({row["source_file_name"] for row in rows})


@pytest.fixture
def filled(groundwire: Command, tenant: str, note: Path) -> Command:
    """A home with a document."""
    groundwire.ingest(tenant, note, "--any-tag", "all")
    return groundwire


def restored(groundwire: Command, home: Path) -> Command:
    return Command(home, groundwire.environment)


def test_a_copy_is_a_home_of_its_own_that_answers_and_knows_its_keys(
    filled: Command, tenant: str, tmp_path: Path
) -> None:
    key = filled.personal_key(tenant, "maria", "--tag", "all")
    copy = tmp_path / "copies" / "monday"
    facts = filled.json("backup", str(copy))
    assert facts["folder"] == str(copy)
    again = restored(filled, copy)
    assert found(again, tenant) == found(filled, tenant) == ["note.md"]
    assert again.json("key", "list", "-t", tenant) == filled.json("key", "list", "-t", tenant)
    assert again("events", str(tmp_path / "events"), KEY=key).done()
    assert again("audit", "verify").done()
    again(
        "documents", "delete", again.json("documents", "list", "-t", tenant)[0]["doc_id"], "-t", tenant, "--yes"
    ).done()
    assert found(again, tenant) == []
    assert found(filled, tenant) == ["note.md"]


def test_a_copy_is_its_owners_only_and_holds_no_lock_and_no_half_written_file(
    filled: Command, tenant: str, tmp_path: Path
) -> None:
    filled.personal_key(tenant, "maria")
    (filled.home / ".part-left").write_text("half")
    copy = tmp_path / "copy"
    filled("backup", str(copy)).done()
    kept = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert {"secrets.json", "registry.db", "audit.jsonl", "audit.head", f"tenants/{tenant}/index.db"} <= kept
    assert not {name for name in kept if name.endswith((".lock", "-wal", "-shm", ".part-left"))}
    assert {stat.S_IMODE(path.stat().st_mode) for path in copy.rglob("*") if path.is_file()} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (copy, *copy.rglob("*")) if path.is_dir()} == {0o700}


def test_what_is_deleted_while_the_copy_is_made_leaves_the_copy_with_its_next_ingestion(
    filled: Command, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, copied = tmp_path / "copy", database_files.copy

    def deleted_first(source: Path, to: Path, kind: DatabaseKind) -> None:
        for row in filled.json("documents", "list", "-t", tenant) if source.name == REGISTRY_FILE else ():
            filled("documents", "delete", row["doc_id"], "-t", tenant, "--yes").done()
        copied(source, to, kind)

    index = EmbeddedIndexes(copy / "tenants", ModelId("any", 384))
    with monkeypatch.context() as patch:
        patch.setattr(database_files, "copy", deleted_first)
        back_up(filled.home, copy)
    assert index.for_tenant(tenant).count_rows() > 0
    (tmp_path / "other.md").write_text("# Other\n\nNothing of pumps.\n")
    restored(filled, copy).ingest(tenant, tmp_path / "other.md", "--any-tag", "all")
    assert index.for_tenant(tenant).count_rows() == 1
    index.close()


def test_a_copy_is_never_mixed_with_what_is_there_or_put_into_the_home(filled: Command, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine")
    refused = filled("backup", str(tmp_path / "taken"))
    assert refused.code == 2
    assert "is not empty" in refused.line
    (tmp_path / "file").touch()
    for impossible in (
        ("backup", str(tmp_path / "file" / "copy")),
        ("index", "export", str(tmp_path / "file" / "copy"), "-t", "acme"),
    ):
        line = filled(*impossible).line
        assert str(tmp_path / "file") in line
        assert "GROUNDWIRE_HOME" not in line
    inside = filled("backup", str(filled.home / "copy"))
    assert inside.code == 2
    assert "lies in the home folder" in inside.line
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["file"]


def test_compacting_gives_back_what_deleted_documents_took(filled: Command, tenant: str, tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.mkdir()
    for number in range(8):
        (big / f"{number}.md").write_text(f"# Number {number}\n\n" + f"Word {number} of many, and no pump. " * 300)
    filled.ingest(tenant, big, "--any-tag", "all")
    for row in filled.json("documents", "list", "-t", tenant):
        if row["file"] != "note.md":
            filled("documents", "delete", row["doc_id"], "-t", tenant, "--yes").done()
    [facts] = filled.json("compact", "--tenant", "acme")
    assert facts["tenant"] == tenant
    assert facts["bytes_after"] < facts["bytes_before"]
    assert found(filled, tenant) == ["note.md"]
    assert "acme" in filled("compact").done().out


def test_compacting_a_stranger_is_refused(filled: Command) -> None:
    assert filled("compact", "-t", "nobody").code == 1


def test_the_next_copy_removes_the_remains_of_a_killed_one_and_no_copy_in_progress(
    filled: Command, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    left, living = copies / ".part-backup-left", copies / ".part-backup-living"
    for folder in (left, living):
        (folder / "home").mkdir(parents=True)
        (folder / "home" / "secrets.json").write_text("{}")
    descriptor = os.open(living, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        filled("backup", str(copies / "monday")).done()
    finally:
        os.close(descriptor)
    assert (left.exists(), living.exists()) == (False, True)
    assert sorted(path.name for path in copies.iterdir()) == [".part-backup-living", "monday"]
