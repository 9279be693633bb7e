"""Logs Insights over the log groups of moto, which ignores all of a query but its fields.

It interprets exactly the queries that the server makes, and refuses every other one as malformed. Where the service
promises nothing, it does what is worst for a reader: lines of one millisecond have another order in each query.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

import pytest
from moto.core.exceptions import JsonRESTError
from moto.logs.exceptions import InvalidParameterException
from moto.logs.models import LogEvent, logs_backends
from moto.logs.responses import LogsResponse

_PART: Final = r"((?:[A-Za-z0-9_@:-]|\\\.)+)"
_ESCAPED: Final = r"/\\u[0-9a-f]{4}/"
_CONDITIONS: Final = {
    rf"@message like /{_PART}/": "{}",
    rf"\(@message like /\(\?i\){_PART}/ or @message like {re.escape(_ESCAPED)}\)": r"(?i:{})|\\u[0-9a-f]{{4}}",
    rf"@message like {re.escape(_ESCAPED)}": r"\\u[0-9a-f]{{4}}",
}
"""Conditions on the text of a line, and the pattern that each means."""
_RANGE: Final = (
    "Query's end date and time is either before the log groups creation time or exceeds the log groups log retention "
    "settings ([0,400])"
)
_MEMBERS: Final = frozenset({"tenant", "decision", "tool", "method", "route", "action", "event", "outcome"})
_MOST_ROWS: Final = 10_000
Row = Mapping[str, object]


class _Event(NamedTuple):
    """Event of a log group; its id differs from that of every other one."""

    number: int
    time_ms: int
    message: str


@dataclass
class Insights:
    """What the service does with queries, and those that it was sent.

    Attributes:
        polls: calls for a result before a query is complete.
        polled_range_s: seconds of the range for which a query takes one call more.
        rows_a_call: rows that a call for a result returns at most.
        null: how a member with JSON's null is returned; None: not at all.
    """

    polls: int = 0
    polled_range_s: float = float("inf")
    rows_a_call: int = _MOST_ROWS
    null: str | None = None
    texts: list[str] = field(default_factory=list[str])
    groups: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    stopped: list[str] = field(default_factory=list[str])
    polled: Counter[str] = field(default_factory=Counter[str])

    def result(self, events: Sequence[_Event], text: str) -> list[Row]:
        """Return the rows of a query over the events of its range; raise an error if it is none of the server's."""
        self.texts.append(text)
        commands = text.split(" | ")
        if commands[0] == "fields @timestamp, @message":
            return self._lines(events, commands[1:-3], commands[-3:], text)
        return self._counts(events, commands, text)

    def _lines(self, events: Iterable[_Event], filters: list[str], ends: list[str], text: str) -> list[Row]:
        until, order, limit = ends
        before, most = _number(r"filter toMillis\(@timestamp\) <= (\d+)", until), _number(r"limit (\d+)", limit)
        if order != "sort @timestamp desc" or most > _MOST_ROWS:
            raise malformed(text)
        matching = [event for event in _matching(events, filters) if event.time_ms <= before]
        matching.sort(key=lambda event: (-event.time_ms, sha256(f"{text}{event.number}".encode()).digest()))
        return [
            {"@timestamp": _text(event.time_ms), "@message": event.message, "@ptr": event.number}
            for event in matching[:most]
        ]

    def _counts(self, events: Iterable[_Event], commands: list[str], text: str) -> list[Row]:
        *filters, condition, stats, limit = commands
        times = re.fullmatch(r"filter ispresent\(status\) and time >= (\d+) and time < (\d+)", condition)
        groups = re.fullmatch(r"stats count\(\*\) as calls, sum\(segments\) as passages by ([a-z, ]+)", stats)
        if times is None or groups is None or not {*(members := groups[1].split(", "))} <= _MEMBERS:
            raise malformed(text)
        calls, passages = Counter[tuple[str | None, ...]](), Counter[tuple[str | None, ...]]()
        for event in _matching(events, filters):
            record = json.loads(event.message)
            if "status" in record and int(times[1]) <= record["time"] < int(times[2]):
                # JSON's null is a member without a value, or the word.
                group = tuple(record[name] or self.null if name in record else None for name in members)
                calls[group] += 1
                passages[group] += record.get("segments") or 0
        rows: list[Row] = [
            {name: value for name, value in zip(members, group, strict=True) if value is not None}
            | {"calls": number, "passages": passages[group]}
            for group, number in calls.items()
        ]
        return rows[: _number(r"limit (\d+)", limit)]


