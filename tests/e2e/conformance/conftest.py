import pytest

from tests.e2e.conformance.suite import Suite
from tests.support.engines.missing import Absent, answer


@pytest.fixture(scope="session")
def suite() -> Suite:
    """The suite; where it cannot be had, as for any engine."""
    try:
        return Suite.installed()
    except Absent as absent:
        answer(absent)
