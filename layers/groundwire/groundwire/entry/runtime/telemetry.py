"""Logs and metrics of the handlers: one structured line and one metric record per call, no document text, no keys."""

import os
from collections.abc import Mapping

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from aws_lambda_powertools.metrics.functions import is_metrics_disabled

NAMESPACE = "Groundwire"
SEARCH_SERVICE = "search"
"""What an alarm watches as one, whichever function searched."""


class Telemetry:
    """What the operator sees of a function: CloudWatch logs and metrics in the cloud, nothing to pay for locally."""

    def __init__(self, service: str) -> None:
        self._logger = Logger(service=service)
        # The library would take the name given here before that of the stack.
        namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE
        self._metrics = Metrics(namespace=namespace, service=service)
        self._searches = EphemeralMetrics(namespace=namespace, service=SEARCH_SERVICE)

    def record_call(self, record: Mapping[str, object]) -> None:
        """Logs one finished call and counts it; the tenant is a property of the record, never a dimension."""
        self._logger.info("call", extra=dict(record))
        if not is_metrics_disabled():
            self._count(record)

    def info(self, text: str) -> None:
        """Logs what the operator may want to know, and need not look into."""
        self._logger.info(text)

    def error(self, text: str) -> None:
        """Logs what the operator has to look into; the caller was told less."""
        self._logger.error(text)

    def exception(self, message: str) -> None:
        """Logs the exception that is being handled, with its traceback, for the operator alone."""
        self._logger.exception(message)  # noqa: LOG004 - called from the handler's except block

    def _count(self, record: Mapping[str, object]) -> None:
        # Only when it is to be published: what Powertools may not publish it keeps, and prints after a hundred calls.
        self._metrics.add_metric("Calls", MetricUnit.Count, 1)
        self._metrics.add_metric("Duration", MetricUnit.Milliseconds, float(str(record["duration_ms"])))
        self._publish(self._metrics, record)
        if unusual := _search_anomalies(record):
            for name, count in unusual.items():
                self._searches.add_metric(name, MetricUnit.Count, count)
            self._publish(self._searches, record)

    @staticmethod
    def _publish(metrics: Metrics | EphemeralMetrics, record: Mapping[str, object]) -> None:
        metrics.add_metadata("tenant", record.get("tenant"))
        metrics.add_metadata("status", record["status"])
        metrics.flush_metrics()


def _search_anomalies(record: Mapping[str, object]) -> dict[str, float]:
    counts = {
        "acl_mismatch": float(str(record.get("acl_mismatch") or 0)),
        "Degraded": float(bool(record.get("degraded"))),
        "Asleep": float(_is_index_asleep(record)),
    }
    return {name: count for name, count in counts.items() if count}


def _is_index_asleep(record: Mapping[str, object]) -> bool:
    """A search that could not be answered just now, by a tool or over REST."""
    # Late: the function of REST speaks no MCP.
    from groundwire.protocol.jsonrpc.errors import ResultCode

    outcome = record.get("outcome")
    if record.get("route") == "POST /v1/search":
        return outcome == "unavailable"
    return outcome == ResultCode.TOOL_RETRYABLE.value


def trace_id() -> str | None:
    """The trace that the Lambda service started for this invocation."""
    return os.environ.get("_X_AMZN_TRACE_ID")
