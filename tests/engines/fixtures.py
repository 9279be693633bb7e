"""Engines as fixtures, for every test folder."""

from collections.abc import Generator
from contextlib import ExitStack

import pytest

from tests.engines import dynamodb
from tests.engines.absence import Absent, answer


@pytest.fixture(scope="session")
def dynamodb_url() -> Generator[str]:
    """The address of one DynamoDB Local, for the whole run of this process."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(dynamodb.running())
        except Absent as absent:
            answer(absent)
        yield url
