"""Lambda's Runtime API for one invocation: the function's process fetches the event and posts its answer.

The process runs AWS's own client of the runtime (awslambdaric), as in Lambda. Source of the four routes: AWS's page
"Using the Lambda runtime API for custom runtimes", version 2018-06-01.
"""

import os
import queue
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final, cast
from uuid import uuid4

from groundwire.domain.errors import Unavailable

_STOP_S: Final = 5
_ERRORS: Final = 2
"""Standard error: the function's log goes there, so that standard output is the answer alone."""
_BOOTSTRAP: Final = "import sys; from awslambdaric.__main__ import main; main(['awslambdaric', sys.argv[1]])"


@dataclass(frozen=True, slots=True)
class FunctionProcess:
    """A function to run.

    Attributes:
        name: its logical id.
        file: the Python file with the handler.
        attribute: the handler's name in the file.
        variables: its whole environment; what Lambda adds is added to it.
    """

    name: str
    file: Path
    attribute: str
    timeout_s: int
    memory_mb: int
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in JSON, and whether the function failed; then it has `errorType` and `errorMessage`."""

    content: bytes
    is_failure: bool


def invoke(function: FunctionProcess, event: bytes) -> Answer:
    """Return the answer of the function to one event; its process is started and ended.

    Raises:
        Unavailable: the process ended without an answer, or the function's timeout passed.
    """
    with _RuntimeApi(function, event) as api:
        serving = Thread(target=api.serve_forever, daemon=True)
        serving.start()
        process = _start(function, api.server_port)
        try:
            return _wait_for_answer(api, process)
        finally:
            process.kill()
            process.wait(_STOP_S)
            api.shutdown()
            serving.join(_STOP_S)


class _RuntimeApi(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, function: FunctionProcess, event: bytes) -> None:
        # With port 0 the system picks one that is free.
        super().__init__(("127.0.0.1", 0), _Handler)
        self.function = function
        self.events: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.events.put(event)
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a broken connection: the client is ended while it waits for the next event."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _api(self) -> _RuntimeApi:
        return cast("_RuntimeApi", self.server)

    def do_GET(self) -> None:
        """Answer `/runtime/invocation/next`; after the one event the client waits until its process is ended."""
        function = self._api.function
        event = self._api.events.get()
        deadline_ms = int((time.time() + function.timeout_s) * 1000)
        self._answer(
            200,
            event,
            {
                "Content-Type": "application/json",
                "Lambda-Runtime-Aws-Request-Id": str(uuid4()),
                "Lambda-Runtime-Deadline-Ms": str(deadline_ms),
                "Lambda-Runtime-Invoked-Function-Arn": f"arn:aws:lambda:local:000000000000:function:{function.name}",
            },
        )

    def do_POST(self) -> None:
        """Take the answer at `…/response`, or a failure at `…/error` and `/runtime/init/error`."""
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        # Before the answer is handed on, after which the process is killed.
        self._answer(202, b"", {})
        self._api.answers.put(Answer(content, is_failure=self.path.endswith("/error")))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Log nothing: the requests are the runtime client's own."""

    def _answer(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        with suppress(ConnectionError):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)


def _start(function: FunctionProcess, port: int) -> subprocess.Popen[bytes]:
    environment = {
        **function.variables,
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{port}",
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb),
        "AWS_LAMBDA_LOG_GROUP_NAME": "local",
        "AWS_LAMBDA_LOG_STREAM_NAME": "local",
        "LAMBDA_TASK_ROOT": str(function.file.parent),
    }
    command = [sys.executable, "-c", _BOOTSTRAP, f"{function.file.stem}.{function.attribute}"]
    return subprocess.Popen(
        command, cwd=function.file.parent, env=environment, stdin=subprocess.DEVNULL, stdout=_ERRORS, stderr=_ERRORS
    )


def _wait_for_answer(api: _RuntimeApi, process: subprocess.Popen[bytes]) -> Answer:
    """Return the first answer; the timeout includes the start, which Lambda does not count."""
    function = api.function
    end = time.monotonic() + function.timeout_s
    while time.monotonic() < end:
        with suppress(queue.Empty):
            return api.answers.get(timeout=0.05)
        # The process may have ended just after its answer.
        if process.poll() is not None and api.answers.empty():
            raise Unavailable(f"{function.name} ended with exit code {process.returncode}. Its log is above.")
    raise Unavailable(f"{function.name} did not answer in its {function.timeout_s} s. Its log is above.")


def inherited_variables() -> dict[str, str]:
    """Return this process's variables without those of Groundwire, by which a function finds its stores."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
