"""The order of the tests: what takes longest begins first, or one process does it alone while the others have ended."""

import os
from pathlib import Path
from typing import Final

import pytest

_TESTS: Final = Path(__file__).parents[2]
_LONGEST: Final = (
    # The first of those for which the functions are built: the others of the cloud would only wait for the same build.
    "e2e/cloud/test_artifacts.py",
    "isolation/test_browsing.py",
    "docs/test_readme_from_empty_clone.py",
    "isolation",
    "e2e/cloud",
    "server/adapters/opensearch/test_isolation.py",
    "contract",
    "server/adapters/opensearch",
    "server/adapters/index",
    "docs/test_shell_commands.py",
    "server/template/test_sam.py",
    "server/template/test_release.py",
    "shape/test_budgets.py",
    "server/adapters/embedding",
    "server/fuzz",
    "server/services",
    "e2e/conformance",
    "readers/test_hostile_files.py",
    "server/adapters/oauth",
    "shape",
    "e2e/benches",
    "e2e/clients",
    "e2e/warm",
    "e2e",
)
"""Files and folders of which one file takes ten seconds or more."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, all others as they come; each file stays together."""
    items.sort(key=lambda item: _rank(os.path.relpath(item.path, _TESTS)))


def _rank(path: str) -> int:
    places = (place for place, long in enumerate(_LONGEST) if path == long or path.startswith(f"{long}/"))
    return next(places, len(_LONGEST))
