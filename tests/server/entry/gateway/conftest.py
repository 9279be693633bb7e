from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from groundwire.entry.local_server.background_server import run_in_background
from tests.server.entry.gateway.probe import ProbeStack


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> ProbeStack:
    return ProbeStack(tmp_path_factory.mktemp("stack"))


@pytest.fixture(scope="module")
def http(stack: ProbeStack) -> Iterator[httpx.Client]:
    with run_in_background(stack.template) as url, httpx.Client(base_url=url, timeout=20) as client:
        yield client


@pytest.fixture
def own_stack(tmp_path: Path) -> ProbeStack:
    return ProbeStack(tmp_path)
