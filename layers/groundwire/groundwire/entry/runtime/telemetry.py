"""Logs and metrics of the handlers: one structured line and one metric record per call, no document text, no keys.

Their forms are those of Powertools for AWS Lambda, which reads the same variables. Its import takes 17 ms of each cold
start, so they are written here.
"""

import json
import os
import sys
import time
from collections.abc import Mapping
from threading import Lock
from typing import Final

NAMESPACE: Final = "Groundwire"
SEARCH_SERVICE: Final = "search"
"""Metric service of all searches, so that one alarm covers every function that searches."""

_LEVELS: Final = {
    "TRACE": 10,
    "DEBUG": 10,
    "INFO": 20,
    "WARN": 30,
    "WARNING": 30,
    "ERROR": 40,
    "FATAL": 50,
    "CRITICAL": 50,
}
_LEVEL_VARIABLES: Final = ("AWS_LAMBDA_LOG_LEVEL", "POWERTOOLS_LOG_LEVEL", "LOG_LEVEL")
"""Variables of the level: that of the function's own logging configuration is before the others."""
_ON: Final = frozenset({"1", "y", "yes", "t", "true", "on"})
_UNITS: Final = {"Duration": "Milliseconds"}
"""Units of metrics that are no counts."""


class Telemetry:
    """Logs and metrics of a function: CloudWatch in the cloud, nothing billable locally."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE
        self._lowest = _lowest_level()
        # Two threads must not write into one line.
        self._writing = Lock()

    def record_call(self, record: Mapping[str, object]) -> None:
        """Log a finished call and count it; the tenant is a property of the record, never a dimension."""
        self._log("INFO", "call", record)
        if not _are_metrics_disabled():
            self._count(record)

    def info(self, text: str) -> None:
        """Log an event that needs no action by the operator."""
        self._log("INFO", text, {})

    def error(self, text: str) -> None:
        """Log an error for the operator; it may hold details that the caller did not get."""
        self._log("ERROR", text, {})

    def exception(self, message: str) -> None:
        """Log the handled exception with its traceback, for the operator only."""
        self._log("ERROR", message, _exception_members())

    def _log(self, level: str, message: str, members: Mapping[str, object]) -> None:
        if _LEVELS[level] < self._lowest:
            return
        line: dict[str, object] = {
            "level": level,
            "location": _location(),
            "message": message,
            "timestamp": _local_time(),
            "service": self._service,
            **members,
        }
        if trace := trace_id():
            line["xray_trace_id"] = trace.split(";")[0].replace("Root=", "")
        self._write({name: value for name, value in line.items() if value is not None})

    def _count(self, record: Mapping[str, object]) -> None:
        self._publish(self._service, {"Calls": 1.0, "Duration": float(str(record["duration_ms"]))}, record)
        if anomalies := _search_anomalies(record):
            self._publish(SEARCH_SERVICE, anomalies, record)

    def _publish(self, service: str, metrics: Mapping[str, float], record: Mapping[str, object]) -> None:
        """Write a record in CloudWatch's embedded metric format, whose only dimension is the service."""
        described = [{"Name": name, "Unit": _UNITS.get(name, "Count")} for name in metrics]
        target = {"Namespace": self._namespace, "Dimensions": [["service"]], "Metrics": described}
        self._write(
            {
                "_aws": {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": [target]},
                "service": service,
                "tenant": record.get("tenant"),
                "status": record["status"],
                **{name: [value] for name, value in metrics.items()},
            }
        )

    def _write(self, line: Mapping[str, object]) -> None:
        text = json.dumps(line, default=str, separators=(",", ":"), ensure_ascii=False)
        with self._writing:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()


def _lowest_level() -> int:
    """Return the number of the lowest level that is logged; an unknown name counts as the default."""
    names = (os.environ.get(each) for each in _LEVEL_VARIABLES)
    return _LEVELS.get(next(filter(None, names), "INFO").upper(), _LEVELS["INFO"])


def _are_metrics_disabled() -> bool:
    disabled = os.environ.get("POWERTOOLS_METRICS_DISABLED")
    # On a developer's machine they are off unless the variable turns them on.
    return (os.environ.get("POWERTOOLS_DEV", "") if disabled is None else disabled).lower() in _ON


def _location() -> str:
    """Return function and line of the caller of `Telemetry`."""
    # The frames between are `_log` and a method of `Telemetry`.
    # The import of `inspect`, which has the same in public, would take longer than the rest of this module.
    frame = sys._getframe(3)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    return f"{frame.f_code.co_name}:{frame.f_lineno}"


def _local_time() -> str:
    now = time.time()
    return time.strftime(f"%Y-%m-%d %H:%M:%S,{int(now % 1 * 1000):03}%z", time.localtime(now))


def _exception_members() -> Mapping[str, object]:
    """Return the members of the handled exception; none without one."""
    kind, error, place = sys.exc_info()
    if kind is None or error is None:
        return {}
    # Not before: a call that succeeds formats no traceback.
    import traceback

    frames = [
        {"file": each.filename, "line": each.lineno, "function": each.name, "statement": each.line}
        for each in traceback.extract_tb(place)
    ]
    return {
        "exception": "".join(traceback.format_exception(error)).rstrip("\n"),
        "exception_name": kind.__name__,
        "exception_notes": getattr(error, "__notes__", None),
        "stack_trace": {"type": kind.__name__, "value": str(error), "module": kind.__module__, "frames": frames},
    }


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
