"""The sources function between Lambda and its gateway: where it fails, and what it never reveals."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError
from botocore.response import StreamingBody
from botocore.stub import ANY, Stubber

from groundwire.adapters.aws.lambda_sources import LambdaSources
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.limits import SOURCE_VALIDATION_SECONDS
from groundwire.domain.sources.messages import SourceInvocation, encode_result
from groundwire.domain.sources.state import SourceCaller
from groundwire.entry.functions.sources import SourcesHandler
from groundwire.ports.deadline import time_limit
from groundwire.ports.sources import SourceUnavailable
from groundwire_egress.mcp_client.calls import (
    ApiKeyCredential,
    SourceAnswer,
    SourceListing,
    SourceTarget,
    SourceToolCall,
)
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS
from tests.server.services.sources.function import ARN, InProcessFunction
from tests.server.services.sources.scripted_client import ANSWER, LISTING
from tests.support.aws.template.variants import TEMPLATE

TARGET = SourceTarget("t-acme", "s1", "https://mcp.example.com/mcp", ApiKeyCredential("x-api-key", Secret("hidden")))
CALL = SourceToolCall("search", {"query": "pump"}, "digest", {})
CALLER = SourceCaller("k1", None, is_known=True)


class Function:
    """A function whose every response is laid down, over the service's own description of both."""

    def __init__(self) -> None:
        client = boto3.client(
            "lambda", region_name="eu-central-1", aws_access_key_id="local", aws_secret_access_key="local"
        )
        self.stub = Stubber(client)
        self.waits: list[float] = []

        def made(seconds: float) -> Any:
            self.waits.append(seconds)
            return client

        self.gateway = LambdaSources(made, ARN)

    def answers(self, answer: object, error: str | None = None) -> None:
        content = json.dumps(answer).encode()
        response: dict[str, Any] = {"StatusCode": 200, "Payload": StreamingBody(io.BytesIO(content), len(content))}
        if error is not None:
            response["FunctionError"] = error
        self.stub.add_response("invoke", response, {"FunctionName": ARN, "Payload": ANY})


@pytest.fixture
def function() -> Iterator[Function]:
    made = Function()
    with made.stub:
        yield made
        made.stub.assert_no_pending_responses()


class Answering:
    """Gateway that answers, or fails with an error of its own."""

    def __init__(self, wire_error: Exception | None = None) -> None:
        self.wire_error = wire_error
        self.waits: list[float] = []

    def inspect(self, target: SourceTarget) -> SourceListing:
        return LISTING

    def call(self, target: SourceTarget, call: SourceToolCall, caller: SourceCaller) -> SourceAnswer:
        if self.wire_error is not None:
            raise self.wire_error
        return ANSWER


def test_a_failed_invocation_is_not_repeated(function: Function) -> None:
    function.stub.add_client_error("invoke", "TooManyRequestsException", http_status_code=429)
    with pytest.raises(SourceUnavailable) as raised:
        function.gateway.call(TARGET, CALL, CALLER)
    assert "TooManyRequests" not in str(raised.value)


def test_a_function_that_failed_is_a_server_that_was_not_reached(function: Function) -> None:
    function.answers({"errorType": "KeyError", "errorMessage": "hidden"}, "Unhandled")
    with pytest.raises(SourceUnavailable) as raised:
        function.gateway.inspect(TARGET)
    assert "hidden" not in str(raised.value)


@pytest.mark.parametrize("answer", [None, {"answer": {}}, "{", encode_result(LISTING)])
def test_an_invalid_response_gives_none(function: Function, answer: object) -> None:
    function.answers(answer)
    with pytest.raises(SourceUnavailable):
        function.gateway.call(TARGET, CALL, CALLER)


def test_a_function_that_sends_nothing_in_time_is_a_server_that_was_not_reached() -> None:
    class Silent:
        def invoke(self, **_: object) -> object:
            raise ReadTimeoutError(endpoint_url="https://lambda.eu-central-1.amazonaws.com")

    def client(_seconds: float) -> Any:
        return Silent()

    with pytest.raises(SourceUnavailable):
        LambdaSources(client, ARN).call(TARGET, CALL, CALLER)


def test_an_invocation_waits_as_long_as_its_caller_and_no_longer_than_the_function_can_run(function: Function) -> None:
    function.answers(encode_result(LISTING))
    function.gateway.inspect(TARGET)
    for _ in range(2):
        function.answers(encode_result(ANSWER))
        function.gateway.call(TARGET, CALL, CALLER)
    function.answers(encode_result(ANSWER))
    with time_limit(5.5):
        function.gateway.call(TARGET, CALL, CALLER)
    inspecting, calling, joining = function.waits
    assert inspecting > SOURCE_VALIDATION_SECONDS
    assert SOURCE_CALL_SECONDS < calling < TEMPLATE["Resources"]["SourcesFunction"]["Properties"]["Timeout"]
    assert joining == 6


def test_without_time_nothing_is_invoked(function: Function) -> None:
    with time_limit(0), pytest.raises(SourceUnavailable):
        function.gateway.call(TARGET, CALL, CALLER)
    assert function.waits == []


def test_the_function_gets_the_remaining_time() -> None:
    function = InProcessFunction(Answering())
    gateway = LambdaSources(function.client, ARN)
    gateway.call(TARGET, CALL, CALLER)
    with time_limit(3):
        gateway.call(TARGET, CALL, CALLER)
    full, short = (json.loads(event)["seconds"] for event in function.events)
    assert full == SOURCE_CALL_SECONDS
    assert 2 < short <= 3


def test_an_error_of_the_function_is_raised_so_that_lambda_counts_it() -> None:
    handler = SourcesHandler(lambda: Answering(InvalidInput("A setting is wrong.")))
    with pytest.raises(InvalidInput):
        handler(SourceInvocation(TARGET, CALL, CALLER, 1.0).to_event(), None)
    with pytest.raises(InvalidInput):
        handler({"target": "hidden"}, None)


def test_nothing_of_a_call_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.DEBUG)
    LambdaSources(InProcessFunction(Answering()).client, ARN).call(TARGET, CALL, CALLER)
    LambdaSources(InProcessFunction(Answering()).client, ARN).inspect(TARGET)
    with pytest.raises(SourceUnavailable):
        LambdaSources(InProcessFunction(Answering(KeyError("hidden"))).client, ARN).call(TARGET, CALL, CALLER)
    reported = caplog.text + "".join(capfd.readouterr())
    assert "hidden" not in reported
    assert "pump" not in reported
