"""Logs and metrics of the handlers: one structured line and one metric record per call, no document text, no keys."""

import os
from collections.abc import Mapping

from groundwire.entry.runtime.log_lines import LogLines
from groundwire.entry.runtime.metric_record import Metric, are_metrics_disabled, print_metrics

NAMESPACE = "Groundwire"
SEARCH_SERVICE = "search"
"""Metric service of all searches, so that one alarm covers every function that searches."""


class Telemetry:
    """Logs and metrics of a function: CloudWatch in the cloud, nothing billable locally."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._lines = LogLines(service)
        self._namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE

    def record_call(self, record: Mapping[str, object]) -> None:
        """Log a finished call and count it; the tenant is a property of the record, never a dimension."""
        self._lines.write("INFO", "record_call", "call", record)
        if not are_metrics_disabled():
            self._count(record)

    def info(self, text: str) -> None:
        """Log an event that needs no action by the operator."""
        self._lines.write("INFO", "info", text)

    def error(self, text: str) -> None:
        """Log an error for the operator; it may hold details that the caller did not get."""
        self._lines.write("ERROR", "error", text)

    def exception(self, message: str) -> None:
        """Log the handled exception with its traceback, for the operator only."""
        self._lines.write_exception("exception", message)

    def _count(self, record: Mapping[str, object]) -> None:
        properties = {"tenant": record.get("tenant"), "status": record["status"]}
        duration = float(str(record["duration_ms"]))
        calls = (Metric("Calls", "Count", 1.0), Metric("Duration", "Milliseconds", duration))
        print_metrics(self._namespace, self._service, calls, properties)
        if anomalies := _search_anomalies(record):
            print_metrics(self._namespace, SEARCH_SERVICE, anomalies, properties)


def _search_anomalies(record: Mapping[str, object]) -> tuple[Metric, ...]:
    counts = {
        "acl_mismatch": float(str(record.get("acl_mismatch") or 0)),
        "Degraded": float(bool(record.get("degraded"))),
        "Asleep": float(_is_index_asleep(record)),
    }
    return tuple(Metric(name, "Count", count) for name, count in counts.items() if count)


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
