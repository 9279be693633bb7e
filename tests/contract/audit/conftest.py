from pathlib import Path

import pytest

from groundwire.adapters.local.audit import FileAudit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def audit(folder: Path) -> FileAudit:
    return FileAudit(folder)
