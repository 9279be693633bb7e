"""A server in a process of its own, as somebody at a terminal would start it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, cast

ROOT: Final = Path(__file__).resolve().parents[1]
GROUNDWIRE: Final = (str(Path(sys.executable).with_name("groundwire")),)
"""The command as it is installed beside this interpreter."""

_STOP_S: Final = 20
_AT_ONCE: Final = 1 << 20
_BLANK_LINE: Final = b"\r\n\r\n"
_OK: Final = b"HTTP/1.1 200 "
_LENGTH: Final = re.compile(rb"content-length: ([0-9]+)", re.IGNORECASE)


class Client:
    """A client of one address that keeps its connection, and does little else: its time is not the server's.

    Raises:
        OSError: nobody answers. RuntimeError: the answer is not a 200.
    """

    def __init__(self, port: int, headers: Mapping[str, str]) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        fields = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", **headers}
        self._head = "POST /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())

    def request(self, phrases: Sequence[str]) -> bytes:
        """A call of `rag_search` as it goes over the wire."""
        return self.call("rag_search", {"search_phrases": list(phrases)})

    def call(self, name: str, arguments: Mapping[str, object]) -> bytes:
        """A call of a tool as it goes over the wire."""
        tool = {"name": name, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}).encode()
        return f"{self._head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def exchange(self, request: bytes) -> bytes:
        """The body of the answer."""
        self._socket.sendall(request)
        received = bytearray()
        while (end := received.find(_BLANK_LINE)) < 0:
            received += self._receive()
        head, first = bytes(received[:end]), end + len(_BLANK_LINE)
        length = _LENGTH.search(head)
        if length is None or not head.startswith(_OK):
            raise RuntimeError(f"The server answered {received.decode()}")
        while len(received) < first + int(length[1]):
            received += self._receive()
        return bytes(received[first:])

    def _receive(self) -> bytes:
        part = self._socket.recv(_AT_ONCE)
        if not part:
            raise ConnectionResetError("the server closed the connection")
        return part

    def close(self) -> None:
        """The connection is closed."""
        self._socket.close()


def segments_in(body: bytes) -> int:
    """Return the number of passages of an answer, in either form; raises RuntimeError when it is no answer."""
    result = cast("dict[str, object]", json.loads(body)).get("result")
    if not isinstance(result, dict) or result.get("isError"):
        raise RuntimeError(f"That is no answer: {body.decode()}")
    structured = cast("dict[str, list[object]]", result["structuredContent"])
    return len(structured["segments"] if "segments" in structured else structured["passages"])


def free_port() -> int:
    """A port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def plain_environment() -> dict[str, str]:
    """Return this environment without Python's variables: a shell that forbids byte code would triple a start."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


class RunningServer(NamedTuple):
    """Server in a process of its own."""

    port: int
    pid: int


@contextmanager
def serving(home: Path, program: Sequence[str], settings: Mapping[str, str] | None = None) -> Generator[int]:
    """Yield the port of `groundwire serve` over `home`; the arguments are those of `running`."""
    with running(home, program, settings) as server:
        yield server.port


@contextmanager
def running(home: Path, program: Sequence[str], settings: Mapping[str, str] | None = None) -> Generator[RunningServer]:
    """`groundwire serve` over `home`; gives the server once it answers, and stops it at the end.

    Args:
        program: `GROUNDWIRE`, or something that takes the same arguments.
        settings: further environment of the server.
    """
    port = free_port()
    command = [*program, "serve", "--port", str(port)]
    environment = {**plain_environment(), **(settings or {}), "GROUNDWIRE_HOME": str(home)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not process.stdout.readline():
                raise RuntimeError("The server did not start; what it says of it stands above.")
            yield RunningServer(port, process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(_STOP_S)
