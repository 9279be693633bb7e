"""Metrics, queues and alarms of a stack, and whether its alarms have a recipient."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.ports import Clock
from groundwire.ports.account import DeployedAlarm

_PERIOD_S: Final = 60
_UNCONFIRMED: Final = frozenset({"PendingConfirmation", "Deleted"})


class StackWatch:
    """The part of a stack that only observes.

    Args:
        physical_ids: returns the names of the stack's resources of a type, by logical id.
    """

    def __init__(self, clients: AccountClients, physical_ids: Callable[[str], Mapping[str, str]], clock: Clock) -> None:
        self._clients = clients
        self._physical_ids = physical_ids
        self._clock = clock

    def throttles(self, seconds: int) -> Mapping[str, int]:
        """Return throttled invocations of the stack's functions alone, by logical id; each is one request."""
        return {
            logical_id: self._sum_of_throttles(name, seconds)
            for logical_id, name in sorted(self._physical_ids("AWS::Lambda::Function").items())
        }

    def queue_depths(self) -> Mapping[str, int]:
        """Return the approximate number of visible messages by logical id."""
        depths: dict[str, int] = {}
        for logical_id, url in sorted(self._physical_ids("AWS::SQS::Queue").items()):
            with self._clients.asking("sqs") as sqs:
                found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
            depths[logical_id] = int(found["Attributes"]["ApproximateNumberOfMessages"])
        return depths

    def alarms(self) -> Sequence[DeployedAlarm]:
        """Return the alarms, ordered by logical id."""
        names = {name: logical_id for logical_id, name in self._physical_ids("AWS::CloudWatch::Alarm").items()}
        found: list[dict[str, Any]] = []
        with self._clients.asking("cloudwatch") as cloudwatch:
            # The request takes at most 100 names.
            for start in range(0, len(names), 100):
                page = cloudwatch.describe_alarms(AlarmNames=sorted(names)[start : start + 100], MaxRecords=100)
                found += page["MetricAlarms"]
        alarms = [
            DeployedAlarm(names[each["AlarmName"]], tuple(each["AlarmActions"]), each["StateValue"] == "ALARM")
            for each in found
        ]
        return sorted(alarms, key=lambda alarm: alarm.logical_id)

    def confirmed_receivers(self, topic: str) -> int:
        """Return the number of confirmed subscriptions of a topic, which may belong to another account."""
        with self._clients.asking("sns") as sns:
            pages = sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
            return sum(each["SubscriptionArn"] not in _UNCONFIRMED for page in pages for each in page["Subscriptions"])

    def _sum_of_throttles(self, function: str, seconds: int) -> int:
        end = self._clock()
        with self._clients.asking("cloudwatch") as cloudwatch:
            found = cloudwatch.get_metric_statistics(
                Namespace="AWS/Lambda",
                MetricName="Throttles",
                Dimensions=[{"Name": "FunctionName", "Value": function}],
                StartTime=datetime.fromtimestamp(end - seconds, UTC),
                EndTime=datetime.fromtimestamp(end, UTC),
                Period=max(_PERIOD_S, seconds // _PERIOD_S * _PERIOD_S),
                Statistics=["Sum"],
            )
        return int(sum(point["Sum"] for point in found["Datapoints"]))
