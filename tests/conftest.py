"""Configuration of all tests: engines, summary of tests left out, validation of every response, and test order."""

import pytest
from hypothesis import settings

from tests.support.engines.fixtures import dynamodb_or_absent, dynamodb_url, dynamodb_url_or_moto, opensearch_url
from tests.support.engines.missing import summary
from tests.support.plugins.collected_heap import pytest_collection
from tests.support.plugins.draws import DRAWS_ALL, examples
from tests.support.plugins.longest_first import pytest_collection_modifyitems
from tests.support.plugins.response_validation import (
    pytest_configure,
    pytest_runtest_call,
    pytest_runtest_setup,
    pytest_runtest_teardown,
)

__all__ = [
    "dynamodb_or_absent",
    "dynamodb_url",
    "dynamodb_url_or_moto",
    "opensearch_url",
    "pytest_collection",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
]

_USUAL_EXAMPLES = 100
# The profile `ci` of Hypothesis has no deadline and keeps no database: a run depends on the checkout alone.
settings.register_profile(
    "tests", settings.get_profile("ci"), max_examples=examples(_USUAL_EXAMPLES), derandomize=not DRAWS_ALL
)
settings.load_profile("tests")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in summary(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line, yellow=True)
