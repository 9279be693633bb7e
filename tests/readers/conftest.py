"""One worker for all tests of a module: starting one costs more than reading a small document."""

from collections.abc import Iterator

import pytest

from groundwire_readers import ParserLimits, WorkerParser
from groundwire_readers.sandbox.processes import worker
from groundwire_readers.sandbox.processes.process import WorkerProcess
from groundwire_readers.sandbox.processes.program import Program


@pytest.fixture(scope="module")
def parser() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits()) as parser:
        yield parser


@pytest.fixture
def worker_process() -> Iterator[WorkerProcess]:
    """A worker without the parser that restarts it."""
    limits = ParserLimits()
    arguments = worker.WorkerArguments(limits.memory_mb, limits.cpu_seconds, None, forks=False, allow_unconfined=False)
    command = arguments.to_command(worker.__name__)
    process = WorkerProcess(lambda folder: Program(command, folder), limits, has_folder=False)
    yield process
    process.terminate()
