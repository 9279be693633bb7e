"""Audit of ingestions: a line when a run begins, one per batch of changed documents, and one at its end."""

import os
import pwd
import signal
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.audit import ingestion
from groundwire.domain.errors import InvalidInput
from groundwire.services.ingest.file_ingestion import FileIngestion
from tests.server.entry.cli.document_states import document_ids, has_come_to
from tests.server.entry.cli.process import started
from tests.support.entry.command import Command
from tests.support.entry.waiting import until

OS_USER: Final = pwd.getpwuid(os.getuid()).pw_name
NOBODY: Final = {"public": False, "users": [], "any_tags": [], "all_tags": []}


@pytest.fixture
def document_folder(tmp_path: Path) -> Path:
    """A folder of three documents, in this order."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name in ("1-first", "2-second", "3-held"):
        (folder / f"{name}.txt").write_text(f"The {name} pump takes water.\n")
    return folder


def ingestions(groundwire: Command) -> list[dict[str, Any]]:
    return [line for line in groundwire.json("audit", "list", "--last", "1000") if line["action"] == "ingest"]


def recorded(groundwire: Command) -> list[str]:
    """The documents that the lines name."""
    return [name for line in ingestions(groundwire) for name in line.get("documents", [])]


def test_a_run_has_a_line_at_its_begin_one_with_its_documents_and_one_at_its_end(
    groundwire: Command, tenant: str, document_folder: Path
) -> None:
    groundwire("ingest", str(document_folder), "-t", tenant, "-c", "shelf", "--user", "maria").done()
    begin, batch, end = ingestions(groundwire)
    common = {"decision": "operator", "os_user": OS_USER, "tenant": tenant, "collection": "shelf", "origin": "command"}
    for line, phase in ((begin, "begin"), (batch, "batch"), (end, "end")):
        assert {name: line[name] for name in common} == common
        assert (line["phase"], line["run"]) == (phase, begin["run"])
    assert begin["files"] == 3
    assert (end["counts"], end["outcome"], "interrupted" in end) == ({"indexed": 3}, "done", False)
    assert {name.split("@")[0] for name in batch["documents"]} == document_ids(groundwire, tenant)
    assert [change["document"] for change in batch["changes"]] == [name.split("@")[0] for name in batch["documents"]]
    assert {(change["status"], change["version"]) for change in batch["changes"]} == {("indexed", 1)}
    assert len({change["policy_digest"] for change in batch["changes"]}) == 1


def test_a_run_that_changes_nothing_lists_no_documents(groundwire: Command, tenant: str, document_folder: Path) -> None:
    groundwire("ingest", str(document_folder), "-t", tenant, "--public").done()
    groundwire("ingest", str(document_folder), "-t", tenant, "--public").done()
    begin, end = ingestions(groundwire)[3:]
    assert (begin["phase"], end["phase"], end["counts"]) == ("begin", "end", {"unchanged": 3})


def test_documents_with_other_readers_are_recorded_with_the_old_and_the_new_ones(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--user", "maria")
    groundwire.ingest(tenant, note, "--id", "pumps", "--user", "ben")
    note.write_text("# Pumps\n\nThe red pump takes oil.\n")
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    first, repolicied, replaced = [line["changes"][0] for line in ingestions(groundwire) if line["phase"] == "batch"]
    assert "policy_before" not in first
    assert (repolicied["status"], replaced["status"]) == ("repolicied", "indexed")
    assert repolicied["policy_before"] == {**NOBODY, "users": ["maria"]}
    assert repolicied["policy_after"] == replaced["policy_before"] == {**NOBODY, "users": ["ben"]}
    assert replaced["policy_after"] == {**NOBODY, "public": True}
    assert len({first["policy_digest"], repolicied["policy_digest"], replaced["policy_digest"]}) == 3


def test_documents_that_follow_a_policy_file_without_their_file_are_recorded(
    groundwire: Command, tenant: str, document_folder: Path
) -> None:
    (document_folder / ".policy.yaml").write_text("users: [maria]\n")
    groundwire("ingest", str(document_folder), "-t", tenant).done()
    (document_folder / "1-first.txt").unlink()
    (document_folder / ".policy.yaml").write_text("users: [ben]\n")
    groundwire("ingest", str(document_folder), "-t", tenant, "--yes").done()
    changes = [change for line in ingestions(groundwire)[3:] for change in line.get("changes", [])]
    assert [change["status"] for change in changes] == ["repolicied"] * 3
    assert {str(change["policy_before"]) for change in changes} == {str({**NOBODY, "users": ["maria"]})}


def test_documents_that_a_synchronisation_deletes_are_recorded(
    groundwire: Command, tenant: str, document_folder: Path
) -> None:
    groundwire("ingest", str(document_folder), "-t", tenant, "--public").done()
    before = document_ids(groundwire, tenant)
    (document_folder / "1-first.txt").unlink()
    groundwire("ingest", str(document_folder), "-t", tenant, "--public", "--sync", "--yes").done()
    _, batch, end = ingestions(groundwire)[3:]
    [change] = batch["changes"]
    assert change["status"] == "deleted"
    assert {change["document"]} == before - document_ids(groundwire, tenant)
    assert end["counts"] == {"unchanged": 2, "deleted": 1}


def test_a_long_run_has_a_line_for_every_few_documents(
    groundwire: Command, tenant: str, document_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "BATCH_DOCUMENTS", 2)
    groundwire("ingest", str(document_folder), "-t", tenant, "--public").done()
    assert [len(line.get("documents", [])) for line in ingestions(groundwire)] == [0, 2, 1, 0]


def test_a_killed_run_is_shown_by_verify_with_what_was_done_until_then(
    groundwire: Command, tenant: str, document_folder: Path, enricher: str
) -> None:
    command = ["ingest", str(document_folder), "-t", tenant, "--public"]
    with started(groundwire, *command, GROUNDWIRE_ENRICHER=enricher) as process:
        # The third document is held up, so that only the time can write the line of the other two.
        until(lambda: len(recorded(groundwire)) == 2)
        assert groundwire.json("audit", "verify")["unfinished"] == []
        process.send_signal(signal.SIGKILL)
        process.wait()
    begin = ingestions(groundwire)[0]
    found = groundwire("audit", "verify", "--json").done()
    [unfinished] = found.json["unfinished"]
    assert unfinished.pop("time_utc").startswith("20")
    assert unfinished == {
        "run": begin["run"],
        "tenant": tenant,
        "collection": "default",
        "time": begin["time"],
        "files": 3,
        "documents": 2,
        "os_user": OS_USER,
    }
    shown = groundwire("audit", "verify").done().out
    assert "Audit log verified" in shown
    assert f"Ingestion {begin['run']} (tenant {tenant}, collection default) started " in shown
    assert "was not finished. Documents recorded until then: 2." in shown

    (document_folder.parent / "go").touch()
    groundwire(*command, GROUNDWIRE_ENRICHER=enricher).done()
    assert [each["run"] for each in groundwire.json("audit", "verify")["unfinished"]] == [begin["run"]]
    assert {name.split("@")[0] for name in recorded(groundwire)} == document_ids(groundwire, tenant)
    assert list(groundwire.home.glob("run-*")) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_ends_with_what_was_done_and_that_it_was_interrupted(
    groundwire: Command, tenant: str, document_folder: Path, enricher: str, number: signal.Signals
) -> None:
    with started(
        groundwire, "ingest", str(document_folder), "-t", tenant, "--public", GROUNDWIRE_ENRICHER=enricher
    ) as process:
        # The run has come to the third document, so the second one is counted.
        until(lambda: has_come_to(groundwire, tenant, 3))
        process.send_signal(number)
        process.communicate(timeout=30)
    end = ingestions(groundwire)[-1]
    assert (end["phase"], end["outcome"], end["interrupted"]) == ("end", "interrupted", True)
    assert end["counts"] == {"indexed": 2}
    assert {name.split("@")[0] for name in recorded(groundwire)} == document_ids(groundwire, tenant)
    assert groundwire.json("audit", "verify")["unfinished"] == []


def test_a_run_that_fails_ends_with_its_problem(
    groundwire: Command, tenant: str, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise InvalidInput("The file cannot be announced.")

    monkeypatch.setattr(FileIngestion, "queue", fail)
    failed = groundwire("ingest", str(note), "-t", tenant, "--public")
    assert failed.code != 0
    end = ingestions(groundwire)[-1]
    assert (end["phase"], end["outcome"], end["counts"]) == ("end", "failed", {})
    assert end["problem"].startswith("Invalid: ")
