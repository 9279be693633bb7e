"""What a release stored, and what is read of it."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.stored.reading.facts import facts_of
from tests.stored.reading.fixture import Fixture

FIRST: Final = Path(__file__).parent / "first"
"""What the release of that name stored."""


@pytest.fixture(scope="session")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what the present code reads of what the release stored."""
    return json.loads(json.dumps(facts_of(Fixture(FIRST, tmp_path_factory.mktemp("stored")))))
