"""What every test folder shares: the engines, the line at the end that says what was left out for want of one, and
the validation of every response."""

from pathlib import Path
from typing import Final

import pytest

from tests.engines.absence import summary
from tests.engines.fixtures import dynamodb_url
from tests.wire.plugin import pytest_configure, pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown

__all__ = [
    "dynamodb_url",
    "pytest_configure",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
]

_LONGEST: Final = (
    "docs/test_readme_from_empty_clone.py",
    "isolation",
    "contract/documents",
    "docs/test_shell_commands.py",
    "template/test_sam.py",
    "fuzz",
    "services",
    "conformance",
    "parse/test_hostile_files.py",
    "contract/sessions",
    "oauth",
    "benches",
    "clients",
    "warm",
    "e2e",
)
"""Files and folders that take longest: they go first, or the last of them is waited for by one process alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, all others as they come; each file stays together."""
    items.sort(key=lambda item: _rank(item.path.relative_to(Path(__file__).parent).as_posix()))


def _rank(path: str) -> int:
    places = (place for place, long in enumerate(_LONGEST) if path == long or path.startswith(f"{long}/"))
    return next(places, len(_LONGEST))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in summary(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line, yellow=True)
