from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.adapters.local.files import FileBlobs
from groundwire.ports import Blobs

PLACES: dict[str, Callable[[Path], Blobs]] = {"local": FileBlobs}
"""Another adapter joins as one more entry."""


@pytest.fixture(params=PLACES)
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return PLACES[str(request.param)](tmp_path / "blobs")
