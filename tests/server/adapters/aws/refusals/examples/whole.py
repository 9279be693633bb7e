"""Examples of monitoring and of the template as a whole."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tests.server.adapters.aws.refusals.examples.building import Example, function, of, resource, template


def _logging(name: str) -> dict[str, Any]:
    destination = {"Fn::GetAtt": ["Group", "Arn"]}
    return {
        "Group": resource("Logs::LogGroup", LogGroupName=name),
        "Stage": resource("ApiGatewayV2::Stage", AccessLogSettings={"DestinationArn": destination, "Format": "x"}),
    }


def _named(count: int) -> dict[str, dict[str, Any]]:
    return {f"Name{number}": {"Type": "String"} for number in range(count)}


def _functions(count: int) -> dict[str, Any]:
    """Return functions of which SAM makes a function and its role."""
    return {f"Function{number}": function() for number in range(count)}


_ALARM: Final = {"Period": 60, "EvaluationPeriods": 1}
_EMPTY: Final = template({})
EXAMPLES: Final[Mapping[str, Example]] = {
    "alarm-period": of(
        "CloudWatch::Alarm", {"Period": 60, "EvaluationPeriods": 1_441}, {"Period": 60, "EvaluationPeriods": 1_440}
    ),
    "alarm-sizes": of(
        "CloudWatch::Alarm", {**_ALARM, "AlarmActions": ["a"] * 6}, {**_ALARM, "AlarmActions": ["a"] * 5}
    ),
    "dashboard": of("CloudWatch::Dashboard", {"DashboardBody": "{"}, {"DashboardBody": '{"widgets": []}'}),
    "log-group": of("Logs::LogGroup", {"RetentionInDays": 31}, {"RetentionInDays": 30}),
    "vended-logs-name": Example(template(_logging("/access")), template(_logging("/aws/vendedlogs/access"))),
    "topic-name": of("SNS::Topic", {"DisplayName": "x" * 101}, {"DisplayName": "x" * 100}),
    "parameters": Example(template({}, Parameters=_named(201)), template({}, Parameters=_named(200))),
    "outputs": Example(template({}, Outputs=_named(201)), template({}, Outputs=_named(200))),
    "mappings": Example(template({}, Mappings=_named(201)), template({}, Mappings=_named(200))),
    "resources": Example(template(_functions(251)), template(_functions(250))),
    "description": Example(template({}, Description="x" * 1_025), template({}, Description="x" * 1_024)),
    "parameter-description": Example(
        template({}, Parameters={"Name": {"Description": "x" * 4_001}}),
        template({}, Parameters={"Name": {"Description": "x" * 4_000}}),
    ),
    "parameter-value": Example(
        replace(_EMPTY, parameters={"Name": "x" * 4_097}), replace(_EMPTY, parameters={"Name": "x" * 4_096})
    ),
    "template-size": Example(replace(_EMPTY, size=51_201, inline=True), replace(_EMPTY, size=51_201, inline=False)),
}
