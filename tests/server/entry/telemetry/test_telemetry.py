"""What the handlers tell the operator, and what they keep to themselves."""

import json
import re

import pytest

from groundwire.entry.runtime.telemetry import Telemetry

RECORD = {"duration_ms": 1.5, "status": 200, "tenant": "t_0123456789abcdef"}
CALLS = 101
"""One more than Powertools gathers before it prints of its own accord."""


def test_a_server_without_metrics_prints_none_however_many_calls_it_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
    telemetry = Telemetry("quiet")

    for _ in range(CALLS):
        telemetry.record_call(RECORD)

    assert capsys.readouterr().out == ""


def test_metrics_that_are_turned_off_later_are_gathered_no_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
    telemetry = Telemetry("quieter")
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")

    for _ in range(CALLS):
        telemetry.record_call(RECORD)

    assert capsys.readouterr().out == ""


def test_the_tenant_is_a_property_of_the_metric_and_never_a_dimension(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")

    Telemetry("counting").record_call(RECORD)

    metric = json.loads(capsys.readouterr().out)
    assert metric["tenant"] == RECORD["tenant"]
    assert metric["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["service"]]


@pytest.mark.parametrize("service", ["mcp", "api"])
def test_an_unusual_search_is_counted_once_by_whichever_function_searched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], service: str
) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")

    Telemetry(service).record_call(RECORD)
    Telemetry(service).record_call({**RECORD, "acl_mismatch": 2, "degraded": True, "outcome": "tool_retryable"})

    usual, call, reported = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (reported["acl_mismatch"], reported["Degraded"], reported["Asleep"]) == ([2.0], [1.0], [1.0])
    assert reported["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["service"]]
    assert [each["service"] for each in (usual, call, reported)] == [service, service, "search"]
    assert (reported["tenant"], "Calls" in reported) == (RECORD["tenant"], False)
    for other in (usual, call):
        assert {"acl_mismatch", "Degraded", "Asleep"}.isdisjoint(other)


def test_a_search_over_rest_that_must_be_repeated_counts_as_one_by_a_tool(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
    telemetry = Telemetry("rest")

    for route in ("POST /v1/search", "GET /v1/users"):
        telemetry.record_call({**RECORD, "route": route, "outcome": "unavailable"})

    _, search, other = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert search["Asleep"] == [1.0]
    assert "Asleep" not in other


def test_metrics_are_under_the_name_of_the_stack_where_it_has_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")

    Telemetry("one").record_call(RECORD)
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Groundwire/production")
    Telemetry("other").record_call(RECORD)

    reported = [json.loads(line)["_aws"]["CloudWatchMetrics"][0] for line in capsys.readouterr().out.splitlines()]
    assert [each["Namespace"] for each in reported] == ["Groundwire", "Groundwire/production"]


def test_a_call_is_a_line_with_its_level_its_place_and_its_members_without_those_that_are_absent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "INFO")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1")

    Telemetry("mcp").record_call({**RECORD, "user": "Zoë", "reason": None})

    printed = capsys.readouterr().out
    line = json.loads(printed)
    assert list(line)[:5] == ["level", "location", "message", "timestamp", "service"]
    assert (line["level"], line["message"], line["service"]) == ("INFO", "call", "mcp")
    assert re.fullmatch(r"test_a_call_is_a_line\w+:\d+", line["location"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}[+-]\d{4}", line["timestamp"])
    assert line["xray_trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"
    assert {name: line[name] for name in RECORD} == RECORD
    assert "Zoë" in printed
    assert "reason" not in line


def test_an_unexpected_error_is_a_line_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")

    telemetry = Telemetry("mcp")
    telemetry.info("This is below the level.")
    try:
        json.loads("no JSON")
    except json.JSONDecodeError:
        telemetry.exception("a call failed")

    line = json.loads(capsys.readouterr().out)
    assert (line["level"], line["message"], line["exception_name"]) == ("ERROR", "a call failed", "JSONDecodeError")
    assert line["exception"].startswith("Traceback (most recent call last):")
    assert line["exception"].endswith("JSONDecodeError: Expecting value: line 1 column 1 (char 0)")
    assert line["stack_trace"]["value"] == "Expecting value: line 1 column 1 (char 0)"
    assert line["stack_trace"]["frames"][0]["statement"] == 'json.loads("no JSON")'


@pytest.mark.parametrize(
    ("variables", "lines"),
    [
        ({}, 1),
        ({"POWERTOOLS_LOG_LEVEL": "warning"}, 0),
        ({"POWERTOOLS_LOG_LEVEL": "INFO", "AWS_LAMBDA_LOG_LEVEL": "ERROR"}, 0),
        ({"POWERTOOLS_LOG_LEVEL": "ERROR", "AWS_LAMBDA_LOG_LEVEL": "INFO"}, 1),
        ({"POWERTOOLS_LOG_LEVEL": "LOUD"}, 1),
    ],
)
def test_the_level_is_that_of_the_functions_configuration_else_that_of_the_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variables: dict[str, str], lines: int
) -> None:
    for name in ("AWS_LAMBDA_LOG_LEVEL", "POWERTOOLS_LOG_LEVEL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    Telemetry("mcp").info("An event.")

    assert len(capsys.readouterr().out.splitlines()) == lines
