"""The fork server: the memory and descriptors of its workers, its end and its new start."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from groundwire_readers import ParserLimits, WorkerParser
from groundwire_readers.errors import UnreadableDocument, WorkerNotStarted

HOSTILE: Final = "tests.readers.hostile_worker"
ROOT: Final = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Workers are forked on Linux only.")


def answer(parser: WorkerParser, order: str) -> str:
    return parser.parse(order.encode(), "txt").blocks[0].text


def test_readers_start_no_thread_and_share_no_memory_and_no_format_imports_a_module_when_it_is_read() -> None:
    command = [sys.executable, "-m", "tests.readers.imported_readers"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(done.stdout)
    # A fork copies one thread alone, and a writable mapping that is shared would lead from one document to the next.
    assert (found["threads"], found["shared"]) == (1, [])
    assert [name for name in found["imported"] if not name.startswith("encodings.")] == []


def test_each_document_gets_a_worker_of_its_own_and_the_server_stays() -> None:
    with WorkerParser(ParserLimits(), HOSTILE, forks_workers=True) as parser:
        workers: set[str] = set()
        servers: set[int | None] = set()
        for _ in range(3):
            workers.add(answer(parser, "pid"))
            parser.end_worker()
            servers.add(parser.fork_server_pid)
        assert (len(workers), len(servers), parser.lost_workers) == (3, 1, 0)


def test_a_worker_has_no_descriptor_of_the_server_and_no_open_one_of_another_worker() -> None:
    with WorkerParser(ParserLimits(), "tests.readers.open_descriptors", forks_workers=True) as parser:
        first = answer(parser, "count")
        parser.end_worker()
        # Standard streams, requests, replies and the status of its memory.
        assert (first, answer(parser, "count")) == ("0 1 2 3 4 5", "0 1 2 3 4 5")


def test_documents_that_crash_their_workers_leave_the_server_as_it_was() -> None:
    with WorkerParser(ParserLimits(memory_mb=512, cpu_seconds=1), HOSTILE, forks_workers=True) as parser:
        assert answer(parser, "hello") == "hello"
        server = parser.fork_server_pid
        for order in ("abort", "segfault", "leave", "burn", "allocate"):
            with pytest.raises(UnreadableDocument):
                answer(parser, order)
        assert answer(parser, "hello") == "hello"
        assert parser.fork_server_pid == server


def test_a_server_that_ended_between_documents_is_started_again() -> None:
    with WorkerParser(ParserLimits(), HOSTILE, forks_workers=True) as parser:
        assert answer(parser, "hello") == "hello"
        parser.end_worker()
        server = parser.fork_server_pid
        assert server is not None
        os.kill(server, signal.SIGKILL)
        assert answer(parser, "hello") == "hello"
        assert parser.fork_server_pid not in (None, server)


def test_closing_ends_the_server_and_a_later_document_starts_another() -> None:
    parser = WorkerParser(ParserLimits(), HOSTILE, forks_workers=True)
    answer(parser, "hello")
    server = parser.fork_server_pid
    assert server is not None
    parser.close()
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    assert parser.fork_server_pid is None
    assert answer(parser, "hello") == "hello"
    parser.close()


def test_a_server_that_takes_too_long_to_start_is_nobodys_document() -> None:
    limits = ParserLimits(start_seconds=0.001)
    with WorkerParser(limits, HOSTILE, forks_workers=True) as parser, pytest.raises(WorkerNotStarted):
        answer(parser, "hello")
