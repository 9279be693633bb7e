"""A server in a process of its own, as somebody at a terminal would start it."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Final, cast

ROOT: Final = Path(__file__).resolve().parents[1]
GROUNDWIRE: Final = (str(Path(sys.executable).with_name("groundwire")),)
"""The command as it is installed beside this interpreter."""

_STOP_S: Final = 20


class Client:
    """A client of one address that keeps its connection."""

    def __init__(self, port: int, headers: Mapping[str, str]) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json", **headers}

    def rag_search(self, phrases: Sequence[str]) -> bytes:
        """The body of the answer, unread; Raises OSError when nobody answers, RuntimeError for a refusal."""
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "rag_search", "arguments": {"search_phrases": list(phrases)}},
        }
        self._connection.request("POST", "/mcp", json.dumps(call).encode(), self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"The server answered {response.status}: {body.decode()}")
        return body

    def close(self) -> None:
        """The connection is closed."""
        self._connection.close()


def segments_in(body: bytes) -> int:
    """How many passages an answer holds; Raises RuntimeError when it is no answer."""
    result = cast("dict[str, object]", json.loads(body)).get("result")
    if not isinstance(result, dict) or result.get("status") != "success":
        raise RuntimeError(f"That is no answer: {body.decode()}")
    return len(cast("list[object]", result["segments"]))


def free_port() -> int:
    """A port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def plain_environment() -> dict[str, str]:
    """This environment without what it tells Python: a shell that forbids byte code would triple a start."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@contextmanager
def serving(home: Path, program: Sequence[str]) -> Generator[int]:
    """`groundwire serve` over `home`; gives the port once it answers, and stops the server at the end.

    Args:
        program: `GROUNDWIRE`, or something that takes the same arguments.
    """
    port = free_port()
    command = [*program, "serve", "--port", str(port)]
    environment = {**plain_environment(), "GROUNDWIRE_HOME": str(home)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not process.stdout.readline():
                raise RuntimeError("The server did not start; what it says of it stands above.")
            yield port
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(_STOP_S)
