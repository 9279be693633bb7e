"""Rules of logs, alarms, dashboards and topics."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_ALARMS: Final = Source("Amazon CloudWatch API reference: PutMetricAlarm", LOOKED_UP)
_DASHBOARDS: Final = Source("Amazon CloudWatch user guide: CloudWatch service quotas", LOOKED_UP)
_LOGS: Final = Source("Amazon CloudWatch Logs API reference: CreateLogGroup; PutRetentionPolicy", LOOKED_UP)
_ALARM: Final = "AWS::CloudWatch::Alarm"
_DASHBOARD: Final = "AWS::CloudWatch::Dashboard"
_GROUP: Final = "AWS::Logs::LogGroup"
_GROUP_NAME: Final = re.compile(r"[.\-_/#A-Za-z0-9]{1,512}")
_RETENTIONS: Final = frozenset(
    {1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1_096, 1_827, 2_192, 2_557, 2_922, 3_288, 3_653}
)
_VENDED: Final = "/aws/vendedlogs/"
_SHORT_PERIODS: Final = frozenset({1, 5, 10, 20, 30})
_DAY_S, _WEEK_S, _HOUR_S = 86_400, 604_800, 3_600
_MOST_ACTIONS: Final = 5
_MOST_METRICS: Final = 10
_MOST_WIDGETS: Final = 500
_NAME: Final = 255
_TOPIC_NAME: Final = 100
_MINUTE_S: Final = 60


def _periods(template: Template) -> Iterator[str]:
    for name, alarm in template.of_type(_ALARM).items():
        for period in _alarm_periods(alarm):
            evaluated = period * int(alarm.get("EvaluationPeriods", 1))
            if period not in _SHORT_PERIODS and period % _MINUTE_S:
                yield f"{name}: period {period} s"
            if evaluated > (_WEEK_S if period >= _HOUR_S else _DAY_S):
                yield f"{name}: {evaluated:,} s are evaluated"


def _alarm_periods(alarm: Any) -> list[int]:
    metrics = [metric["MetricStat"] for metric in alarm.get("Metrics", []) if "MetricStat" in metric]
    return [int(each["Period"]) for each in (alarm, *metrics) if "Period" in each]


def _alarm_sizes(template: Template) -> Iterator[str]:
    alarms = template.of_type(_ALARM).items()
    for member in ("AlarmActions", "OKActions", "InsufficientDataActions"):
        yield from above(_MOST_ACTIONS, ((name, len(alarm.get(member, []))) for name, alarm in alarms), "actions")
    yield from above(_MOST_METRICS, ((name, _retrieved(alarm)) for name, alarm in alarms), "metrics")
    names = ((name, len(template.text(alarm.get("AlarmName", "")))) for name, alarm in alarms)
    yield from above(_NAME, names, "characters")


def _retrieved(alarm: Any) -> int:
    return sum("MetricStat" in metric for metric in alarm.get("Metrics", []))


def _dashboards(template: Template) -> Iterator[str]:
    for name, dashboard in template.of_type(_DASHBOARD).items():
        try:
            body = json.loads(template.text(dashboard["DashboardBody"]))
        except ValueError as error:
            yield f"{name}: no JSON ({error})"
        else:
            widgets = cast("list[Any]", body.get("widgets", []))
            yield from above(_MOST_WIDGETS, [(name, len(widgets))], "widgets")


def _log_groups(template: Template) -> Iterator[str]:
    for name, group in template.of_type(_GROUP).items():
        given = template.text(group.get("LogGroupName", name))
        if not _GROUP_NAME.fullmatch(given):
            yield f"{name}: {given}"
        if "RetentionInDays" in group and int(group["RetentionInDays"]) not in _RETENTIONS:
            yield f"{name}: {group['RetentionInDays']} days"


def _vended_names(template: Template) -> Iterator[str]:
    groups = template.of_type(_GROUP)
    for name, stage in template.of_type("AWS::ApiGatewayV2::Stage").items():
        match stage.get("AccessLogSettings", {}).get("DestinationArn"):
            case {"Fn::GetAtt": [str(group), _]} if group in groups:
                if not template.text(groups[group].get("LogGroupName", group)).startswith(_VENDED):
                    yield f"{name}: {group}"
            case _:
                pass


def _topics(template: Template) -> Iterator[str]:
    topics = template.of_type("AWS::SNS::Topic").items()
    return above(
        _TOPIC_NAME, ((name, len(template.text(one.get("DisplayName", "")))) for name, one in topics), "characters"
    )


TEMPLATE_RULES: Final = (
    Rule(
        "alarm-period",
        "The period of an alarm is none that CloudWatch has, or it evaluates too long a time.",
        "1, 5, 10, 20, 30 or a multiple of 60 seconds; one day in all, seven days from a period of one hour on",
        _ALARMS,
        _periods,
    ),
    Rule(
        "alarm-sizes",
        "An alarm has too many actions or metrics, or too long a name.",
        "5 actions per state; 10 metrics; 255 characters",
        _ALARMS,
        _alarm_sizes,
    ),
    Rule("dashboard", "A dashboard is no JSON or has too many widgets.", "500 widgets", _DASHBOARDS, _dashboards),
    Rule(
        "log-group",
        "A log group has other characters in its name, or a retention that cannot be chosen.",
        "512 characters [.-_/#A-Za-z0-9]; 1, 3, 5, 7, 14, 30, 60, 90 … 3,653 days",
        _LOGS,
        _log_groups,
    ),
    Rule(
        "vended-logs-name",
        "The log group of a gateway's access logs has another prefix.",
        '"/aws/vendedlogs/": without it the resource policy of the account (5,120 characters) fills up',
        Source("CloudWatch Logs user guide: Enable logging from AWS services", LOOKED_UP),
        _vended_names,
        doubt="The service refuses the group only after the policy of the account is full.",
    ),
    Rule(
        "topic-name",
        "The display name of a topic is too long.",
        "100 characters",
        Source("Amazon SNS API reference: SetTopicAttributes", LOOKED_UP),
        _topics,
    ),
)
