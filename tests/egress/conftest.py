"""A certificate authority, and a server that the egress client reaches under a public name."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import HttpsServer, Received, Reply, https_server

Serve = Callable[[Callable[[Received], Reply]], HttpsServer]
HOST = "models.example.com"


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def serve(authority: Authority) -> Generator[Serve]:
    """A server with a certificate of `HOST`, of another host and of the address itself."""
    with ExitStack() as running:
        context = authority.server_context([HOST, "other.example.com", "127.0.0.1"])
        yield lambda answer: running.enter_context(https_server(context, answer))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
