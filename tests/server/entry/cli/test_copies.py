"""The same content from another source is named before it becomes a second document, and when one of them changes."""

from pathlib import Path

import pytest

from tests.server.entry.cli.process import on_terminal
from tests.support.entry.command import Command

LEASE = "# Lease\n\nThe rent of the depot is 4,100 euros.\n"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with one file of the same content each, and one of another."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / f"{folder.name}.md").write_text(LEASE)
        (folder / f"own-{folder.name}.md").write_text(f"Only the {folder.name} pump.\n")
    return first, second


@pytest.fixture
def twice(groundwire: Command, tenant: str, folders: tuple[Path, Path]) -> list[str]:
    """The ids of two documents with the same content."""
    first = groundwire.ingest(tenant, folders[0], "--public")
    second = groundwire.ingest(tenant, folders[1], "--public", "--copies")
    return [row["doc_id"] for row in (*first, *second) if not row["file"].startswith("own")]


def files(groundwire: Command, tenant: str) -> list[str]:
    return [row["file"] for row in groundwire.json("documents", "list", "-t", tenant)]


def test_a_run_without_a_terminal_leaves_copies_out_and_names_them_unless_they_are_wanted(
    groundwire: Command, tenant: str, folders: tuple[Path, Path]
) -> None:
    first, second = folders
    [row, _] = groundwire.ingest(tenant, first, "--public")
    run = groundwire("ingest", str(second), "-t", tenant, "--public").done()
    assert run.out.splitlines()[0] == "1 indexed"
    assert "1 new file has the content of a document from another source in this collection" in run.err
    assert f"second.md ({row['doc_id']})" in run.err
    assert files(groundwire, tenant) == ["first.md", "own-first.md", "own-second.md"]
    only_copies = groundwire("ingest", str(second / "second.md"), "-t", tenant, "--public").done()
    assert only_copies.out.splitlines() == ["No files were ingested."]
    plan = groundwire("ingest", str(second), "-t", tenant, "--public", "--dry-run", "--json").done().json
    assert {each["file"]: each["copy_of"] for each in plan["files"]} == {
        "own-second.md": None,
        "second.md": row["doc_id"],
    }
    taken = groundwire("ingest", str(second), "-t", tenant, "--public", "--copies").done()
    assert "second.md" in files(groundwire, tenant)
    assert "from another source" not in taken.err
    # A document that there is already is updated as before.
    assert "2 unchanged" in groundwire("ingest", str(second), "-t", tenant, "--public").done().out


def test_a_moved_file_another_collection_and_equal_files_of_one_run_are_no_copies(
    groundwire: Command, tenant: str, folders: tuple[Path, Path]
) -> None:
    first, second = folders
    (first / "again.md").write_text(LEASE)
    assert len(groundwire.ingest(tenant, first, "--public")) == 3
    assert len(groundwire.ingest(tenant, second, "--public", "-c", "other")) == 2
    moved = first.with_name("moved")
    first.rename(moved)
    assert {row["status"] for row in groundwire.ingest(tenant, moved, "--public")} == {"updated"}


@pytest.mark.parametrize(("answer", "count"), [("y", 4), ("n", 3)])
def test_a_person_decides_on_a_terminal(
    groundwire: Command, tenant: str, folders: tuple[Path, Path], answer: str, count: int
) -> None:
    groundwire.ingest(tenant, folders[0], "--public")
    with on_terminal(groundwire, "ingest", str(folders[1]), "-t", tenant, "--public") as running:
        running.read_until("[y/N]")
        running.type(f"{answer}\n")
        assert running.finish()[0] == 0
    assert len(files(groundwire, tenant)) == count


def test_a_deletion_names_the_copies_and_takes_them_if_requested(
    groundwire: Command, tenant: str, twice: list[str]
) -> None:
    first, second = twice
    deleted = groundwire("documents", "delete", first, "-t", tenant, "--yes").done()
    assert "The same content is in 1 other document: second.md" in deleted.line
    assert "`--copies` deletes them, too." in deleted.line
    assert "second.md" in files(groundwire, tenant)
    assert groundwire("documents", "delete", second, "-t", tenant, "--yes").done().err == ""


def test_a_deletion_with_copies_asks_for_all_of_them(groundwire: Command, tenant: str, twice: list[str]) -> None:
    questions = groundwire("documents", "delete", twice[0], "-t", tenant, "--copies", typed="y\n").done()
    assert "and 1 other document with the same content?" in questions.out + questions.err
    assert files(groundwire, tenant) == ["own-first.md", "own-second.md"]


def test_a_deletion_of_an_unknown_document_asks_nothing(groundwire: Command, tenant: str) -> None:
    assert "There is no document" in groundwire("documents", "delete", "nodoc", "-t", tenant).line


def test_a_policy_is_set_for_the_copies_if_requested(groundwire: Command, tenant: str, twice: list[str]) -> None:
    first, second = twice
    named = groundwire("documents", "set-policy", first, "-t", tenant, "--nobody").done()
    assert f"second.md ({second}, collection default)" in named.err
    groundwire("documents", "set-policy", first, "-t", tenant, "--user", "ann", "--copies").done()
    readers = {row["doc_id"]: row["readers"] for row in groundwire.json("documents", "list", "-t", tenant)}
    assert {readers[first], readers[second]} == {"every user of the tenant; at most user ann"}
