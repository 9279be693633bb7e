"""Times of a document's way: each lies within the next one, in the code and in the template."""

from groundwire.adapters.parse.function import limits
from groundwire.entry.functions.ingestion import RESERVED_MS
from tests.support.aws.template.variants import variant

COLD_START_SECONDS = 10
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
