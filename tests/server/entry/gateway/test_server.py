"""The server prints a line at its start, keeps to its port, and stops on a signal."""

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

import httpx
import pytest

from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.entry.local_server.server import address_of, listen
from tests.server.entry.gateway.probe import ProbeStack

_SERVE = """
import sys
from pathlib import Path
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import ServerParts
from groundwire.entry.local_server.server import serve
from groundwire_mcp.transport.origins import AllowedOrigins

parts = ServerParts(origins=AllowedOrigins(frozenset(), allows_loopback=False))
hosts = HostAllowList("", [])
serve("127.0.0.1", int(sys.argv[2]), hosts, Path(sys.argv[1]), lambda url: print(url, flush=True), parts)
print("stopped", flush=True)
"""

_SLOW_ECHO = '''
import sys


def handler(event, context):
    """Begins, says so, and ends when it is told to."""
    print("begun", flush=True)
    sys.stdin.readline()
    return {"statusCode": 200, "body": "finished"}
'''


@contextmanager
def server(stack: ProbeStack, port: int = 0) -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _SERVE, str(stack.template), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@contextmanager
def calling(url: str) -> Generator[list[httpx.Response]]:
    """Somebody calls while the block runs, whatever comes of it; the list has the response after the block."""
    responses: list[httpx.Response] = []

    def call() -> None:
        with suppress(httpx.HTTPError):
            responses.append(httpx.get(url, timeout=60))

    caller = threading.Thread(target=call)
    caller.start()
    try:
        yield responses
    finally:
        caller.join()


def refuses_connections(url: str) -> None:
    """Return as soon as the server refuses connections, which shows that it is stopping."""
    address = httpx.URL(url)
    while True:
        try:
            socket.create_connection((address.host, address.port or 0)).close()
        except ConnectionError:
            return


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_signal_ends_the_server_without_complaint(own_stack: ProbeStack, number: signal.Signals) -> None:
    with server(own_stack) as process:
        assert httpx.get(f"{line(process)}/echo").status_code == 200
        process.send_signal(number)
        assert line(process) == "stopped"
        _, complaints = process.communicate(timeout=20)
        assert (process.returncode, complaints) == (0, "")


def test_a_call_that_runs_when_the_stop_comes_is_finished(own_stack: ProbeStack) -> None:
    (own_stack.template.parent / "echo" / "app.py").write_text(_SLOW_ECHO)
    with server(own_stack) as process:
        url = line(process)
        answers: list[str] = []
        caller = threading.Thread(target=lambda: answers.append(httpx.get(f"{url}/echo", timeout=20).text))
        caller.start()
        assert line(process) == "begun"
        process.send_signal(signal.SIGTERM)
        assert process.stdin is not None
        process.stdin.write("go on\n")
        process.stdin.flush()
        caller.join()
        assert answers == ["finished"]
        assert line(process) == "stopped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_call_that_does_not_end_delays_the_stop_for_less_than_five_seconds(
    own_stack: ProbeStack, number: signal.Signals
) -> None:
    (own_stack.template.parent / "echo" / "app.py").write_text(_SLOW_ECHO)
    with server(own_stack) as process, calling(f"{line(process)}/echo") as responses:
        assert line(process) == "begun"
        process.send_signal(number)
        assert process.wait(timeout=5) == 0
        assert process.stderr is not None
        complaints = process.stderr.read()
        assert "Stopped while calls or uploads were still in progress" in complaints
        assert "Traceback" not in complaints
    # The caller learns that the call may be repeated.
    [response] = responses
    assert (response.status_code, int(response.headers["retry-after"]) > 0) == (503, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_stop_signal_ends_the_server_at_once(own_stack: ProbeStack, number: signal.Signals) -> None:
    (own_stack.template.parent / "echo" / "app.py").write_text(_SLOW_ECHO)
    with server(own_stack) as process, calling(url := f"{line(process)}/echo"):
        assert line(process) == "begun"
        process.send_signal(signal.SIGTERM)
        refuses_connections(url)
        process.send_signal(number)
        assert process.wait(timeout=5) == 128 + number
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_sender_that_dawdles_delays_the_stop_for_less_than_five_seconds(own_stack: ProbeStack) -> None:
    with server(own_stack) as process:
        port = int(line(process).rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as sender:
            sender.sendall(b"POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n")
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=5) == 0


def test_a_taken_port_is_one_line_that_names_it_and_the_way_out(own_stack: ProbeStack) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Conflict) as refusal:
            listen("127.0.0.1", port)
    assert str(port) in str(refusal.value)
    assert "--port " in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
def test_an_address_that_is_not_this_machines_is_refused_in_one_line(host: str) -> None:
    with pytest.raises(InvalidInput, match="Cannot listen on"):
        listen(host, 0)


def test_the_listening_socket_is_marked_as_tcp_so_that_answers_leave_without_delay() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            # asyncio sets TCP_NODELAY only on sockets with this protocol number.
            assert accepted.proto == socket.IPPROTO_TCP


def test_a_server_can_start_again_on_the_port_that_it_has_just_left() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()
    with listen("127.0.0.1", port) as again:
        assert address_of(again) == f"http://127.0.0.1:{port}"


def test_an_answer_reports_nothing_about_the_server_software(http: httpx.Client) -> None:
    assert "server" not in http.get("/echo").headers
