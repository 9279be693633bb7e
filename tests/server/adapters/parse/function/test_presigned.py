"""Addresses that the parser function takes, and those that it refuses before it connects."""

import ssl
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from groundwire.adapters.parse.function import presigned
from groundwire.adapters.parse.function.presigned import PresignedObjects
from groundwire.domain.errors import InvalidInput, Unavailable


class Handler(BaseHTTPRequestHandler):
    """Answers 200 with ten bytes, `/absent` with 404, `/moved` with a redirect, and `/endless` without a length."""

    def do_GET(self) -> None:
        self.send_response({"/absent": 404, "/moved": 302}.get(self.path.partition("?")[0], 200))
        self.send_header("location", "http://127.0.0.1:9/")
        if not self.path.startswith("/endless"):
            self.send_header("content-length", "10")
        self.end_headers()
        self.wfile.write(b"0123456789")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass


@pytest.fixture(scope="module")
def endpoint() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "address",
    [
        "http://groundwire.s3.eu-central-1.amazonaws.com/key",
        "https://groundwire.s3.eu-central-1.amazonaws.com:8443/key",
        "https://user@groundwire.s3.eu-central-1.amazonaws.com/key",
        "https://s3.eu-central-1.amazonaws.com.evil.example/key",
        "https://evil.example/s3.eu-central-1.amazonaws.com",
        "https://sqs.eu-central-1.amazonaws.com/key",
        "https://groundwire.xs3.eu-central-1.amazonaws.com/key",
        "https://169.254.169.254/latest/meta-data",
        "http://127.0.0.1:9001/2018-06-01/runtime/invocation/next",
        "https://localhost/key",
        "file:///etc/passwd",
        "",
    ],
)
@pytest.mark.parametrize("own", [None, "http://127.0.0.1:4566"])
def test_an_address_that_is_not_of_s3_is_refused_before_any_connection(address: str, own: str | None) -> None:
    objects = PresignedObjects(own)
    with pytest.raises(InvalidInput, match="addresses of S3 only"):
        objects.read(address, 10)
    with pytest.raises(InvalidInput, match="addresses of S3 only"):
        objects.write(address, {}, b"x")


@pytest.mark.parametrize(
    "host",
    [
        "groundwire.s3.eu-central-1.amazonaws.com",
        "groundwire.s3.amazonaws.com",
        "groundwire.s3.dualstack.eu-central-1.amazonaws.com",
        "groundwire.s3.cn-north-1.amazonaws.com.cn",
        "groundwire.s3-fips.us-gov-west-1.amazonaws.com",
    ],
)
def test_the_hosts_of_s3_are_taken_by_https(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[tuple[str, str]] = []

    def refuse(connection: object, method: str, *_: object) -> None:
        requested.append((method, connection.host))  # pyright: ignore[reportAttributeAccessIssue]
        raise ConnectionRefusedError

    monkeypatch.setattr("groundwire.adapters.parse.function.presigned.HTTPSConnection.request", refuse)
    with pytest.raises(Unavailable):
        PresignedObjects(None).read(f"https://{host}/key?X-Amz-Signature=1", 10)
    assert requested == [("GET", host)]


def test_an_object_is_read_up_to_its_limit_and_no_further(endpoint: str) -> None:
    objects = PresignedObjects(endpoint)
    assert objects.read(f"{endpoint}/key?versionId=1", 10) == b"0123456789"
    for path in ("key", "endless"):
        with pytest.raises(InvalidInput, match="larger than a document may be"):
            objects.read(f"{endpoint}/{path}", 9)


@pytest.mark.parametrize("path", ["absent", "moved"])
def test_what_is_absent_or_on_another_host_is_not_followed(endpoint: str, path: str) -> None:
    with pytest.raises(Unavailable, match="refuses a presigned address"):
        PresignedObjects(endpoint).read(f"{endpoint}/{path}", 10)


def test_a_bucket_that_does_not_answer_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        PresignedObjects("http://127.0.0.1:9").read("http://127.0.0.1:9/key", 10)


def test_two_transfers_read_the_certificates_of_the_machine_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ssl.SSLContext] = []

    def counted() -> ssl.SSLContext:
        made.append(ssl.create_default_context())
        return made[-1]

    monkeypatch.setattr(presigned, "create_default_context", counted)
    objects = PresignedObjects("https://127.0.0.1:1")
    for _ in range(2):
        with pytest.raises(Unavailable):
            objects.read("https://127.0.0.1:1/key?", 10)
    assert [context.check_hostname for context in made] == [True]
