"""A function under the emulator finds Lambda's packages, its own code and its layers, and nothing of this checkout."""

import json
import os
from pathlib import Path

import pytest

from tests.support.aws.refusals.rule import RefusedByAwsError
from tests.support.engines import lambda_runtime
from tests.support.engines.missing import Absent, answer

PROBE = """
import importlib.util, os, sys, time

def handler(event, context):
    if "raise" in event:
        raise ValueError(event["raise"])
    if "log" in event:
        print(event["log"])
    if "wait_s" in event:
        time.sleep(event["wait_s"])
    found = [name for name in event["modules"] if importlib.util.find_spec(name)]
    return {"found": found, "told": os.environ.get("TOLD"), "pid": os.getpid(), "parent": os.getppid()}
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "app.py").write_text(PROBE)
    return tmp_path / "code"


def test_a_function_finds_its_layers_and_the_runtime_and_neither_checkout_nor_test_environment(
    code: Path, tmp_path: Path
) -> None:
    package = tmp_path / "layer" / "python" / "only_in_the_layer"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    modules = ["groundwire", "tests", "pytest", "fastapi", "only_in_the_layer", "boto3", "awslambdaric"]
    try:
        with lambda_runtime.running(code, [tmp_path / "layer"], {"TOLD": "this"}) as function:
            reported = function.invoke({"modules": modules})
            again = function.invoke({"modules": modules})
    except Absent as absent:
        answer(absent)
    assert isinstance(reported, dict)
    assert reported["found"] == ["only_in_the_layer", "boto3", "awslambdaric"]
    assert reported["told"] == "this"
    assert again == reported


def test_a_handlers_error_is_answered_as_lambda_does_and_a_delayed_answer_is_none(code: Path) -> None:
    try:
        with lambda_runtime.running(code, timeout_s=1) as function:
            failed = function.invoke({"raise": "no"})
            with pytest.raises((AssertionError, ValueError)):
                function.invoke({"modules": [], "wait_s": 30})
    except Absent as absent:
        answer(absent)
    assert isinstance(failed, dict)
    assert (failed["errorType"], failed["errorMessage"]) == ("ValueError", "no")


def test_function_and_emulator_end_with_the_block(code: Path) -> None:
    try:
        with lambda_runtime.running(code) as function:
            reported = function.invoke({"modules": []})
    except Absent as absent:
        answer(absent)
    assert isinstance(reported, dict)
    for pid in (reported["pid"], reported["parent"]):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(("count", "is_refused"), [(100, False), (101, True)])
def test_a_function_that_logs_more_metrics_than_cloudwatch_extracts_is_refused(
    code: Path, count: int, *, is_refused: bool
) -> None:
    names = [f"m{number}" for number in range(count)]
    directive = {"Namespace": "n", "Dimensions": [["service"]], "Metrics": [{"Name": name} for name in names]}
    line = {"_aws": {"CloudWatchMetrics": [directive]}, "service": "s", **dict.fromkeys(names, 1)}
    refused = ""
    try:
        with lambda_runtime.running(code) as function:
            function.invoke({"modules": [], "log": json.dumps(line)})
    except RefusedByAwsError as error:
        refused = str(error)
    except Absent as absent:
        answer(absent)
    assert ("metrics-per-line" in refused) is is_refused
