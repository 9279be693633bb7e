"""Which files of a folder come in: links and what is no file are refused by name, and nothing is waited for."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.support.entry.command import Command, Finished


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A document for the chief alone, outside the shared folder."""
    path = tmp_path / "board" / "memo.md"
    path.parent.mkdir()
    path.write_text("# Memo\n\nThe blue pump is for sale.\n")
    (path.parent / ".policy.yaml").write_text("users: [chief]\n")
    return path


@pytest.fixture
def shared(note: Path) -> Path:
    """A folder that everybody of the tenant may read, with one document."""
    (note.parent / ".policy.yaml").write_text("public: true\n")
    return note.parent


def rows(finished: Finished) -> dict[str, Any]:
    """Outcome and reason of each file."""
    return {row["file"]: (row["status"], row["reason"]) for row in finished.json}


def found(groundwire: Command, tenant: str, *asker: str) -> set[str]:
    """The files that answer this asker."""
    return {row["source_file_name"] for row in groundwire.json("search", "blue pump", "-t", tenant, *asker)}


def test_a_link_in_a_folder_is_refused_by_name_and_the_file_behind_it_stays_out(
    groundwire: Command, tenant: str, shared: Path, board: Path
) -> None:
    (shared / "leak.md").symlink_to(board)
    (shared / "loop.md").symlink_to("loop.md")
    (shared / "nowhere.md").symlink_to("missing.md")
    reported = groundwire("ingest", str(shared), "-t", tenant, "--json")
    assert reported.code == 1
    link = ("refused", "a link: ingest the file that it points to, where the policy of that file applies")
    assert rows(reported) == {"leak.md": link, "loop.md": link, "nowhere.md": link, "note.md": ("indexed", None)}
    assert found(groundwire, tenant) == {"note.md"}


def test_a_link_to_a_folder_is_left_out(groundwire: Command, tenant: str, shared: Path, board: Path) -> None:
    (shared / "board").symlink_to(board.parent)
    assert [row["file"] for row in groundwire.ingest(tenant, shared)] == ["note.md"]


@pytest.mark.parametrize("named", ["leak.md", "inner/memo.md", "inner"])
def test_a_named_link_ingests_the_file_under_the_policy_of_its_destination(
    groundwire: Command, tenant: str, shared: Path, board: Path, named: str
) -> None:
    (shared / "leak.md").symlink_to(board)
    (shared / "inner").symlink_to(board.parent)
    [row] = groundwire.ingest(tenant, shared / named)
    assert (row["file"], row["status"]) == ("memo.md", "indexed")
    assert found(groundwire, tenant) == set()
    assert found(groundwire, tenant, "--user", "chief") == {"memo.md"}
    [again] = groundwire.ingest(tenant, board)
    assert (again["status"], again["doc_id"]) == ("unchanged", row["doc_id"])


def test_a_path_that_goes_up_and_down_again_takes_no_policy_on_the_way(
    groundwire: Command, tenant: str, shared: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.md"
    plain.write_text("# Plain\n\nThe blue pump is plain.\n")
    groundwire("ingest", str(shared / ".." / "plain.md"), "-t", tenant).done()
    assert found(groundwire, tenant) == set()


@pytest.mark.parametrize("named", [True, False])
def test_pipes_and_sockets_are_refused_and_never_waited_for(
    groundwire: Command, tenant: str, shared: Path, monkeypatch: pytest.MonkeyPatch, *, named: bool
) -> None:
    os.mkfifo(shared / "pipe.md")
    monkeypatch.chdir(shared)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        paths = ["pipe.md", "socket.md", "note.md"] if named else ["."]
        reported = groundwire("ingest", *paths, "-t", tenant, "--json")
    assert reported.code == 1
    assert {name: status for name, (status, _) in rows(reported).items()} == {
        "pipe.md": "refused",
        "socket.md": "refused",
        "note.md": "indexed",
    }
    assert "not a regular file" in rows(reported)["pipe.md"][1]


@pytest.mark.parametrize("path", ["loop.md", "nowhere.md", "missing.md"])
def test_a_named_link_that_leads_nowhere_does_not_exist(
    groundwire: Command, tenant: str, shared: Path, path: str
) -> None:
    (shared / "loop.md").symlink_to("loop.md")
    (shared / "nowhere.md").symlink_to("elsewhere.md")
    refused = groundwire("ingest", str(shared / path), "-t", tenant)
    assert refused.code == 2
    assert f"{path} does not exist." in refused.line


def test_a_relative_path_that_does_not_exist_is_refused_with_the_folder_in_which_it_starts(
    groundwire: Command, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = groundwire("ingest", "nofile.pdf", "-t", tenant)
    assert refused.code == 2
    assert refused.line == f"nofile.pdf does not exist in {tmp_path}. Correct the path."


def test_a_damaged_file_with_other_readers_closes_the_one_before_and_states_in_one_line_how_to_open_it(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--id", "memo", "--user", "chief")
    note.write_bytes(b"\x00\x01\x02" * 100)
    reported = groundwire("ingest", str(note), "-t", tenant, "--id", "memo", "--public")
    assert reported.code == 1
    [refused] = [line for line in reported.out.splitlines() if line.startswith("note.md")]
    assert "the readers are set again" in refused
    assert found(groundwire, tenant) == found(groundwire, tenant, "--user", "chief") == set()
    groundwire("documents", "set-policy", "memo", "-t", tenant, "--user", "chief").done()
    assert found(groundwire, tenant, "--user", "chief") == {"note.md"}
