"""Restoration of a backup: what persons decided since then holds, and nothing is overwritten unasked."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.entry.command import Command

RENT = "# Lease\n\nThe rent of the Ostrov depot is 4,100 euros.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "F"
    folder.mkdir()
    (folder / ".policy.yaml").write_text('any_tags: ["team:legal"]\n')
    for name in ("rent", "closed", "kept"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nThe {name} of the Ostrov depot is {len(name)},100 euros.\n")
    return folder


@pytest.fixture
def backup(groundwire: Command, tenant: str, folder: Path, tmp_path: Path) -> Path:
    """A backup of a home with three documents and a key of Maria."""
    groundwire.ingest(tenant, folder)
    groundwire.personal_key(tenant, "maria", "--tag", "team:legal")
    target = tmp_path / "backups" / "monday"
    groundwire("backup", str(target)).done()
    return target


def found(groundwire: Command, tenant: str) -> set[str]:
    rows = groundwire.json("search", "Ostrov depot", "-t", tenant, "--tag", "team:legal")
    return {row["source_file_name"] for row in rows}


def ids(groundwire: Command, tenant: str) -> dict[str, str]:
    return {row["file"]: row["doc_id"] for row in groundwire.json("documents", "list", "-t", tenant)}


def decide(groundwire: Command, tenant: str) -> None:
    """Delete, close, offboard and change, as persons do after a backup."""
    documents = ids(groundwire, tenant)
    groundwire("documents", "delete", documents["rent.md"], "-t", tenant, "--yes", "--reason", "ended").done()
    groundwire("documents", "close", documents["closed.md"], "-t", tenant).done()
    groundwire("user", "offboard", "maria", "-t", tenant).done()
    groundwire("user", "set", "noor", "-t", tenant, "--tag", "team:legal").done()


def restored(groundwire: Command, backup: Path, *options: str) -> Any:
    done = groundwire("restore", str(backup), "--json", *options, typed="restore\n")
    assert done.code == 0, (done.out, done.err)
    return done.json


def test_what_persons_decided_since_the_backup_holds_in_the_restored_home(
    groundwire: Command, tenant: str, folder: Path, backup: Path
) -> None:
    documents = ids(groundwire, tenant)
    decide(groundwire, tenant)
    facts = restored(groundwire, backup)
    assert facts["repeated"] == {
        "deleted_documents": [documents["rent.md"]],
        "deleted_collections": [],
        "deleted_tenants": [],
        "limits_of_readers": [documents["closed.md"]],
        "suspended_tenants": [],
        "blocked_users": ["maria"],
        "revoked_keys": [groundwire.json("key", "list", "-t", tenant)[0]["kid"]],
    }
    assert (facts["unknown"], facts["failed"], facts["changes"]) == ([], [], {"user.set": 1})
    assert found(groundwire, tenant) == {"kept.md"}
    assert [row["user"] for row in groundwire.json("user", "list", "--blocked", "-t", tenant)] == ["maria"]
    # Nor do they end with the next run.
    groundwire.ingest(tenant, folder)
    assert found(groundwire, tenant) == {"kept.md"}
    assert groundwire.json("user", "list", "-t", tenant) == []


def test_the_audit_log_goes_on_so_that_a_second_restoration_finds_the_same(
    groundwire: Command, tenant: str, backup: Path
) -> None:
    decide(groundwire, tenant)
    first = restored(groundwire, backup)
    second = restored(groundwire, backup)
    assert first["log_continued"] is second["log_continued"] is True
    assert second["repeated"] == first["repeated"]
    assert groundwire.json("audit", "verify")["intact"] is True
    assert len(groundwire.json("audit", "list", "--call", "documents.delete")) == 1


def test_the_replaced_home_is_kept_and_the_backup_stays_as_it_is(
    groundwire: Command, tenant: str, backup: Path
) -> None:
    before = {path.name: path.stat().st_size for path in backup.iterdir() if path.is_file()}
    (groundwire.home / "mine").write_text("kept")
    facts = restored(groundwire, backup)
    assert (Path(facts["kept"]) / "mine").read_text() == "kept"
    assert Path(facts["kept"]).parent == groundwire.home.parent
    assert not (groundwire.home / "mine").exists()
    assert {path.name: path.stat().st_size for path in backup.iterdir() if path.is_file()} == before
    assert not [path for path in groundwire.home.parent.iterdir() if path.name.startswith(".part-")]


@pytest.mark.parametrize("typed", ["yes\n", "RESTORE\n"])
def test_without_the_word_nothing_is_changed(groundwire: Command, tenant: str, backup: Path, typed: str) -> None:
    decide(groundwire, tenant)
    before = groundwire.json("documents", "list", "-t", tenant)
    refused = groundwire("restore", str(backup), typed=typed)
    assert (refused.code, "Nothing was changed" in refused.err) == (2, True)
    assert "1 deleted documents, 1 limits of readers, 1 blocked users, 1 revoked keys" in refused.out
    assert groundwire.json("documents", "list", "-t", tenant) == before


def test_a_plan_alone_needs_no_word_and_changes_nothing(groundwire: Command, tenant: str, backup: Path) -> None:
    decide(groundwire, tenant)
    names = sorted(path.name for path in groundwire.home.parent.iterdir())
    plan = groundwire("restore", str(backup), "--dry-run").done()
    assert "1 tenants, 3 documents" in plan.out
    assert "1 user.set" in plan.out
    assert plan.out.endswith("Nothing was changed.\n")
    assert sorted(path.name for path in groundwire.home.parent.iterdir()) == names


def test_a_lost_home_is_restored_without_a_word(groundwire: Command, tenant: str, backup: Path) -> None:
    groundwire.home.rename(groundwire.home.with_name("lost"))
    done = groundwire("restore", str(backup)).done()
    assert "no decisions since the backup are known" in done.out
    assert found(groundwire, tenant) == {"rent.md", "closed.md", "kept.md"}


def test_a_home_that_a_process_uses_is_not_replaced(groundwire: Command, tenant: str, backup: Path) -> None:
    assert tenant
    with closing(sqlite3.connect(groundwire.home / "registry.db")) as other:
        other.execute("SELECT count(*) FROM tenants").fetchone()
        refused = groundwire("restore", str(backup), typed="restore\n")
    assert (refused.code, "Stop it, and run this again" in refused.line) == (1, True)


def test_a_tenant_that_was_deleted_since_does_not_return(groundwire: Command, tenant: str, backup: Path) -> None:
    groundwire("tenant", "delete", tenant, "--yes").done()
    facts = restored(groundwire, backup)
    assert facts["repeated"]["deleted_tenants"] == [tenant]
    assert groundwire.json("tenant", "list") == []


def test_a_deletion_that_the_backup_does_not_know_is_named(
    groundwire: Command, tenant: str, folder: Path, backup: Path
) -> None:
    (folder / "late.md").write_text("# Late\n\nThe late lease.\n")
    groundwire.ingest(tenant, folder)
    doc_id = ids(groundwire, tenant)["late.md"]
    groundwire("documents", "delete", doc_id, "-t", tenant, "--yes").done()
    done = groundwire("restore", str(backup), typed="restore\n")
    assert (done.code, doc_id in done.err, "is restored" in done.out) == (1, True, True)


def _without_registry(backup: Path) -> None:
    (backup / "registry.db").unlink()


def _with_damaged_registry(backup: Path) -> None:
    file = backup / "registry.db"
    content = bytearray(file.read_bytes())
    content[4_096:12_288] = bytes(8_192)
    file.write_bytes(content)


def _with_changed_log(backup: Path) -> None:
    log = backup / "audit.jsonl"
    log.write_bytes(log.read_bytes().replace(b"tenant.create", b"tenant.delete"))


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (_without_registry, "is no backup: it has no registry.db"),
        (_with_damaged_registry, "damaged"),
        (_with_changed_log, "is not as it was written"),
    ],
)
def test_a_backup_that_is_not_whole_is_refused(
    groundwire: Command, tenant: str, backup: Path, damage: Any, text: str
) -> None:
    damage(backup)
    before = groundwire.json("documents", "list", "-t", tenant)
    refused = groundwire("restore", str(backup), typed="restore\n")
    assert (refused.code != 0, text in refused.line) == (True, True), refused
    assert groundwire.json("documents", "list", "-t", tenant) == before


def test_a_backup_in_the_home_is_refused(groundwire: Command, tenant: str, backup: Path) -> None:
    assert tenant
    inside = groundwire.home / "monday"
    backup.rename(inside)
    refused = groundwire("restore", str(inside), typed="restore\n")
    assert (refused.code, "must not lie in each other" in refused.line) == (2, True)


def test_old_backups_are_removed_and_folders_of_others_stay(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    assert tenant
    folder = tmp_path / "backups"
    for name in ("a", "b", "c", "d"):
        groundwire("backup", str(folder / name)).done()
    for name in ("mine", "copied"):
        (folder / name).mkdir()
    (folder / "copied" / "backup.json").write_bytes((folder / "a" / "backup.json").read_bytes())
    # It was used as a home, which may hold what no other folder has.
    Command(folder / "b", groundwire.environment)("user", "set", "ann", "-t", tenant, "--tag", "a", "--yes").done()
    facts = groundwire.json("backup", str(folder / "e"), "--keep", "2")
    assert (facts["removed"], facts["used"]) == (["c", "a"], ["b"])
    assert sorted(path.name for path in folder.iterdir()) == ["b", "copied", "d", "e", "mine"]


def test_a_suspension_and_a_rotation_since_the_backup_hold_in_the_restored_home(
    groundwire: Command, tenant: str, backup: Path
) -> None:
    [kid] = [row["kid"] for row in groundwire.json("key", "list", "-t", tenant)]
    groundwire("key", "rotate", kid, "-t", tenant).done()
    groundwire("tenant", "suspend", tenant).done()
    repeated = restored(groundwire, backup)["repeated"]
    assert (len(repeated["suspended_tenants"]), repeated["revoked_keys"]) == (1, [kid])
    [row] = [each for each in groundwire.json("tenant", "list") if each["tenant"] == tenant]
    assert row["suspended_at"] is not None
    assert [each["revoked"] for each in groundwire.json("key", "list", "-t", tenant)] == [True]
