"""A worker on a kernel that refuses to confine it, as Lambda's does: what fails closed, and what remains open."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.engines.missing import Absent, answer
from tests.support.entry.https_server import Reply, https_server

ROOT: Final = Path(__file__).parents[5]
_CHANGED: Final = "a document changed limits or the priority of this process"
OF_LAMBDA: Final = {
    "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "3008",
    "AWS_LAMBDA_FUNCTION_NAME": "groundwire-ParserFunction",
    "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
    "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
    "AWS_LAMBDA_LOG_GROUP_NAME": "group",
    "AWS_LAMBDA_LOG_STREAM_NAME": "stream",
    "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001",
    "LAMBDA_RUNTIME_DIR": "/var/runtime",
    "LAMBDA_TASK_ROOT": "/var/task",
    "_HANDLER": "app.handler",
    "GROUNDWIRE_PARSER_ISOLATION": "tenant",
    "GROUNDWIRE_PARSER_FUNCTION": "arn:aws:lambda:eu-central-1:123456789012:function:ParserFunction",
}
"""Every variable that Lambda sets, and every one of ours that concerns the parser function."""


def run(mode: str, *orders: str, argument: str = "", **variables: str) -> Mapping[str, Any]:
    """Return what came of a document with these orders, on that kernel."""
    try:
        prefix = under_lambda_kernel()
    except Absent as absent:
        answer(absent)
    command = [
        sys.executable,
        "-m",
        "tests.server.adapters.parse.function.on_lambda_kernel",
        mode,
        json.dumps([orders, argument]),
    ]
    environment = {**os.environ, "A_SECRET": "canary", **variables}
    done = subprocess.run([*prefix, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_variable_opens_a_parser_that_cannot_be_confined() -> None:
    assert run("closed", "own variables") == {"error": "ParserBroken"}
    assert run("closed", "own variables", **OF_LAMBDA) == {"error": "ParserBroken"}


def test_the_report_states_what_the_kernel_refused_to_enforce() -> None:
    assert run("report") == {"enforced": [False, False, True, True, True]}


def test_an_unconfined_worker_has_no_variable_and_reads_neither_memory_nor_environment_of_its_parent() -> None:
    did = run("open", "own variables", "parent's environment", "parent's memory")["did"]
    assert "A_SECRET" not in did["own variables"]
    assert not [name for name in did["own variables"] if name.startswith(("AWS_", "GROUNDWIRE_"))]
    assert did["parent's environment"] == "EACCES"
    assert did["parent's memory"] == "EACCES"


def test_an_unconfined_worker_sees_the_processes_of_its_environment_and_calls_the_runtime_api() -> None:
    with https_server(None, lambda _: Reply()) as runtime_api:
        did = run("open", "processes", "parent's command", "call", argument=str(runtime_api.port))["did"]
    assert did == {"processes": True, "parent's command": "1 bytes", "call": "HTTP/1.1 200 OK"}
    assert [request.target for request in runtime_api.received] == ["/2018-06-01/runtime/invocation/next"]


def test_an_unconfined_worker_writes_no_byte_and_its_folder_goes_with_it() -> None:
    did = run("open", "folder", "file")["did"]
    assert did["file"] == "EFBIG"
    assert not Path(did["folder"]).exists()


def test_a_process_that_leaves_its_worker_is_found_and_ended() -> None:
    found = run("open", "outlive")
    assert (found["lost"], found["outlived"], found["again"]) == (0, [1, ""], [0, ""])
    assert found["after"] == ["folder"]


def test_a_process_that_makes_the_fork_server_its_parent_is_found_and_ended_with_the_server() -> None:
    found = run("open", "join parent")
    assert (found["lost"], found["outlived"], found["again"]) == (1, [1, ""], [0, ""])
    assert found["after"] == ["folder"]


CHANGES_OF_THE_SERVER: Final = (
    *("end parent", "stop parent", "limit parent", "limit parent's files", "limit parent's data", "slow parent"),
)


@pytest.mark.parametrize("order", CHANGES_OF_THE_SERVER)
def test_a_fork_server_that_a_document_ended_limited_or_stopped_is_started_again_for_the_next(order: str) -> None:
    found = run("open", order)
    assert (found["lost"], found["again"], found["after"]) == (1, [0, ""], ["folder"])


def test_a_document_that_limits_the_functions_own_process_leaves_that_behind() -> None:
    assert run("open", "limit function's files")["outlived"] == [0, _CHANGED]


def test_a_process_that_holds_the_streams_of_its_worker_ends_with_the_document() -> None:
    found = run("open", "hold streams")
    assert "longer than 1 s" in found["did"]["error"]
    assert (found["outlived"], found["again"], found["after"]) == ([1, ""], [0, ""], ["folder"])


def test_processes_that_trace_each_other_are_ended() -> None:
    found = run("open", "trace")
    assert (found["outlived"], found["again"]) == ([2, ""], [0, ""])


def test_folders_within_each_other_are_deleted_or_count_as_an_attack() -> None:
    found = run("open", "folder", "nest folders")
    folder = found["did"]["folder"]
    assert (found["lost"] == 1) == Path(folder).exists()
    subprocess.run(["rm", "-rf", folder], check=True)
    assert found["after"] == ["folder"]
