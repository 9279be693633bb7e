"""The worker process: what it may not do, and what becomes of documents that kill it."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from groundwire.adapters.parse import Limits, WorkerParser, confinement
from groundwire.domain.errors import DocumentRefused, Unavailable

HOSTILE = "tests.parse.hostile_worker"


@pytest.fixture(scope="module")
def hostile() -> Iterator[WorkerParser]:
    limits = Limits(memory_mb=512, cpu_seconds=1, wall_seconds=60, result_bytes=1_000_000, documents=1_000)
    with WorkerParser(limits, HOSTILE) as parser:
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
        ("babble", "nonsense"),
    ],
)
def test_a_document_that_kills_its_worker_is_refused_and_the_next_is_read(
    hostile: WorkerParser, order: str, reason: str
) -> None:
    with pytest.raises(DocumentRefused, match=reason):
        answer(hostile, order)
    assert answer(hostile, "hello") == "hello"


def test_a_document_that_hangs_is_refused_after_its_time() -> None:
    with WorkerParser(Limits(wall_seconds=0.5), HOSTILE) as parser:
        with pytest.raises(DocumentRefused, match=r"longer than 0\.5 s"):
            answer(parser, "hang")
        assert answer(parser, "hello") == "hello"


@pytest.mark.parametrize("family", ["inet", "inet6", "netlink", "packet"])
def test_the_worker_cannot_open_network_sockets(hostile: WorkerParser, family: str) -> None:
    assert answer(hostile, f"socket {family}") == "EPERM"


def test_the_worker_may_use_unix_sockets(hostile: WorkerParser) -> None:
    assert answer(hostile, "socket unix") == "opened"


def test_the_worker_cannot_make_sockets_by_io_uring_or_start_programs(hostile: WorkerParser) -> None:
    assert answer(hostile, "io_uring") == "EPERM"
    assert answer(hostile, "exec") == "EPERM"
    assert answer(hostile, "x32") == "EPERM"


def test_the_worker_cannot_fill_the_disk(hostile: WorkerParser) -> None:
    assert answer(hostile, "write") in ("EFBIG", "SIGXFSZ")


def test_the_worker_knows_nothing_of_its_parents_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("HTTPS_PROXY", "http://canary")
    with WorkerParser(Limits(), HOSTILE) as parser:
        assert "canary" not in answer(parser, "environment")
        assert answer(parser, "directory") == os.sep


def test_what_a_library_prints_does_not_disturb_the_answers(hostile: WorkerParser) -> None:
    assert answer(hostile, "print") == "print"
    assert answer(hostile, "hello") == "hello"


def test_a_worker_is_reused_and_replaced_after_its_share_of_documents() -> None:
    with WorkerParser(Limits(documents=2), HOSTILE) as parser:
        pids = [answer(parser, "pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_worker_that_has_grown_is_replaced() -> None:
    with WorkerParser(Limits(growth_mb=100), HOSTILE) as parser:
        first = answer(parser, "pid")
        assert answer(parser, "grow") == "grown"
        assert answer(parser, "pid") != first


def test_a_worker_that_died_between_documents_harms_none() -> None:
    with WorkerParser(Limits(), HOSTILE) as parser:
        answer(parser, "hello")
        pid = parser.worker_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert answer(parser, "hello") == "hello"


def test_threads_share_one_worker_and_each_gets_its_own_answer() -> None:
    answers: dict[int, str] = {}
    with WorkerParser(Limits(), HOSTILE) as parser:

        def ask(number: int) -> None:
            answers[number] = answer(parser, f"echo {number}")

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: f"echo {number}" for number in range(8)}


def test_closing_ends_the_worker() -> None:
    parser = WorkerParser(Limits(), HOSTILE)
    answer(parser, "hello")
    pid = parser.worker_pid
    assert pid is not None
    parser.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_confinement_says_what_is_enforced_here() -> None:
    sentences = confinement()
    assert len(sentences) == 4
    if sys.platform == "linux" and ctypes.sizeof(ctypes.c_void_p) == 8:
        assert all(sentence.endswith(": enforced.") for sentence in sentences)


def test_a_parser_that_cannot_start_is_nobodys_document() -> None:
    with WorkerParser(Limits(), "tests.parse.no_such_worker") as parser, pytest.raises(Unavailable):
        parser.parse(b"A line of text.", "txt")
