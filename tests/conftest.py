"""What every test folder shares: the engines, and the line at the end that says what was left out for want of one."""

import pytest

from tests.engines.absence import summary
from tests.engines.fixtures import dynamodb_url

__all__ = ["dynamodb_url"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in summary(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line, yellow=True)
