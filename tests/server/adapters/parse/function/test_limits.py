"""Times of a document's way: each lies within the next one, in the code and in the template."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from groundwire.adapters.parse.function import limits
from groundwire.entry.functions.ingestion import RESERVED_MS
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.support.aws.template.variants import variant

ROOT: Final = Path(__file__).parents[5]
COLD_START_SECONDS: Final = 10
"""Longest initialisation of an environment, which Lambda does not count as time of an invocation."""


def test_every_time_of_a_document_lies_within_the_next() -> None:
    worker, stack = limits.PARSER_LIMITS, variant()
    function = stack.resources["ParserFunction"]["Properties"]["Timeout"]
    ingestion = stack.resources["IngestionFunction"]["Properties"]["Timeout"]
    policy = stack.resources["BucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    ages = {line["Condition"].get("NumericGreaterThan", {}).get("s3:signatureAge") for line in policy}
    assert function == limits.FUNCTION_SECONDS
    assert min(age for age in ages if age is not None) == 1_000 * limits.SIGNATURE_SECONDS
    assert worker.wall_seconds < worker.document_seconds == limits.DOCUMENT_SECONDS
    assert limits.DOCUMENT_SECONDS + 2 * worker.start_seconds < limits.FUNCTION_SECONDS
    assert limits.FUNCTION_SECONDS + COLD_START_SECONDS < limits.CLIENT_SECONDS < limits.SIGNATURE_SECONDS
    assert ingestion > limits.CLIENT_SECONDS + RESERVED_MS / 1_000


def test_the_function_has_the_memory_of_its_worker_and_its_own() -> None:
    memory = variant().resources["ParserFunction"]["Properties"]["MemorySize"]
    assert memory == limits.PARSER_LIMITS.memory_mb + limits.OWN_MEMORY_MB


@pytest.mark.skipif(sys.platform != "linux", reason="The function runs on Linux.")
def test_the_largest_document_and_result_fit_into_the_functions_own_memory() -> None:
    command = [sys.executable, "-m", "tests.server.adapters.parse.function.largest_result"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    function_mb, server_mb, result_bytes = json.loads(done.stdout)
    assert result_bytes > 0.95 * (limits.TEXT_BYTES + MAX_DOCUMENT_BYTES)
    assert function_mb + server_mb < limits.OWN_MEMORY_MB
