from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire import wiring
from groundwire.entry.local_server.background_server import run_in_background

ROOT: Final = Path(__file__).parents[4]
OWN: Final = "https://rag.example.com/below"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server whose public address has a path, without a tenant and without a key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWIRE_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GROUNDWIRE_PUBLIC_URL", OWN)
        wiring.reset()
        with run_in_background(ROOT / "template.yaml") as url, httpx.Client(base_url=url, timeout=20) as client:
            yield client
        wiring.reset()
