"""A package index with trusted publishers, and the provider of a workflow's identity, on this machine."""

import base64
import json
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlsplit

IDENTITY: Final = ".".join(
    base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in ('{"alg":"RS256"}', '{"sub":"repo"}', "s")
)
REQUEST_TOKEN: Final = "of-the-job"
MINTED: Final = "minted-for-this-job"
AUDIENCE: Final = "packages.example"


@dataclass(slots=True)
class PackageIndex:
    """An index that gives a token for `IDENTITY` alone, and takes uploads with that token alone.

    Attributes:
        uploads: content of each taken file, by name.
        ended: tokens that their holder gave back.
        refused: paths of the requests without the right token.
    """

    address: str = ""
    uploads: dict[str, bytes] = field(default_factory=dict[str, bytes])
    ended: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])

    def of_a_job(self) -> dict[str, str]:
        """Return the variables that GitHub sets in a job with the permission `id-token: write`."""
        return {
            "GITHUB_ACTIONS": "true",
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{self.address}/identity?version=1",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": REQUEST_TOKEN,
        }


@contextmanager
def running_index(secure: ssl.SSLContext) -> Generator[PackageIndex]:
    """Serve an index on a free port."""
    with _Server() as server:
        server.index.address = f"https://127.0.0.1:{server.server_port}"
        server.socket = secure.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.index
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.index = PackageIndex()


class _Exchange(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if url.path == "/_/oidc/audience":
            self._answer({"audience": AUDIENCE})
        elif (scheme.lower(), token, parse_qs(url.query)["audience"]) == ("bearer", REQUEST_TOKEN, [AUDIENCE]):
            self._answer({"value": IDENTITY})
        else:
            self._refuse()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/_/oidc/mint-token" and json.loads(body) == {"token": IDENTITY}:
            self._answer({"success": True, "token": MINTED})
        elif self.path == "/_/oidc/burn-token":
            self._index.ended.append(str(json.loads(body)["token"]))
            self._answer({"success": True})
        elif self.path == "/upload" and self.headers["Authorization"] == _basic("__token__", MINTED):
            self._index.uploads.update([_file(self.headers, body)])
            self._answer({})
        else:
            self._refuse()

    @property
    def _index(self) -> PackageIndex:
        assert isinstance(self.server, _Server)
        return self.server.index

    def _answer(self, value: object, status: int = 200) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _refuse(self) -> None:
        self._index.refused.append(self.path)
        self._answer({"message": "refused"}, 403)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the standard library
        """Write nothing."""


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _file(headers: Message, body: bytes) -> tuple[str, bytes]:
    """Return name and content of the file in an upload."""
    form = BytesParser().parsebytes(f"Content-Type: {headers['Content-Type']}\n\n".encode() + body)
    [part] = [part for part in form.walk() if part.get_filename()]
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return str(part.get_filename()), content
