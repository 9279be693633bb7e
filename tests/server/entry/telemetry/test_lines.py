"""Lines and metrics have the members of AWS Lambda Powertools, in its order: queries and alarms of stacks read them."""

import json
import re
import sys
from typing import Any, Final

import pytest
from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from groundwire.entry.runtime.telemetry import Telemetry

RECORD: Final = {"tenant": "t_0123456789abcdef", "tool": None, "user": "Zoë", "duration_ms": 1.5, "status": 200}
CHANGING: Final = re.compile(r'("location":)"[^"]*"|("timestamp":)"[^"]*"|("Timestamp":)\d+')


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "INFO")
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1")


def written(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [CHANGING.sub(r"\1\2\3", line) for line in capsys.readouterr().out.splitlines()]


def test_the_line_of_a_call_is_that_of_powertools(capsys: pytest.CaptureFixture[str]) -> None:
    Telemetry("lines").record_call(RECORD)
    Logger(service="lines").info("call", extra=dict(RECORD))

    ours, theirs = written(capsys)
    assert ours == theirs


def test_the_line_of_an_exception_has_the_members_of_powertools(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry, logger = Telemetry("failures"), Logger(service="failures")
    try:
        json.loads("no JSON")
    except ValueError:
        telemetry.exception("a call failed")
        logger.exception("a call failed")

    ours, theirs = written(capsys)
    assert ours == theirs


def test_the_metrics_of_a_call_are_those_of_powertools(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
    Telemetry("metrics").record_call(RECORD)
    metrics = EphemeralMetrics(namespace="Groundwire", service="metrics")
    metrics.add_metric("Calls", MetricUnit.Count, 1)
    metrics.add_metric("Duration", MetricUnit.Milliseconds, 1.5)
    metrics.add_metadata("tenant", RECORD["tenant"])
    metrics.add_metadata("status", RECORD["status"])
    metrics.flush_metrics()

    ours, theirs = written(capsys)
    assert ours == theirs


@pytest.mark.parametrize(
    ("service_level", "level", "expected"),
    [("", "WARNING", []), ("", "info", ["INFO"]), ("ERROR", "INFO", []), ("", "", ["INFO"])],
)
def test_a_line_below_the_level_is_not_written(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    service_level: str,
    level: str,
    expected: list[str],
) -> None:
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", service_level)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", level)

    Telemetry("levels").info("an event")

    lines: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["level"] for line in lines] == expected


def test_a_lone_surrogate_in_a_name_is_written_as_its_escape(capsys: pytest.CaptureFixture[str]) -> None:
    Telemetry("names").record_call({**RECORD, "user": "\udc80"})

    assert json.loads(capsys.readouterr().out)["user"] == "\udc80"


def test_an_output_that_is_closed_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed:
        attempts = 0

        def write(self, text: str) -> None:
            self.attempts += len(text) > 0
            raise BrokenPipeError

    output = Closed()
    monkeypatch.setattr(sys, "stdout", output)

    Telemetry("closed").record_call(RECORD)

    assert output.attempts == 1
