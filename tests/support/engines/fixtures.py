"""Engines as fixtures, for every test folder."""

import os
from collections.abc import Generator
from contextlib import ExitStack

import pytest

from tests.support.engines import dynamodb, opensearch
from tests.support.engines.missing import Absent, answer, are_required
from tests.support.opensearch.emulator.node import spares


@pytest.fixture(scope="session")
def dynamodb_or_absent() -> Generator[str | Absent]:
    """The address of one DynamoDB Local, for the whole run of this process, or why there is none."""
    with ExitStack() as stack:
        try:
            address: str | Absent = stack.enter_context(dynamodb.running())
        except Absent as absent:
            address = absent
        yield address


@pytest.fixture(scope="session")
def dynamodb_url(dynamodb_or_absent: str | Absent) -> str:
    """The address of DynamoDB Local; a test that asks for it needs the engine."""
    return answer(dynamodb_or_absent) if isinstance(dynamodb_or_absent, Absent) else dynamodb_or_absent


@pytest.fixture(scope="session")
def dynamodb_url_or_moto(dynamodb_or_absent: str | Absent) -> str | None:
    """The address of DynamoDB Local; None where it is absent and may be, and moto answers in its place.

    For stores that one process uses alone: moto answers one thread at a time, and no other process.
    """
    if not isinstance(dynamodb_or_absent, Absent):
        return dynamodb_or_absent
    return answer(dynamodb_or_absent) if are_required(os.environ) else None


@pytest.fixture(scope="session")
def opensearch_url() -> Generator[str]:
    """The address of one OpenSearch node, the same for all processes of the run."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(opensearch.running())
            stack.enter_context(spares.kept(url))
        except Absent as absent:
            answer(absent)
        yield url
