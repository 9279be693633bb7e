"""One worker for all tests of a module: starting one costs more than reading a small document."""

from collections.abc import Iterator

import pytest

from groundwire.adapters.parse import ParserLimits, WorkerParser


@pytest.fixture(scope="module")
def parser() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits()) as parser:
        yield parser
