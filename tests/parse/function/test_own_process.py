"""The parser function's own process: the end of what a document left behind, and its own end."""

import json
import subprocess
import sys
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest

from groundwire.adapters.parse.function import own_process
from groundwire.adapters.parse.function.own_process import OwnProcess

ROOT: Final = Path(__file__).parents[3]
_END: Final = """\
import sys
from groundwire.adapters.parse.function.own_process import OwnProcess
from groundwire.domain.errors import ParserBroken
process, kind, address = OwnProcess(), *sys.argv[1:]
if kind == "answer":
    process.answer_and_end(address, "request-1", {"version": 2})
process.fail_and_end(address, "request-1", ParserBroken("no worker"))
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="The function runs on Linux.")


def run(*arguments: str) -> str:
    """Return the output of a fresh interpreter; CalledProcessError if its exit code is not 0."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.fixture
def delivered() -> Generator[tuple[str, list[tuple[str, object]]]]:
    """Address of a runtime API, and what it gets."""
    got: list[tuple[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(202)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_port}", got
        server.shutdown()
        thread.join()


def test_processes_that_ignore_sigterm_or_leave_their_parent_are_ended() -> None:
    assert json.loads(run("-m", "tests.parse.function.left_behind", "100")) == [[2, ""], [0, ""]]


def test_a_cleanup_that_gives_up_names_the_reason() -> None:
    (ended, reason), again = json.loads(run("-m", "tests.parse.function.left_behind", "0"))
    assert (ended, again) == (0, [2, ""])
    assert "still there after 0 attempts" in reason


def test_a_process_that_may_not_be_ended_is_named_as_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_pid: int, _signal: int) -> None:
        raise PermissionError

    def one(_parent: int) -> list[int]:
        return [1]

    monkeypatch.setattr(own_process, "_children", one)
    monkeypatch.setattr("os.kill", forbidden)
    found = OwnProcess().end_descendants(None)
    assert (found.ended, found.left) == (0, "a process cannot be found or ended (PermissionError)")


def test_the_process_delivers_its_answer_or_its_error_and_ends(
    delivered: tuple[str, list[tuple[str, object]]],
) -> None:
    address, got = delivered
    run("-c", _END, "answer", address)
    run("-c", _END, "error", address)
    path = "/2018-06-01/runtime/invocation/request-1/"
    assert got == [
        (f"{path}response", {"version": 2}),
        (f"{path}error", {"errorType": "ParserBroken", "errorMessage": "no worker"}),
    ]


def test_the_process_also_ends_when_nobody_takes_its_answer() -> None:
    assert run("-c", _END, "answer", "127.0.0.1:1") == ""
