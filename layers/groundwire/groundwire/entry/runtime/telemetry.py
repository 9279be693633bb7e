"""Logs and metrics of the handlers: one structured line and one metric record per call, no document text, no keys."""

import os
from collections.abc import Mapping
from threading import Lock

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from aws_lambda_powertools.metrics.functions import is_metrics_disabled

NAMESPACE = "Groundwire"
SEARCH_SERVICE = "search"
"""Metric service of all searches, so that one alarm covers every function that searches."""


class Telemetry:
    """Logs and metrics of a function: CloudWatch in the cloud, nothing billable locally."""

    def __init__(self, service: str) -> None:
        self._logger = Logger(service=service)
        # Powertools prefers this argument over the stack's environment variable.
        namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE
        self._metrics = Metrics(namespace=namespace, service=service)
        # Powertools keeps what threads add in one place, and a flush by one of them would publish all of it.
        self._counting = Lock()
        self._searches = EphemeralMetrics(namespace=namespace, service=SEARCH_SERVICE)

    def record_call(self, record: Mapping[str, object]) -> None:
        """Log a finished call and count it; the tenant is a property of the record, never a dimension."""
        self._logger.info("call", extra=dict(record))
        if not is_metrics_disabled():
            with self._counting:
                self._count(record)

    def info(self, text: str) -> None:
        """Log an event that needs no action by the operator."""
        self._logger.info(text)

    def error(self, text: str) -> None:
        """Log an error for the operator; it may hold details that the caller did not get."""
        self._logger.error(text)

    def exception(self, message: str) -> None:
        """Log the handled exception with its traceback, for the operator only."""
        self._logger.exception(message)  # noqa: LOG004 - called from the handler's except block

    def _count(self, record: Mapping[str, object]) -> None:
        # Powertools buffers metrics that it may not publish and prints them after a hundred calls.
        self._metrics.add_metric("Calls", MetricUnit.Count, 1)
        self._metrics.add_metric("Duration", MetricUnit.Milliseconds, float(str(record["duration_ms"])))
        self._publish(self._metrics, record)
        if anomalies := _search_anomalies(record):
            for name, count in anomalies.items():
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
    """Return whether a search, by a tool or over REST, failed with a retryable error."""
    # The import is local, since the REST function needs no MCP modules.
    from groundwire_mcp.jsonrpc.errors import ResultCode

    result_code = record.get("outcome")
    if record.get("route") == "POST /v1/search":
        return result_code == "unavailable"
    return result_code == ResultCode.TOOL_RETRYABLE.value


def trace_id() -> str | None:
    """Return the trace that the Lambda service started for this invocation; None without one."""
    return os.environ.get("_X_AMZN_TRACE_ID")
