"""The worker process: what it may not do, and what becomes of documents that kill it."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire_readers import ParserLimits, WorkerParser, confinement_report
from groundwire_readers.errors import UnreadableDocument, WorkerNotStarted
from groundwire_readers.sandbox import landlock
from tests.support.entry.waiting import until

HOSTILE = "tests.readers.hostile_worker"


STARTS = [
    pytest.param(False, id="a program"),
    pytest.param(True, id="forked", marks=pytest.mark.skipif(sys.platform != "linux", reason="Forked on Linux only.")),
]
"""Starts of a worker: as a program of its own, or forked by a server that has the readers."""


@pytest.fixture(scope="module", params=STARTS)
def hostile(request: pytest.FixtureRequest) -> Iterator[WorkerParser]:
    limits = ParserLimits(
        memory_mb=512,
        cpu_seconds=1,
        wall_seconds=60,
        result_bytes=1_000_000,
        result_parts=20_000,
        documents_per_worker=1_000,
    )
    with WorkerParser(limits, HOSTILE, forks_workers=bool(request.param)) as parser:
        yield parser


def answer(parser: WorkerParser, order: str) -> str:
    return parser.parse(order.encode(), "txt").blocks[0].text


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("allocate", "out of memory on this file .limit 512 MB"),
        ("allocate natively", "out of memory on this file"),
        ("abort", "crashed on this file"),
        ("segfault", "crashed on this file"),
        ("raise", "crashed on this file"),
        ("leave", "crashed on this file"),
        ("burn", "1 s of processor time"),
        ("flood", "larger than"),
        ("crumbs 15000", "more than 20,000 paragraphs and cells"),
        ("announce", "larger than"),
        ("brackets", "more than 20,000 paragraphs and cells"),
        ("babble", "nonsense"),
    ],
)
def test_a_document_that_kills_its_worker_is_refused_and_the_next_is_read(
    hostile: WorkerParser, order: str, reason: str
) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        answer(hostile, order)
    assert answer(hostile, "hello") == "hello"


@pytest.mark.parametrize("forks", STARTS)
def test_a_document_that_hangs_is_refused_after_its_time(*, forks: bool) -> None:
    with WorkerParser(ParserLimits(wall_seconds=0.5), HOSTILE, forks_workers=forks) as parser:
        with pytest.raises(UnreadableDocument, match=r"longer than 0\.5 s"):
            answer(parser, "hang")
        assert answer(parser, "hello") == "hello"


@pytest.mark.parametrize("attachment_tree", ["inet", "inet6", "netlink", "packet"])
def test_the_worker_cannot_open_network_sockets(hostile: WorkerParser, attachment_tree: str) -> None:
    assert answer(hostile, f"socket {attachment_tree}") == "EPERM"


def test_the_worker_cannot_reach_a_socket_of_the_machine(hostile: WorkerParser) -> None:
    assert answer(hostile, "socket unix") == "EPERM"
    assert answer(hostile, "datagrams") == "EPERM"
    assert answer(hostile, "pair") == "opened"


def test_the_worker_cannot_start_a_process(hostile: WorkerParser) -> None:
    assert answer(hostile, "fork") == "EPERM"
    assert answer(hostile, "clone3") == "ENOSYS"
    assert answer(hostile, "thread") == "ran"


def test_the_worker_cannot_signal_or_limit_its_parent(hostile: WorkerParser) -> None:
    assert answer(hostile, "kill parent") == "EPERM"
    assert answer(hostile, "kill everyone") == "EPERM"
    assert answer(hostile, "limit parent") == "EPERM"
    assert answer(hostile, "outlive parent") == "EPERM"


def test_the_worker_kills_no_other_process_by_way_of_a_pipe(hostile: WorkerParser) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert answer(hostile, f"signal {other.pid}") == "EPERM"
        other.communicate(b"\n")
    assert other.returncode == 0


def test_the_worker_changes_no_mode_owner_time_or_attribute_of_a_file(hostile: WorkerParser, tmp_path: Path) -> None:
    file = tmp_path / "secrets.json"
    file.write_text("{}")
    file.chmod(0o600)
    before = file.stat()
    assert answer(hostile, f"change {file}") == "EPERM"
    assert answer(hostile, f"change {tmp_path}") == "EPERM"
    assert answer(hostile, "change open file") == "EPERM"
    assert file.stat() == before


def test_the_worker_gets_at_no_clock_mount_watch_or_memory_of_the_machine(hostile: WorkerParser) -> None:
    assert answer(hostile, "further calls") == ""


def test_the_worker_can_read_no_file_but_its_libraries_and_write_none(hostile: WorkerParser, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    outcome = "EACCES" if landlock.abi_version() else "opened"  # then `confinement` says that files are open
    assert answer(hostile, f"read {secret}") == outcome
    assert answer(hostile, f"read /proc/{os.getpid()}/environ") == outcome
    assert answer(hostile, "read /etc/passwd") == outcome
    assert answer(hostile, f"create {tmp_path / 'new'}") == outcome
    assert answer(hostile, f"read {os.__file__}") == "opened"


@pytest.mark.parametrize("forks", STARTS)
def test_a_worker_dies_with_its_parent_even_when_it_cannot_notice(*, forks: bool) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.readers.dying_parent", *(["forks"] if forks else [])],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        os.kill(pid, signal.SIGSTOP)  # so that it cannot notice by itself
        parent.kill()
    until(lambda: not _runs(pid))


def _runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("forks", STARTS)
def test_a_worker_outlives_the_thread_that_started_it(*, forks: bool) -> None:
    pids: list[str] = []
    with WorkerParser(ParserLimits(), HOSTILE, forks_workers=forks) as parser:
        asking = threading.Thread(target=lambda: pids.append(answer(parser, "pid")))
        asking.start()
        asking.join()
        assert answer(parser, "pid") == pids[0]


def test_the_worker_cannot_make_sockets_by_io_uring_or_start_programs(hostile: WorkerParser) -> None:
    assert answer(hostile, "io_uring") == "EPERM"
    assert answer(hostile, "exec") == "EPERM"
    assert answer(hostile, "x32") == "EPERM"


def test_the_worker_cannot_fill_the_disk(hostile: WorkerParser) -> None:
    assert answer(hostile, "write") in ("EFBIG", "SIGXFSZ")


@pytest.mark.parametrize("forks", STARTS)
def test_the_worker_knows_nothing_of_its_parents_environment(monkeypatch: pytest.MonkeyPatch, *, forks: bool) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("HTTPS_PROXY", "http://canary")
    with WorkerParser(ParserLimits(), HOSTILE, forks_workers=forks) as parser:
        assert "canary" not in answer(parser, "environment")
        assert answer(parser, "directory") == os.sep


def test_what_a_library_prints_does_not_disturb_the_answers(hostile: WorkerParser) -> None:
    assert answer(hostile, "print") == "print"
    assert answer(hostile, "hello") == "hello"


def test_a_worker_that_prints_megabytes_answers_all_the_same(hostile: WorkerParser) -> None:
    pid = answer(hostile, "pid")
    assert answer(hostile, "shout") == "shouted"
    assert answer(hostile, "pid") == pid


@pytest.mark.parametrize("forks", STARTS)
def test_a_worker_is_reused_and_replaced_after_its_share_of_documents(*, forks: bool) -> None:
    with WorkerParser(ParserLimits(documents_per_worker=2), HOSTILE, forks_workers=forks) as parser:
        pids = [answer(parser, "pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


@pytest.mark.parametrize("forks", STARTS)
def test_a_worker_that_has_grown_is_replaced(*, forks: bool) -> None:
    with WorkerParser(ParserLimits(recycle_above_mb=100), HOSTILE, forks_workers=forks) as parser:
        first = answer(parser, "pid")
        assert answer(parser, "grow") == "grown"
        assert answer(parser, "pid") != first


@pytest.mark.parametrize("forks", STARTS)
def test_a_worker_is_not_replaced_for_what_its_parent_holds(*, forks: bool) -> None:
    held = bytes([1]) * (300 << 20)
    with WorkerParser(ParserLimits(recycle_above_mb=200), HOSTILE, forks_workers=forks) as parser:
        assert answer(parser, "pid") == answer(parser, "pid")
    assert len(held) > 200 << 20


def test_a_worker_that_died_between_documents_harms_none() -> None:
    with WorkerParser(ParserLimits(), HOSTILE) as parser:
        answer(parser, "hello")
        pid = parser.worker_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert answer(parser, "hello") == "hello"


def test_threads_share_one_worker_and_each_gets_its_own_answer() -> None:
    answers: dict[int, str] = {}
    with WorkerParser(ParserLimits(), HOSTILE) as parser:

        def ask(number: int) -> None:
            answers[number] = answer(parser, f"echo {number}")

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: f"echo {number}" for number in range(8)}


@pytest.mark.parametrize("forks", STARTS)
def test_closing_ends_the_worker(*, forks: bool) -> None:
    parser = WorkerParser(ParserLimits(), HOSTILE, forks_workers=forks)
    answer(parser, "hello")
    pid = parser.worker_pid
    assert pid is not None
    parser.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_confinement_states_what_is_enforced_here() -> None:
    sentences = [str(restriction) for restriction in confinement_report()]
    assert len(sentences) == 5
    if sys.platform == "linux" and ctypes.sizeof(ctypes.c_void_p) == 8:
        enforced = [sentence.endswith(": enforced.") for sentence in sentences]
        assert enforced == [True, landlock.abi_version() > 0, True, True, True]


@pytest.mark.parametrize("forks", STARTS)
def test_a_parser_that_cannot_start_is_nobodys_document(*, forks: bool) -> None:
    with (
        WorkerParser(ParserLimits(), "tests.readers.no_such_worker", forks_workers=forks) as parser,
        pytest.raises(WorkerNotStarted),
    ):
        parser.parse(b"A line of text.", "txt")
