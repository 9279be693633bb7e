import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from groundwire.adapters.local.audit import RunMarks


@pytest.fixture
def marks(folder: Path) -> RunMarks:
    folder.mkdir()
    return RunMarks(folder)


def hold_mark(folder: Path, marked: Connection) -> None:
    unmark = RunMarks(folder).mark("r_1")
    marked.send(os.getpid())
    signal.pause()
    unmark()


def test_a_run_is_running_from_its_mark_to_the_end_of_it(marks: RunMarks, folder: Path) -> None:
    assert not marks.is_running("r_1")
    unmark = marks.mark("r_1")
    assert RunMarks(folder).is_running("r_1")
    assert not marks.is_running("r_2")
    unmark()
    assert not marks.is_running("r_1")
    assert list(folder.iterdir()) == []


def test_a_killed_process_runs_nothing_and_the_next_run_removes_its_file(marks: RunMarks, folder: Path) -> None:
    context = get_context("spawn")
    marked, reported = context.Pipe(duplex=False)
    process = context.Process(target=hold_mark, args=(folder, reported))
    process.start()
    pid = marked.recv()
    assert marks.is_running("r_1")
    os.kill(pid, signal.SIGKILL)
    process.join()
    assert not marks.is_running("r_1")
    unmark = marks.mark("r_2")
    assert [path.name for path in folder.iterdir()] == ["run-r_2.lock"]
    unmark()


def test_only_the_owner_can_read_a_mark(marks: RunMarks, folder: Path) -> None:
    unmark = marks.mark("r_1")
    assert [path.stat().st_mode & 0o077 for path in folder.iterdir()] == [0]
    unmark()
