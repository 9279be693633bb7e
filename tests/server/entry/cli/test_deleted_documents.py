"""Documents that a person deleted: they stay deleted whatever is ingested, until a person restores them."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.entry.cli.ingest.questions import held_back
from tests.server.entry.cli.test_remote import Remote, remote, server
from tests.support.entry.command import Command

__all__ = ["remote", "server"]

RENT = "# Lease\n\nThe rent of the Ostrov depot is 4,100 euros.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "F"
    folder.mkdir()
    (folder / ".policy.yaml").write_text('any_tags: ["team:legal"]\n')
    (folder / "rent.md").write_text(RENT)
    (folder / "other.md").write_text("# Heating\n\nThe boiler is new.\n")
    return folder


def found(groundwire: Command, tenant: str) -> set[str]:
    rows = groundwire.json("search", "Ostrov rent", "-t", tenant, "--tag", "team:legal")
    return {row["source_file_name"] for row in rows}


def statuses(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["file"]: row["status"] for row in rows}


def deleted(groundwire: Command, tenant: str, folder: Path) -> str:
    """Ingest the folder, delete its lease, and return the id."""
    groundwire.ingest(tenant, folder)
    [doc_id] = [
        str(row["doc_id"]) for row in groundwire.json("documents", "list", "-t", tenant) if row["file"] == "rent.md"
    ]
    groundwire("documents", "delete", doc_id, "-t", tenant, "--yes", "--reason", "contract ended").done()
    return doc_id


@pytest.mark.parametrize("content", [RENT, "# Lease\n\nThe rent of the Ostrov depot is 5,000 euros.\n"])
def test_the_next_run_leaves_a_deleted_document_out_whatever_its_file_has_now(
    groundwire: Command, tenant: str, folder: Path, content: str
) -> None:
    deleted(groundwire, tenant, folder)
    (folder / "rent.md").write_text(content)
    done = groundwire("ingest", str(folder), "-t", tenant).done()
    assert "1 held_back" in done.out
    assert "1 deleted earlier, left out (rent.md): `--restore` brings them back" in done.line
    assert "rent.md" not in found(groundwire, tenant)


def test_a_copy_and_a_renamed_file_are_left_out_in_its_collection_alone(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    deleted(groundwire, tenant, folder)
    (folder / "rent.md").rename(folder / "lease.md")
    assert statuses(groundwire.ingest(tenant, folder))["lease.md"] == "held_back"
    assert statuses(groundwire.ingest(tenant, folder, "-c", "other"))["lease.md"] == "indexed"


def test_a_run_with_restore_ingests_it_under_its_id(groundwire: Command, tenant: str, folder: Path) -> None:
    doc_id = deleted(groundwire, tenant, folder)
    rows = {row["file"]: row for row in groundwire.ingest(tenant, folder, "--restore")}
    assert (rows["rent.md"]["status"], rows["rent.md"]["doc_id"]) == ("indexed", doc_id)
    assert "rent.md" in found(groundwire, tenant)
    assert statuses(groundwire.ingest(tenant, folder))["rent.md"] == "unchanged"
    assert groundwire.json("documents", "list", "--deleted", "-t", tenant) == []


def test_restoring_what_nobody_deleted_names_the_command_that_lists_deletions(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    [row, *_] = groundwire.ingest(tenant, folder)
    refused = groundwire("documents", "restore", str(row["doc_id"]), "-t", tenant)
    assert refused.code == 1
    assert "`groundwire documents list --deleted` names them." in refused.line


def test_a_restored_document_comes_with_the_next_run_and_a_forgotten_one_as_another(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    doc_id = deleted(groundwire, tenant, folder)
    groundwire("documents", "restore", doc_id, "-t", tenant).done()
    assert {row["doc_id"] for row in groundwire.ingest(tenant, folder) if row["file"] == "rent.md"} == {doc_id}
    groundwire("documents", "delete", doc_id, "-t", tenant, "--yes").done()
    groundwire("documents", "forget", doc_id, "-t", tenant, "--yes").done()
    [row] = [row for row in groundwire.ingest(tenant, folder) if row["file"] == "rent.md"]
    assert row["status"] == "indexed"
    assert row["doc_id"] != doc_id


def test_the_list_of_deletions_shows_who_decided_when_and_why(groundwire: Command, tenant: str, folder: Path) -> None:
    doc_id = deleted(groundwire, tenant, folder)
    [row] = groundwire.json("documents", "list", "--deleted", "-t", tenant)
    assert (row["doc_id"], row["file"], row["decision_reason"]) == (doc_id, "rent.md", "contract ended")
    assert row["decided_by"]
    assert row["decided_at"]
    [line] = [each for each in groundwire.json("audit", "list") if each.get("action") == "documents.delete"]
    assert line["decision_reason"] == "contract ended"


def test_where_somebody_can_answer_the_run_asks(
    groundwire: Command, tenant: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deleted(groundwire, tenant, folder)
    monkeypatch.setattr(held_back, "can_ask", lambda: True)
    kept = groundwire("ingest", str(folder), "-t", tenant, typed="n\n").done()
    assert "Deleted earlier: rent.md" in kept.err
    assert "rent.md" not in found(groundwire, tenant)
    groundwire("ingest", str(folder), "-t", tenant, typed="y\n").done()
    assert "rent.md" in found(groundwire, tenant)


def test_a_file_that_vanished_and_came_back_is_ingested(groundwire: Command, tenant: str, folder: Path) -> None:
    groundwire.ingest(tenant, folder)
    (folder / "rent.md").unlink()
    groundwire.ingest(tenant, folder, "--sync", "--yes")
    (folder / "rent.md").write_text(RENT)
    assert statuses(groundwire.ingest(tenant, folder))["rent.md"] == "indexed"


def test_a_deleted_collection_stays_deleted_until_somebody_creates_it(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire.ingest(tenant, folder, "-c", "leases")
    groundwire("collection", "delete", "leases", "-t", tenant, "--yes").done()
    (folder / "new.md").write_text("# New\n\nA new file.\n")
    assert set(statuses(groundwire.ingest(tenant, folder, "-c", "leases")).values()) == {"held_back"}
    assert groundwire.json("collection", "list", "-t", tenant) == []
    groundwire("collection", "set", "leases", "-t", tenant, "--bm25-weight", "0.5").done()
    again = statuses(groundwire.ingest(tenant, folder, "-c", "leases"))
    assert again == {"new.md": "indexed", "rent.md": "held_back", "other.md": "held_back"}
    assert set(statuses(groundwire.ingest(tenant, folder, "-c", "leases", "--restore")).values()) == {
        "indexed",
        "unchanged",
    }


def test_a_deleted_document_of_a_service_is_left_out_and_restored_remotely(remote: Remote, folder: Path) -> None:
    sent = remote("ingest", str(folder), "-c", "leases", "--json").done().json
    [doc_id] = [row["doc_id"] for row in sent if row["file"] == "rent.md"]
    remote("documents", "delete", doc_id, "--yes", "--reason", "contract ended").done()
    (folder / "copy.md").write_text(RENT)
    done = remote("ingest", str(folder), "-c", "leases").done()
    assert "2 held_back" in done.out
    [row] = remote("documents", "list", "--deleted", "-c", "leases", "--json").done().json
    assert (row["doc_id"], row["decided_by"], row["decision_reason"]) == (doc_id, "ann", "contract ended")
    again = remote("ingest", str(folder / "rent.md"), "-c", "leases", "--restore", "--json").done().json
    assert statuses(again) == {"rent.md": "indexed"}


def test_deletions_after_a_backup_are_repeated_in_its_restored_home(
    groundwire: Command, tenant: str, folder: Path, tmp_path: Path
) -> None:
    groundwire.ingest(tenant, folder)
    backup = tmp_path / "backup"
    groundwire("backup", str(backup)).done()
    rows = {row["file"]: row["doc_id"] for row in groundwire.json("documents", "list", "-t", tenant)}
    groundwire("documents", "delete", rows["rent.md"], "-t", tenant, "--yes", "--reason", "contract ended").done()
    groundwire("documents", "delete", rows["other.md"], "-t", tenant, "--yes").done()
    groundwire("documents", "restore", rows["other.md"], "-t", tenant).done()
    restored = Command(backup, groundwire.environment)
    result = restored.json("replay-deletions", str(groundwire.home / "audit.jsonl"))
    assert result == {"documents": [rows["rent.md"]], "collections": [], "unknown": [], "failed": []}
    assert statuses(restored.ingest(tenant, folder)) == {"rent.md": "held_back", "other.md": "unchanged"}
    [row] = restored.json("documents", "list", "--deleted", "-t", tenant)
    assert row["decision_reason"] == "contract ended"


def test_a_deletion_is_repeated_also_where_the_line_of_its_ingestion_was_written_later(
    groundwire: Command, tenant: str, folder: Path, tmp_path: Path
) -> None:
    groundwire.ingest(tenant, folder)
    backup = tmp_path / "backup"
    groundwire("backup", str(backup)).done()
    (folder / "rent.md").write_text("# Lease\n\nThe rent of the Ostrov depot is 4,200 euros.\n")
    doc_id = deleted(groundwire, tenant, folder)
    lines = (groundwire.home / "audit.jsonl").read_text().splitlines()
    [ingestion] = [line for line in lines if '"batch"' in line and doc_id in line][1:]
    log = tmp_path / "audit.jsonl"
    log.write_text("\n".join([*(line for line in lines if line != ingestion), ingestion]))
    result = Command(backup, groundwire.environment).json("replay-deletions", str(log))
    assert result["documents"] == [doc_id]


def test_a_collection_that_a_run_restored_is_not_deleted_again(
    groundwire: Command, tenant: str, folder: Path, tmp_path: Path
) -> None:
    groundwire.ingest(tenant, folder, "-c", "leases")
    backup = tmp_path / "backup"
    groundwire("backup", str(backup)).done()
    groundwire("collection", "delete", "leases", "-t", tenant, "--yes").done()
    groundwire.ingest(tenant, folder, "-c", "leases", "--restore")
    restored = Command(backup, groundwire.environment)
    result = restored.json("replay-deletions", str(groundwire.home / "audit.jsonl"))
    assert result == {"documents": [], "collections": [], "unknown": [], "failed": []}


def test_documents_of_a_collection_that_somebody_created_again_are_deleted_again(
    groundwire: Command, tenant: str, folder: Path, tmp_path: Path
) -> None:
    groundwire.ingest(tenant, folder, "-c", "leases")
    backup = tmp_path / "backup"
    groundwire("backup", str(backup)).done()
    groundwire("collection", "delete", "leases", "-t", tenant, "--yes").done()
    groundwire("collection", "set", "leases", "-t", tenant, "--bm25-weight", "0.5").done()
    groundwire.ingest(tenant, folder / "other.md", "-c", "leases", "--restore")
    restored = Command(backup, groundwire.environment)
    result = restored.json("replay-deletions", str(groundwire.home / "audit.jsonl"))
    assert (len(result["documents"]), result["collections"]) == (1, [])
    assert statuses(restored.ingest(tenant, folder, "-c", "leases")) == {
        "rent.md": "held_back",
        "other.md": "unchanged",
    }


def test_a_deletion_that_the_backup_does_not_know_is_named(
    groundwire: Command, tenant: str, folder: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    groundwire("backup", str(backup)).done()
    doc_id = deleted(groundwire, tenant, folder)
    repeated = Command(backup, groundwire.environment)("replay-deletions", str(groundwire.home / "audit.jsonl"))
    assert (repeated.code, doc_id in repeated.line) == (1, True)


def test_the_id_of_a_deleted_document_is_not_free_for_another_file(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    doc_id = deleted(groundwire, tenant, folder)
    rows = groundwire.ingest(tenant, folder / "other.md", "--id", doc_id)
    assert statuses(rows) == {"other.md": "held_back"}
    assert statuses(groundwire.ingest(tenant, folder / "rent.md")) == {"rent.md": "held_back"}


def test_a_copy_that_nobody_deleted_keeps_its_document_under_a_new_name(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    (folder / "copy.md").write_text(RENT)
    deleted(groundwire, tenant, folder)
    (folder / "copy.md").rename(folder / "moved.md")
    assert statuses(groundwire.ingest(tenant, folder))["moved.md"] == "updated"
    assert "moved.md" in found(groundwire, tenant)
