"""The parser function's own process: the end of what a document left behind, and its own end."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from groundwire.adapters.parse.function import own_process
from groundwire.adapters.parse.function.own_process import OwnProcess
from tests.support.entry.https_server import Reply, https_server

ROOT: Final = Path(__file__).parents[5]
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


def test_processes_that_ignore_sigterm_or_leave_their_parent_are_ended() -> None:
    assert json.loads(run("-m", "tests.server.adapters.parse.function.left_behind", "100")) == [[2, ""], [0, ""]]


def test_a_cleanup_that_gives_up_names_the_reason() -> None:
    (ended, reason), again = json.loads(run("-m", "tests.server.adapters.parse.function.left_behind", "0"))
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


def test_the_process_delivers_its_answer_or_its_error_and_ends() -> None:
    with https_server(None, lambda _: Reply(status=202)) as runtime_api:
        run("-c", _END, "answer", f"127.0.0.1:{runtime_api.port}")
        run("-c", _END, "error", f"127.0.0.1:{runtime_api.port}")
    path = "/2018-06-01/runtime/invocation/request-1/"
    assert [(request.target, json.loads(request.body)) for request in runtime_api.received] == [
        (f"{path}response", {"version": 2}),
        (f"{path}error", {"errorType": "ParserBroken", "errorMessage": "no worker"}),
    ]


def test_the_process_also_ends_when_nobody_takes_its_answer() -> None:
    assert run("-c", _END, "answer", "127.0.0.1:1") == ""
