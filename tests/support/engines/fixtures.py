"""Engines as fixtures, for every test folder."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest

from tests.support.engines import dynamodb, opensearch
from tests.support.engines.missing import Absent, answer
from tests.support.opensearch.emulator.node import spares


@pytest.fixture(scope="session")
def dynamodb_url() -> Generator[str]:
    """The address of one DynamoDB Local, for the whole run of this process."""
    yield from _address(dynamodb.running)


@pytest.fixture(scope="session")
def opensearch_url() -> Generator[str]:
    """The address of one OpenSearch node, the same for all processes of the run."""
    yield from _address(_node_with_spares)


@contextmanager
def _node_with_spares() -> Generator[str]:
    with opensearch.running() as url, spares.kept(url):
        yield url


def _address(running: Callable[[], AbstractContextManager[str]]) -> Generator[str]:
    with ExitStack() as stack:
        try:
            url = stack.enter_context(running())
        except Absent as absent:
            answer(absent)
        yield url
