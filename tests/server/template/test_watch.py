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
MAIL: Final = "ops@example.com"
TOPIC: Final = "arn:aws:sns:eu-central-1:123456789012:ops"
AGE: Final = ("AWS/SQS", "ApproximateAgeOfOldestMessage")


def watched() -> dict[str, set[tuple[str, str]]]:
    """Namespace and name of the metrics of each alarm; several where it computes with them."""
    return {name: {_named(one) for one in metrics(alarm)} for name, alarm in ALARMS.items()}


def _named(metric: dict[str, Any]) -> tuple[str, str]:
    return "own" if metric["Namespace"] == OWN else metric["Namespace"], metric["MetricName"]


def metrics(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    if "Metrics" not in alarm:
        return [alarm]
    return [query["MetricStat"]["Metric"] for query in alarm["Metrics"] if "MetricStat" in query]


def test_errors_slowness_throttling_queues_capacity_and_every_function_are_watched() -> None:
    failing = {f"{name.removesuffix('Function')}ErrorsAlarm" for name in STACK.of_type("AWS::Serverless::Function")}
    assert watched() == {
        "FaultsAlarm": {("AWS/ApiGateway", "5xx")},
        "RefusedCallsAlarm": {("AWS/ApiGateway", "4xx")},
        "SlowAlarm": {("AWS/ApiGateway", "Latency")},
        "ThrottlesAlarm": {("AWS/Lambda", "Throttles")},
        "TableThrottlesAlarm": {("AWS/DynamoDB", "ReadThrottleEvents"), ("AWS/DynamoDB", "WriteThrottleEvents")},
        "DeadLettersAlarm": {("AWS/SQS", "ApproximateNumberOfMessagesVisible")},
        "BacklogAlarm": {AGE},
        "SweepBacklogAlarm": {AGE},
        "DeadLettersAgeAlarm": {AGE},
        "UndeliveredEventsAlarm": {("AWS/Events", "FailedInvocations")},
        "SearchCapacityAlarm": {("AWS/AOSS", "SearchOCU")},
        "IndexingCapacityAlarm": {("AWS/AOSS", "IndexingOCU")},
        "AwakeAlarm": {("AWS/AOSS", "SearchOCU")},
        "ParseFailedAlarm": {("own", "ParseFailed")},
        "AuditFailedAlarm": {("own", "AuditFailed")},
        "MismatchAlarm": {("own", "acl_mismatch")},
        "AsleepAlarm": {("own", "Asleep")},
        "DegradedAlarm": {("own", "Degraded")},
        **{name: {("AWS/Lambda", "Errors")} for name in failing},
    }
    assert ALARMS["SlowAlarm"]["ExtendedStatistic"] == "p99"


@pytest.mark.parametrize(
    ("alarm", "dimension", "kind"),
    [
        ("ThrottlesAlarm", "FunctionName", "AWS::Serverless::Function"),
        ("TableThrottlesAlarm", "TableName", "AWS::DynamoDB::Table"),
        ("UndeliveredEventsAlarm", "RuleName", "AWS::Events::Rule"),
    ],
)
@pytest.mark.parametrize(
    "parameters", [{}, {"WarmerSchedule": "rate(8 minutes)", "BedrockEmbedder": "cohere.embed-v4"}]
)
def test_a_sum_counts_every_part_of_this_stack_and_nothing_else_of_the_account(
    alarm: str, dimension: str, kind: str, parameters: dict[str, str]
) -> None:
    stack = variant(**parameters)
    summed = metrics(stack.resources[alarm]["Properties"])
    named = {(one["Name"], one["Value"]["Ref"]) for metric in summed for one in metric["Dimensions"]}
    assert named == {(dimension, name) for name in stack.of_type(kind)}
    # More than ten metrics in an alarm are refused.
    assert len(summed) <= 10


def test_every_queue_is_watched_for_the_age_of_its_oldest_message() -> None:
    aged = [
        one for alarm in ALARMS.values() for one in metrics(alarm) if one["MetricName"].startswith("ApproximateAge")
    ]
    named = {one["Dimensions"][0]["Value"]["Fn::GetAtt"][0]: one["Threshold"] for one in aged}
    queues = STACK.of_type("AWS::SQS::Queue")
    assert named.keys() == queues.keys()
    for name, seconds in named.items():
        assert queues[name].get("DelaySeconds", 0) < seconds < queues[name]["MessageRetentionPeriod"]


def test_capacity_is_watched_where_a_collection_exists_and_sleep_where_it_may_sleep() -> None:
    share, units = ALARMS["SearchCapacityAlarm"]["Metrics"]
    assert share["Expression"] == {"Fn::Sub": "100 * units / ${MaxCapacityInOcu}"}
    assert (units["ReturnData"], units["MetricStat"]["Stat"], units["MetricStat"]["Period"]) == (False, "Sum", 60)
    own = {"SearchCapacityAlarm", "IndexingCapacityAlarm", "AwakeAlarm"}
    assert own <= ALARMS.keys()
    assert own & variant(MinSearchCapacityInOcu=1).resources.keys() == own - {"AwakeAlarm"}
    assert not own & variant(OpenSearchUrl="https://search.example.com").resources.keys()


def test_one_slow_call_among_few_rings_no_alarm() -> None:
    percentiles = {name: alarm for name, alarm in ALARMS.items() if "ExtendedStatistic" in alarm}
    assert {name: alarm.get("EvaluateLowSampleCountPercentile") for name, alarm in percentiles.items()} == {
        "SlowAlarm": "ignore"
    }


def test_metrics_of_two_stacks_are_distinguished_and_no_tenant_is_a_dimension() -> None:
    for name in ("McpFunction", "ApiFunction"):
        assert STACK.variables(name)["POWERTOOLS_METRICS_NAMESPACE"] == OWN
    dimensions = {dimension["Name"] for alarm in ALARMS.values() for dimension in alarm.get("Dimensions", [])}
    assert dimensions == {"ApiId", "ClientId", "QueueName", "FunctionName", "service"}


def test_searches_are_watched_whichever_function_searched() -> None:
    own = {alarm["MetricName"]: alarm["Dimensions"] for alarm in ALARMS.values() if alarm.get("Namespace") == OWN}
    for name in ("acl_mismatch", "Asleep", "Degraded"):
        assert own[name] == [{"Name": "service", "Value": SEARCH_SERVICE}]


@pytest.mark.parametrize("name", ALARMS)
def test_silence_is_no_alarm(name: str) -> None:
    assert ALARMS[name]["TreatMissingData"] == "notBreaching"
    assert ALARMS[name]["AlarmDescription"].endswith(".")
    computed = [query for query in ALARMS[name].get("Metrics", []) if "Expression" in query]
    assert len(computed) == ("Metrics" in ALARMS[name])
    # A period of a sum that is filled with zeros ends before late values arrive.
    if "FILL" in str(computed):
        assert (ALARMS[name]["EvaluationPeriods"], ALARMS[name]["DatapointsToAlarm"]) == (2, 1)


@pytest.mark.parametrize("name", ALARMS)
def test_every_alarm_has_its_page_in_the_runbook(name: str) -> None:
    assert re.search(rf"^### {name}$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_runbook_names_no_missing_alarm() -> None:
    named = re.findall(r"^### (\w+Alarm)$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(ALARMS)


def test_mail_and_budget_exist_only_when_an_address_is_given() -> None:
    telling = {"AWS::SNS::Topic", "AWS::Budgets::Budget"}
    assert not telling & {each["Type"] for each in STACK.resources.values()}
    assert telling <= {each["Type"] for each in variant(BudgetEmail=MAIL).resources.values()}
    assert not telling & {each["Type"] for each in variant(AlarmTopicArn=TOPIC).resources.values()}


@pytest.mark.parametrize(
    ("parameters", "heard", "reported"),
    [
        ({}, [], "WARNING: nobody. Set BudgetEmail or AlarmTopicArn, and deploy again."),
        ({"BudgetEmail": MAIL}, [{"Ref": "AlarmTopic"}], MAIL),
        ({"AlarmTopicArn": TOPIC}, [TOPIC], TOPIC),
        (
            {"BudgetEmail": MAIL, "AlarmTopicArn": TOPIC},
            [{"Ref": "AlarmTopic"}, TOPIC],
            {"Fn::Sub": "${BudgetEmail} and ${AlarmTopicArn}"},
        ),
    ],
)
def test_every_alarm_notifies_everybody_who_is_named_and_an_output_states_who_that_is(
    parameters: dict[str, str], heard: list[object], reported: object
) -> None:
    stack = variant(**parameters)
    for alarm in stack.of_type("AWS::CloudWatch::Alarm").values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == heard
    assert stack.outputs["Alarms"]["Value"] == reported


@pytest.mark.parametrize("name", [TOPIC, ""])
def test_the_parameter_takes_the_arn_of_a_topic_or_nothing(name: str) -> None:
    pattern = TEMPLATE["Parameters"]["AlarmTopicArn"]["AllowedPattern"]
    assert re.fullmatch(pattern, name)
    assert not re.fullmatch(pattern, "arn:aws:sqs:eu-central-1:123456789012:ops")
    assert not re.fullmatch(pattern, f"{TOPIC}:0a1b2c3d-subscription")


def test_the_budget_warns_before_it_is_spent() -> None:
    (budget,) = variant(BudgetEmail=MAIL, MonthlyBudget=120).of_type("AWS::Budgets::Budget").values()
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
    for _, metric in set[tuple[str, str]]().union(*watched().values()):
        assert metric in shown


def test_tracing_costs_nothing_unless_it_is_requested() -> None:
    assert TEMPLATE["Parameters"]["Tracing"]["Default"] == "PassThrough"
    assert TEMPLATE["Globals"]["Function"]["Tracing"] == {"Ref": "Tracing"}
