from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire import wiring
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command

ROOT: Final = Path(__file__).parents[3]
OWN: Final = "https://rag.example.com"
FRIEND: Final = "https://app.example.com"


@dataclass(frozen=True, slots=True)
class Server:
    """A server with a public address, bound to a loopback address, and the key of a tenant's owner."""

    http: httpx.Client
    key: str
    home: Path


@contextmanager
def _serve(home: Path, **settings: str) -> Generator[str]:
    """Serve the home with its upload endpoint, as `groundwire serve` does; yield the server's URL."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"HOME": str(home), "BIND_HOST": "127.0.0.1", **settings}.items():
            patch.setenv(f"GROUNDWIRE_{name}", value)
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        wiring.reset()
        services = wiring.local_services()
        uploads = UploadEndpoint(
            services.stores.upload_forms,
            services.stores.uploaded_files,
            services.ingestion.uploads,
            services.clock,
            is_unused=services.administration.upload_tickets.is_file_awaited,
            audit=services.stores.audit,
            allowed_origins=services.agents.allowed_origins,
        )
        with run_in_background(ROOT / "template.yaml", uploads=uploads, origins=services.agents.allowed_origins) as url:
            yield url
        uploads.close()
        wiring.reset()


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Give the function that serves a home within a block."""
    return _serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("browsers")
    command = Command(home, {})
    tenant = command.tenant("acme")
    key = command.personal_key(
        tenant, "maria", "--scope", "verify", "--scope", "ingest", "--rate", "10000", "--burst", "1000"
    )
    with (
        _serve(home, PUBLIC_URL=OWN, ALLOWED_ORIGINS=FRIEND) as url,
        httpx.Client(base_url=url, timeout=20) as http,
    ):
        yield Server(http, key, home)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Open a page whose failures are watched."""
    try:
        found = chromium()
    except Absent as absent:
        answer(absent)
    with page(found, tmp_path_factory.mktemp("profile")) as opened:
        opened.watch_failures()
        yield opened
