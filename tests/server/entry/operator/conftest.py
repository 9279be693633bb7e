from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.aws.operator_stack import Stack, opened_stack


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Stack]:
    with opened_stack(tmp_path, monkeypatch) as stack:
        yield stack


@pytest.fixture
def tenant(stack: Stack) -> str:
    """The id of a tenant named acme."""
    return str(stack.done("tenant.create", name="acme")["tenant"]["tenant"])
