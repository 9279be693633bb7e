"""A write that arrives whose answer does not: the client sends it again, and must not stumble over itself."""

import urllib.request
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions
from groundwire.domain import errors
from tests.contract.sessions.in_process import TABLE
from tests.contract.sessions.records import ANN, END, NOW, SESSION
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client


class Losing(ThreadingHTTPServer):
    """Proxy of DynamoDB that forwards every request and drops the answer to the first one of each kind."""

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.lost: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Losing)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = urllib.request.Request(server.behind, body, dict(self.headers))
        with urllib.request.urlopen(request, timeout=10) as answered:
            answer = answered.read()
        operation = self.headers["X-Amz-Target"].rpartition(".")[2]
        if operation not in server.lost:
            server.lost.append(operation)
            self.close_connection = True
            return
        self.send_response(200)
        for name, value in answered.headers.items():
            if name.lower() in {"content-type", "x-amz-crc32", "x-amzn-requestid"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


@pytest.fixture
def losing(dynamodb_url: str) -> Generator[Losing]:
    with Losing(dynamodb_url) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_session_whose_beginning_is_sent_twice_is_started_once(dynamodb_url: str, losing: Losing) -> None:
    table = tables.create(client(dynamodb_url), [TABLE])[TABLE]
    sessions = DynamoSessions(client(f"http://127.0.0.1:{losing.server_port}"), table)
    sessions.add(SESSION)
    assert losing.lost == ["PutItem", "UpdateItem"]
    # The next update loses its answer, too.
    losing.lost.remove("UpdateItem")
    assert sessions.get(ANN, SESSION.id, NOW) == SESSION
    assert sessions.extend(ANN, SESSION.id, NOW, END + 1)
    assert losing.lost == ["PutItem", "GetItem", "UpdateItem"]
    with pytest.raises(errors.Conflict):
        DynamoSessions(client(dynamodb_url), table).add(SESSION)
