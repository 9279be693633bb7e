"""Long runs report what they wait for; a run that is stopped reports what it did and how to continue."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import pytest

from groundwire.adapters.local.ingest.lock import FileIngestLock
from tests.server.entry.cli.document_states import has_come_to
from tests.server.entry.cli.process import on_terminal, started
from tests.support.entry.command import Command
from tests.support.entry.waiting import until

WAITING = f"Waiting for another ingestion of acme (pid {os.getpid()}, 302 of 2,022 files) …"
AGAIN = "Run the same command again to continue."

_ENRICHER = """
import json, os, sys, time
from pathlib import Path

parent = os.getppid()
folder = Path(sys.argv[1])
document = json.load(sys.stdin)
(folder / "begun").touch()
gate = folder / ("go-first" if "first" in document["title"] else "go")
while not gate.exists() and os.getppid() == parent:
    time.sleep(0.02)
for segment in document["segments"]:
    print("{}")
"""
"""Holds up the first document, and the others, until a file is there or the ingestion has ended."""


@pytest.fixture
def lock(groundwire: Command) -> FileIngestLock:
    return FileIngestLock(groundwire.home / "tenants")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """A folder of three documents, in this order."""
    folder = tmp_path / "three"
    folder.mkdir()
    for name in ("1-first", "2-second", "3-third"):
        (folder / f"{name}.txt").write_text(f"The {name} pump takes water.\n")
    return folder


@pytest.fixture
def enricher(tmp_path: Path) -> str:
    """The command of the enricher; its gates and its sign of life are in the folder of the test."""
    program = tmp_path / "enricher.py"
    program.write_text(_ENRICHER)
    return f"{sys.executable} {program} {tmp_path}"


def read(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def parser_of(pid: int) -> int:
    """The parser that this process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [child for task in tasks for child in task.read_text().split()]
    [parser] = [
        child for child in children if b"sandbox.processes.worker" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return int(parser)


def states(groundwire: Command, tenant: str) -> dict[str, str]:
    return {row["file"]: row["state"] for row in groundwire.json("documents", "list", "-t", tenant)}


def ids(groundwire: Command, tenant: str) -> dict[str, str]:
    return {row["file"]: row["doc_id"] for row in groundwire.json("documents", "list", "-t", tenant)}


def ends(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str, str]:
    process.send_signal(number)
    out, err = process.communicate(timeout=5)
    return process.returncode, out, err


def test_an_ingestion_that_waits_for_another_states_for_which_and_how_far_that_is(
    groundwire: Command, tenant: str, note: Path, lock: FileIngestLock
) -> None:
    with ExitStack() as held:
        held.enter_context(lock.hold(tenant))
        lock.report(tenant, 302, 2_022)
        with started(groundwire, "ingest", str(note), "-t", tenant, "--public", "--json") as process:
            assert read(process.stderr).readline().strip() == WAITING
            held.close()
            out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert [row["status"] for row in json.loads(out)] == ["indexed"]


def test_an_ingestion_on_a_terminal_shows_what_it_waits_for_above_its_bars(
    groundwire: Command, tenant: str, note: Path, lock: FileIngestLock
) -> None:
    with ExitStack() as held:
        held.enter_context(lock.hold(tenant))
        lock.report(tenant, 302, 2_022)
        with on_terminal(groundwire, "ingest", str(note), "-t", tenant, "--public") as running:
            assert WAITING in running.read_until("files) …")
            held.close()
            assert running.finish() == (0, "1 indexed\nreaders: 1 everyone, 0 nobody\nchanged: 1 new\n")


def test_an_ingestion_that_waits_for_nobody_reports_nothing(groundwire: Command, tenant: str, note: Path) -> None:
    assert groundwire("ingest", str(note), "-t", tenant, "--public").done().err == ""


@pytest.mark.parametrize(("arguments", "what"), [(["backup", "copy"], "an ingestion"), (["demo"], "another ingestion")])
def test_other_commands_that_wait_for_an_ingestion_say_so(
    groundwire: Command, tmp_path: Path, lock: FileIngestLock, arguments: list[str], what: str
) -> None:
    tenant = groundwire.tenant("demo")
    arguments = [str(tmp_path / each) if each == "copy" else each for each in arguments]
    with lock.hold(tenant), started(groundwire, *arguments) as process:
        assert read(process.stderr).readline().strip() == f"Waiting for {what} of demo (pid {os.getpid()}) …"


def test_a_deletion_of_a_tenant_that_waits_for_an_ingestion_reports_it(
    groundwire: Command, tenant: str, lock: FileIngestLock
) -> None:
    with lock.hold(tenant), started(groundwire, "tenant", "delete", tenant, "--yes") as process:
        assert read(process.stderr).readline().strip() == f"Waiting for an ingestion of acme (pid {os.getpid()}) …"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_ingestion_states_what_came_in_and_is_continued_by_the_same_command(
    groundwire: Command, tenant: str, three: Path, enricher: str, number: signal.Signals
) -> None:
    command = ["ingest", str(three), "-t", tenant, "--public"]
    (three.parent / "go-first").touch()
    with started(groundwire, *command, GROUNDWIRE_ENRICHER=enricher) as process:
        until(lambda: has_come_to(groundwire, tenant, 2))
        code, out, err = ends(process, number)
    assert (code, out) == (128 + number, "")
    assert err.splitlines()[-1] == f"Stopped: 1 indexed, 2 not yet read. {AGAIN}"
    assert states(groundwire, tenant) == {"1-first.txt": "indexed", "2-second.txt": "refused"}

    (three.parent / "go").touch()
    again = groundwire(*command, GROUNDWIRE_ENRICHER=enricher).done()
    assert again.out.splitlines()[0] == "2 indexed, 1 unchanged"


def test_a_killed_ingestion_leaves_no_announced_file_to_the_next_command(
    groundwire: Command, tenant: str, three: Path, enricher: str
) -> None:
    command = ["ingest", str(three), "-t", tenant, "--public"]
    (three.parent / "go-first").touch()
    with started(groundwire, *command, GROUNDWIRE_ENRICHER=enricher) as process:
        until(lambda: has_come_to(groundwire, tenant, 2))
        listed = states(groundwire, tenant)
        assert listed == {"1-first.txt": "indexed", "2-second.txt": "parsing", "3-third.txt": "queued"}
        third = ids(groundwire, tenant)["3-third.txt"]
        groundwire("documents", "set-policy", third, "-t", tenant, "--nobody").done()
        process.kill()
        process.wait()
    # The third one keeps what a person decided, so it has a record until it is ingested.
    assert states(groundwire, tenant) == {"1-first.txt": "indexed", "2-second.txt": "refused", "3-third.txt": "refused"}
    (three / "3-third.txt").rename(three.parent / "gone.txt")
    (three.parent / "go").touch()
    groundwire(*command, GROUNDWIRE_ENRICHER=enricher).done()
    assert states(groundwire, tenant)["2-second.txt"] == "indexed"


def test_a_stopped_ingestion_waits_for_no_file_that_is_being_parsed_and_prints_exact_json(
    groundwire: Command, tenant: str, three: Path, enricher: str
) -> None:
    with started(
        groundwire, "ingest", str(three), "-t", tenant, "--public", "--json", GROUNDWIRE_ENRICHER=enricher
    ) as process:
        until((three.parent / "begun").exists)
        os.kill(parser_of(process.pid), signal.SIGSTOP)
        (three.parent / "go-first").touch()
        until(lambda: has_come_to(groundwire, tenant, 2))
        code, out, _ = ends(process, signal.SIGTERM)
    assert code == 128 + signal.SIGTERM
    reported = json.loads(out)
    assert (reported["stopped"], reported["not_yet_read"]) == ("SIGTERM", 2)
    assert [(row["file"], row["status"]) for row in reported["files"]] == [("1-first.txt", "indexed")]


def test_an_ingestion_that_waits_can_be_stopped(
    groundwire: Command, tenant: str, three: Path, lock: FileIngestLock
) -> None:
    with lock.hold(tenant), started(groundwire, "ingest", str(three), "-t", tenant, "--public") as process:
        assert "Waiting" in read(process.stderr).readline()
        code, _, err = ends(process, signal.SIGINT)
    assert (code, err.splitlines()[-1]) == (130, f"Stopped: 3 not yet read. {AGAIN}")


def test_a_change_of_model_that_waits_for_an_ingestion_reports_it_and_can_be_stopped(
    groundwire: Command, tenant: str, lock: FileIngestLock
) -> None:
    model = groundwire.json("model", "list")[0]["name"]
    with lock.hold(tenant), started(groundwire, "reindex", tenant, "--model", model) as process:
        assert read(process.stderr).readline().startswith("Waiting for an ingestion of acme")
        code, _, err = ends(process, signal.SIGINT)
    assert (code, err.splitlines()[-1]) == (130, f"Stopped: no passage is in the new index yet. {AGAIN}")


_COUNTED = """
import signal
from groundwire.entry.cli.long_runs.progress import counted_progress

with counted_progress() as progress:
    progress("documents", 1_200, 4_000)
    print("begun", flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whatever_counts_its_stages_states_how_far_it_is_when_it_is_stopped(number: signal.Signals) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", _COUNTED], stdout=pipe, stderr=pipe, text=True) as process:
        assert read(process.stdout).readline() == "begun\n"
        assert ends(process, number) == (128 + number, "", f"Stopped: 1,200 of 4,000 documents. {AGAIN}\n")
