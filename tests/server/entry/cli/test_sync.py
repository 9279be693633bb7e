"""`ingest --sync` deletes documents whose files are missing, and never deletes any by accident."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.entry.command import Command


@pytest.fixture
def document_folder(tmp_path: Path) -> Path:
    """A folder of four small documents."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name in ("a", "b", "c", "d"):
        (folder / f"{name}.txt").write_text(f"The blue pump of {name} takes water.\n")
    return folder


def files(groundwire: Command, tenant: str) -> list[str]:
    return [row["file"] for row in groundwire.json("documents", "list", "-t", tenant)]


def synced(groundwire: Command, tenant: str, folder: Path, *options: str, typed: str = "") -> Any:
    return groundwire("ingest", str(folder), "-t", tenant, "--public", "--sync", *options, typed=typed)


def test_a_document_whose_file_no_longer_exists_is_deleted_and_no_other(
    groundwire: Command, tenant: str, document_folder: Path
) -> None:
    groundwire.ingest(tenant, document_folder, "--public")
    other_place = document_folder.with_name("elsewhere")
    other_place.mkdir()
    (other_place / "e.txt").write_text("The blue pump elsewhere.\n")
    groundwire.ingest(tenant, other_place, "--public")
    (other_place / "e.txt").unlink()
    (document_folder / "a.txt").unlink()
    (document_folder / "b.txt").rename(document_folder / "moved.txt")
    groundwire.ingest(tenant, document_folder, "--public")
    assert files(groundwire, tenant) == ["a.txt", "c.txt", "d.txt", "e.txt", "moved.txt"]
    done = synced(groundwire, tenant, document_folder, "--json").done()
    assert [(row["file"], row["status"]) for row in done.json if row["status"] != "unchanged"] == [("a.txt", "deleted")]
    assert files(groundwire, tenant) == ["c.txt", "d.txt", "e.txt", "moved.txt"]


def test_documents_of_another_collection_from_the_same_folder_stay(
    groundwire: Command, tenant: str, document_folder: Path
) -> None:
    groundwire.ingest(tenant, document_folder, "--public", "-c", "other")
    (document_folder / "a.txt").unlink()
    synced(groundwire, tenant, document_folder).done()
    assert files(groundwire, tenant).count("a.txt") == 1


def test_deleting_more_than_half_needs_confirmation(groundwire: Command, tenant: str, document_folder: Path) -> None:
    groundwire.ingest(tenant, document_folder, "--public")
    for name in ("a", "b", "c"):
        (document_folder / f"{name}.txt").unlink()
    kept = synced(groundwire, tenant, document_folder, typed="n\n")
    assert "Of the 4 documents from these folders, 3" in kept.err
    assert "Nothing was deleted" in kept.err
    assert len(files(groundwire, tenant)) == 4
    assert "3 deleted" in synced(groundwire, tenant, document_folder, typed="y\n").done().out
    assert files(groundwire, tenant) == ["d.txt"]


def test_the_option_yes_confirms_in_advance(groundwire: Command, tenant: str, document_folder: Path) -> None:
    groundwire.ingest(tenant, document_folder, "--public")
    for name in ("a", "b", "c"):
        (document_folder / f"{name}.txt").unlink()
    synced(groundwire, tenant, document_folder, "--yes").done()
    assert files(groundwire, tenant) == ["d.txt"]


@pytest.mark.parametrize("what", ["empty", "only hidden files", "a file", "nothing"])
def test_a_root_in_which_no_file_is_seen_deletes_nothing(
    groundwire: Command, tenant: str, document_folder: Path, what: str
) -> None:
    groundwire.ingest(tenant, document_folder, "--public")
    for path in document_folder.iterdir():
        path.unlink()
    if what == "only hidden files":
        (document_folder / ".policy.yaml").write_text("public: true\n")
    if what in {"a file", "nothing"}:
        document_folder.rmdir()
    if what == "a file":
        document_folder.write_text("The blue pump.\n")
    refused = synced(groundwire, tenant, document_folder, "--yes")
    assert refused.code == 2
    assert refused.line
    assert len(files(groundwire, tenant)) == 4


def test_a_file_that_cannot_be_read_is_not_treated_as_deleted(
    groundwire: Command, tenant: str, document_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = document_folder / "inner"
    inner.mkdir()
    (inner / "deep.txt").write_text("The blue pump lies deep.\n")
    groundwire.ingest(tenant, document_folder, "--public")
    (inner / "deep.txt").unlink()
    # Root may look everywhere, so the system's answer is given here.
    monkeypatch.setattr("os.stat", _refusing("deep.txt"))
    synced(groundwire, tenant, document_folder, "--yes")
    assert "deep.txt" in files(groundwire, tenant)


def _refusing(name: str) -> Any:
    import os

    status_of = os.stat

    def refuse(path: Any, **options: Any) -> os.stat_result:
        if path == name:
            raise PermissionError(13, "Permission denied", path)
        return status_of(path, **options)

    return refuse
