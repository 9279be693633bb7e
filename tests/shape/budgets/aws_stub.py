"""AWS and OpenSearch as an account without any data answers: one HTTP server on this machine for all services."""

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

_SECRET: Final = json.dumps({"root": "r" * 43})
_ANSWERS: Final[Mapping[str, tuple[int, Mapping[str, object]]]] = {
    "BatchGetItem": (200, {"Responses": {}, "UnprocessedKeys": {}}),
    "GetSecretValue": (200, {"ARN": "arn", "Name": "secret", "SecretString": _SECRET}),
    "Query": (200, {"Items": [], "Count": 0}),
    "Scan": (200, {"Items": [], "Count": 0}),
    # A conditional write finds no row.
    "UpdateItem": (400, {"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}),
}
"""Status and body by operation; every other operation answers an empty object."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        """Answer any request."""
        self.rfile.read(int(self.headers.get("content-length") or 0))
        target = self.headers.get("x-amz-target")
        if target is None:
            # S3 has no such object, OpenSearch no such index.
            status, body = 404, b"{}"
        else:
            status, members = _ANSWERS.get(target.rpartition(".")[2], (200, {}))
            body = json.dumps(members).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 (names that the base class looks up)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's signature)
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: a function that ends resets its connections."""


@contextmanager
def empty_account() -> Generator[str]:
    """Serve on 127.0.0.1; gives the URL."""
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
