from collections.abc import Generator
from pathlib import Path

import pytest

from tests.operator.stack import Stack, standing


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Stack]:
    with standing(tmp_path, monkeypatch) as stack:
        yield stack


@pytest.fixture
def tenant(stack: Stack) -> str:
    """The id of a tenant named acme."""
    return str(stack.done("tenant.create", name="acme")["tenant"]["tenant"])