def malformed(text: str) -> JsonRESTError:
    """Return the error for a text that is no query."""
    return JsonRESTError("MalformedQueryException", f"unexpected symbol in {text}")


def _matching(events: Iterable[_Event], filters: Iterable[str]) -> Iterator[_Event]:
    patterns = [_pattern(each) for each in filters]
    return (event for event in events if all(pattern.search(event.message) for pattern in patterns))


def _pattern(command: str) -> re.Pattern[str]:
    for form, meaning in _CONDITIONS.items():
        match = re.fullmatch(f"filter {form}", command)
        if match is not None:
            return re.compile(meaning.format(*match.groups()))
    raise malformed(command)


def _number(form: str, command: str) -> int:
    match = re.fullmatch(form, command)
    if match is None:
        raise malformed(command)
    return int(match[1])


def _text(time_ms: int) -> str:
    return f"{datetime.fromtimestamp(time_ms // 1_000, UTC):%Y-%m-%d %H:%M:%S}.{time_ms % 1_000:03}"


class AnyTime:
    """Client of moto's logs that takes lines of any age: a log of months was written in months."""

    def __init__(self, account: str, region: str) -> None:
        self._backend = logs_backends[account][region]

    def create_log_stream(self, **names: str) -> None:
        """Create the stream."""
        self._backend.create_log_stream(names["logGroupName"], names["logStreamName"])

    def put_log_events(self, **sent: Any) -> dict[str, Any]:
        """Append lines."""
        stream = self._backend.groups[sent["logGroupName"]].streams[sent["logStreamName"]]
        for event in sent["logEvents"]:
            added: Any = LogEvent(event["timestamp"], event)
            stream.events.append(added)
        return {}


def install(patch: pytest.MonkeyPatch, service: Insights) -> None:
    """Let moto's logs answer queries as the service does."""

    def execute(log_groups: list[Any], query: str, start_time: int, end_time: int) -> list[Row]:
        service.groups.append(tuple(group.name for group in log_groups))
        events = [
            _Event(event.event_id, event.timestamp, event.message)
            for group in log_groups
            for stream in group.streams.values()
            for event in stream.events
        ]
        created_ms = min((event.time_ms for event in events), default=0)
        # Both ends are seconds, of which the service makes milliseconds (github.com/aws/aws-sdk, issue 280).
        if end_time * 1_000 < created_ms:
            raise JsonRESTError("MalformedQueryException", _RANGE)
        return service.result([each for each in events if start_time <= each.time_ms / 1_000 <= end_time], query)

    def results(response: LogsResponse) -> str:
        sent = json.loads(response.body)
        query = response.logs_backend.queries[sent["queryId"]]
        start = int(sent.get("nextToken", 0))
        service.polled[query.query_id] += 1
        needed = service.polls + (query.end_time - query.start_time) // service.polled_range_s
        query.status = "Running" if service.polled[query.query_id] <= needed else "Complete"
        answer = query.to_result_json()
        end = start + service.rows_a_call
        following = {"nextToken": str(end)} if end < len(query.results) else {}
        return json.dumps({**answer, "results": answer["results"][start:end], **following})

    def stop(response: LogsResponse) -> str:
        query = response.logs_backend.queries[json.loads(response.body)["queryId"]]
        if query.status == "Complete":
            raise InvalidParameterException("the query has ended")
        service.stopped.append(query.query_id)
        return json.dumps({"success": True})

    patch.setattr("moto.logs.models.execute_query", execute)
    patch.setattr(LogsResponse, "get_query_results", results)
    patch.setattr(LogsResponse, "stop_query", stop, raising=False)
