"""What goes wrong rings, is explained, and costs nothing while nothing is wrong."""

import json
import re
from typing import Any, Final

import pytest

from groundwire.entry.runtime.telemetry import SEARCH_SERVICE
from tests.support.aws.template.variants import ROOT, TEMPLATE, variant

STACK: Final = variant()
ALARMS: Final = STACK.of_type("AWS::CloudWatch::Alarm")
RUNBOOK: Final = ROOT / "docs" / "operations.md"
OWN: Final = {"Fn::Sub": "Groundwire/${AWS::StackName}"}


def watched() -> dict[str, tuple[Any, str]]:
    return {name: (alarm["Namespace"], alarm["MetricName"]) for name, alarm in ALARMS.items()}


def test_errors_slowness_throttling_dead_letters_and_every_function_are_watched() -> None:
    failing = {f"{name.removesuffix('Function')}ErrorsAlarm" for name in STACK.of_type("AWS::Serverless::Function")}
    assert watched() == {
        "FaultsAlarm": ("AWS/ApiGateway", "5xx"),
        "SlowAlarm": ("AWS/ApiGateway", "Latency"),
        "ThrottlesAlarm": ("AWS/Lambda", "Throttles"),
        "DeadLettersAlarm": ("AWS/SQS", "ApproximateNumberOfMessagesVisible"),
        "BacklogAlarm": ("AWS/SQS", "ApproximateAgeOfOldestMessage"),
        "MismatchAlarm": (OWN, "acl_mismatch"),
        "AsleepAlarm": (OWN, "Asleep"),
        "DegradedAlarm": (OWN, "Degraded"),
        **dict.fromkeys(failing, ("AWS/Lambda", "Errors")),
    }
    assert ALARMS["SlowAlarm"]["ExtendedStatistic"] == "p99"


def test_one_slow_call_among_few_rings_no_alarm() -> None:
    percentiles = {name: alarm for name, alarm in ALARMS.items() if "ExtendedStatistic" in alarm}
    assert {name: alarm.get("EvaluateLowSampleCountPercentile") for name, alarm in percentiles.items()} == {
        "SlowAlarm": "ignore"
    }


def test_metrics_of_two_stacks_are_distinguished_and_no_tenant_is_a_dimension() -> None:
    for name in ("McpFunction", "ApiFunction"):
        assert STACK.variables(name)["POWERTOOLS_METRICS_NAMESPACE"] == OWN
    dimensions = {dimension["Name"] for alarm in ALARMS.values() for dimension in alarm.get("Dimensions", [])}
    assert dimensions == {"ApiId", "FunctionName", "QueueName", "service"}


def test_searches_are_watched_whichever_function_searched() -> None:
    own = [alarm["Dimensions"] for alarm in ALARMS.values() if alarm["Namespace"] == OWN]
    assert own == [[{"Name": "service", "Value": SEARCH_SERVICE}]] * 3


@pytest.mark.parametrize("name", ALARMS)
def test_silence_is_no_alarm(name: str) -> None:
    assert ALARMS[name]["TreatMissingData"] == "notBreaching"
    assert ALARMS[name]["AlarmDescription"].endswith(".")
    assert "Metrics" not in ALARMS[name]


@pytest.mark.parametrize("name", ALARMS)
def test_every_alarm_has_its_page_in_the_runbook(name: str) -> None:
    assert re.search(rf"^### {name}$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_runbook_knows_no_alarm_that_is_not_there() -> None:
    named = re.findall(r"^### (\w+Alarm)$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(ALARMS)


def test_mail_and_budget_exist_only_when_an_address_is_given() -> None:
    telling = {"AWS::SNS::Topic", "AWS::Budgets::Budget"}
    assert not telling & {each["Type"] for each in STACK.resources.values()}
    assert not [name for name, alarm in ALARMS.items() if "AlarmActions" in alarm]
    told = variant(BudgetEmail="ops@example.com")
    assert telling <= {each["Type"] for each in told.resources.values()}
    for alarm in told.of_type("AWS::CloudWatch::Alarm").values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": "AlarmTopic"}]


def test_the_budget_warns_before_it_is_spent() -> None:
    (budget,) = variant(BudgetEmail="ops@example.com", MonthlyBudget=120).of_type("AWS::Budgets::Budget").values()
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 120, "Unit": "USD"}
    kinds = {
        each["Notification"]["NotificationType"]: each["Notification"]["Threshold"]
        for each in budget["NotificationsWithSubscribers"]
    }
    assert kinds == {"ACTUAL": 80, "FORECASTED": 100}


def test_the_dashboard_is_whole_and_shows_what_the_alarms_watch() -> None:
    (dashboard,) = STACK.of_type("AWS::CloudWatch::Dashboard").values()
    body = json.loads(dashboard["DashboardBody"]["Fn::Sub"])
    widgets = [(each["x"], each["y"]) for each in body["widgets"]]
    assert len(set(widgets)) == len(widgets)
    shown = json.dumps(body)
    for _, metric in watched().values():
        assert metric in shown or metric == "ApproximateAgeOfOldestMessage"


def test_tracing_costs_nothing_unless_it_is_requested() -> None:
    assert TEMPLATE["Parameters"]["Tracing"]["Default"] == "PassThrough"
    assert TEMPLATE["Globals"]["Function"]["Tracing"] == {"Ref": "Tracing"}
