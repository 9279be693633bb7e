"""A run that waited ingests each file under the policy files, and from the folders, of that moment."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from groundwire.adapters.local.ingest.lock import FileIngestLock
from tests.server.entry.cli.process import started
from tests.support.entry.command import Command

EVERYBODY = "every user of the tenant"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files that everybody may read."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("The blue pump takes water.\n")
    (folder / "b.txt").write_text("The green pump takes oil.\n")
    (folder / ".policy.yaml").write_text("public: true\n")
    return folder


def run_after(groundwire: Command, tenant: str, change: Callable[[], object], *arguments: str) -> tuple[int, str]:
    """Return the exit code and the messages of a run during whose wait something is changed."""
    lock = FileIngestLock(groundwire.home / "tenants")
    with ExitStack() as held:
        held.enter_context(lock.hold(tenant))
        with started(groundwire, "ingest", *arguments, "-t", tenant) as process:
            assert process.stderr is not None
            assert "Waiting" in process.stderr.readline()
            change()
            held.close()
            _, messages = process.communicate(timeout=60)
    return process.returncode, messages


def readers(groundwire: Command, tenant: str) -> dict[str, str]:
    return {row["file"]: row["readers"] for row in groundwire.json("documents", "list", "-t", tenant)}


def test_readers_are_those_of_the_policy_file_when_a_file_is_ingested(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    def close() -> None:
        (folder / ".policy.yaml").write_text("users: [ann]\n")

    assert run_after(groundwire, tenant, close, str(folder))[0] == 0
    assert readers(groundwire, tenant) == dict.fromkeys(("a.txt", "b.txt"), "user ann")


def test_a_policy_file_that_was_damaged_refuses_files_and_their_documents_keep_their_readers(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire("ingest", str(folder), "-t", tenant).done()
    assert readers(groundwire, tenant)["a.txt"] == EVERYBODY
    (folder / "a.txt").write_text("The blue pump takes acid.\n")

    def spoil() -> None:
        (folder / ".policy.yaml").write_text("users: [ann\n")

    code, messages = run_after(groundwire, tenant, spoil, str(folder))
    assert code == 1
    assert ".policy.yaml" in messages
    assert readers(groundwire, tenant) == dict.fromkeys(("a.txt", "b.txt"), EVERYBODY)
    assert "acid" not in groundwire("search", "blue pump", "-t", tenant).out

    (folder / ".policy.yaml").write_text("users: [ann]\n")
    groundwire("ingest", str(folder), "-t", tenant).done()
    assert readers(groundwire, tenant) == dict.fromkeys(("a.txt", "b.txt"), "user ann")


def test_nobody_reads_where_a_policy_file_of_nearly_the_right_name_appears(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire("ingest", str(folder), "-t", tenant).done()

    def misname() -> None:
        (folder / ".policy.yaml").rename(folder / ".policy.yml")

    assert run_after(groundwire, tenant, misname, str(folder))[0] == 1
    assert readers(groundwire, tenant) == dict.fromkeys(("a.txt", "b.txt"), "nobody")


def test_documents_of_a_folder_that_was_moved_away_are_not_deleted(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire("ingest", str(folder), "-t", tenant).done()

    aside = (folder / "b.txt").rename(folder.parent / "b.txt")

    def restore_and_move() -> None:
        aside.rename(folder / "b.txt")
        folder.rename(folder.parent / "elsewhere")

    assert run_after(groundwire, tenant, restore_and_move, str(folder), "--sync", "--yes")[0] == 0
    assert readers(groundwire, tenant) == dict.fromkeys(("a.txt", "b.txt"), EVERYBODY)
