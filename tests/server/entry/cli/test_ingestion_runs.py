"""`groundwire ingestion`: progress, outcome and end of the runs of `groundwire ingest`."""

import signal
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from groundwire import wiring
from groundwire.entry.cli.long_runs.run_record import RunRecord
from tests.server.entry.cli.document_states import document_ids, has_come_to
from tests.server.entry.cli.process import started
from tests.support.entry.command import Command
from tests.support.entry.waiting import until


@pytest.fixture
def document_folder(tmp_path: Path) -> Path:
    """A folder of three documents, of which the second one is held up."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name in ("1-first", "2-held", "3-last"):
        (folder / f"{name}.txt").write_text(f"The {name} pump takes water.\n")
    return folder


def runs(groundwire: Command, tenant: str) -> list[dict[str, Any]]:
    return list(groundwire.json("ingestion", "list", "-t", tenant)["ingestions"])


def test_a_finished_run_has_its_counts(groundwire: Command, tenant: str, document_folder: Path) -> None:
    assert "no runs of `groundwire ingest` yet" in groundwire("ingestion", "list", "-t", tenant).done().out
    groundwire("ingest", str(document_folder), "-t", tenant, "-c", "shelf", "--public").done()
    groundwire("ingest", str(document_folder), "-t", tenant, "-c", "shelf", "--public").done()
    again, first = runs(groundwire, tenant)
    assert (first["state"], first["collection"], first["files"], first["files_done"]) == ("done", "shelf", 3, 3)
    assert (first["counts"], again["counts"]) == ({"indexed": 3}, {"unchanged": 3})
    assert "3/3" in groundwire("ingestion", "list", "-t", tenant).done().out
    assert "3 indexed" in groundwire("ingestion", "show", first["id"], "-t", tenant).done().out
    refused = groundwire("ingestion", "cancel", first["id"], "-t", tenant)
    assert (refused.code, "is not running" in refused.line) == (1, True)


def test_a_run_is_cancelled_after_its_present_file_and_the_same_command_continues_it(
    groundwire: Command, tenant: str, document_folder: Path, enricher: str
) -> None:
    command = ["ingest", str(document_folder), "-t", tenant, "--public"]
    with started(groundwire, *command, GROUNDWIRE_ENRICHER=enricher) as process:
        until(lambda: has_come_to(groundwire, tenant, 2))
        [run] = runs(groundwire, tenant)
        assert (run["state"], run["files"], run["cancel_requested"]) == ("running", 3, False)
        pending = groundwire.json("ingestion", "list", "-t", tenant)["pending"]
        assert (pending["parsing"], pending["queued"]) == (1, 1)
        assert "not read yet: " in groundwire("ingestion", "list", "-t", tenant).done().out
        requested = groundwire.json("ingestion", "cancel", run["id"], "-t", tenant)
        assert requested["cancel_requested"]
        (document_folder.parent / "go").touch()
        _, err = process.communicate(timeout=60)
    assert (process.returncode, "2 indexed, 1 not yet read" in err) == (130, True)
    [run] = runs(groundwire, tenant)
    assert (run["state"], run["files_done"], run["counts"]) == ("cancelled", 2, {"indexed": 2})
    assert len(document_ids(groundwire, tenant)) == 2
    groundwire(*command, GROUNDWIRE_ENRICHER=enricher).done()
    assert runs(groundwire, tenant)[0]["counts"] == {"unchanged": 2, "indexed": 1}


@pytest.mark.parametrize(("number", "state"), [(signal.SIGINT, "interrupted"), (signal.SIGKILL, "killed")])
def test_a_run_that_did_not_end_by_itself_is_no_running_one(
    groundwire: Command, tenant: str, document_folder: Path, enricher: str, number: signal.Signals, state: str
) -> None:
    command = ["ingest", str(document_folder), "-t", tenant, "--public"]
    with started(groundwire, *command, GROUNDWIRE_ENRICHER=enricher) as process:
        until(lambda: has_come_to(groundwire, tenant, 2))
        process.send_signal(number)
        process.communicate(timeout=60)
    [run] = runs(groundwire, tenant)
    assert (run["state"], run["files"]) == (state, 3)


def test_an_unknown_run_is_named_with_what_lists_them(groundwire: Command, tenant: str) -> None:
    refused = groundwire("ingestion", "show", "r_0000000000000000", "-t", tenant)
    assert "`groundwire ingestion list` names them" in refused.line


def test_a_run_whose_tenant_is_deleted_before_its_end_leaves_no_record(
    groundwire: Command, tenant: str, document_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = RunRecord.__exit__

    def end_after_deletion(
        record: RunRecord,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # The run has freed its lock, for which a deletion waits, and has not stored its end.
        wiring.local_services().administration.tenant_admin.delete(tenant)
        end(record, kind, error, traceback)

    monkeypatch.setattr(RunRecord, "__exit__", end_after_deletion)
    groundwire("ingest", str(document_folder), "-t", tenant, "--public")
    assert [file for file in (groundwire.home / "tenants").rglob("*") if file.is_file()] == []
