"""Rules of calls to log groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_PUT: Final = Source(
    "https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html; "
    "botocore service model logs, PutLogEvents",
    LOOKED_UP,
)
STREAMS_PER_SECOND: Final = 50
BATCH_BYTES: Final = 1_048_576
EVENT_BYTES: Final = 262_144
EVENTS: Final = 10_000
_EVENT_OVERHEAD: Final = 26
_HOUR_MS: Final = 3_600_000
_SPAN_MS: Final = 24 * _HOUR_MS
_PAST_MS: Final = 14 * 24 * _HOUR_MS
_FUTURE_MS: Final = 2 * _HOUR_MS


@dataclass(frozen=True, slots=True)
class LogBatch:
    """Lines of one `PutLogEvents`.

    Attributes:
        times: of the lines, in milliseconds; empty where nobody knows them.
        now: time of the call, in milliseconds.
    """

    lines: Sequence[str]
    times: Sequence[int] = ()
    now: int = 0


@dataclass(frozen=True, slots=True)
class StreamStarts:
    """Times at which an account called `CreateLogStream`, in seconds, in order."""

    times: Sequence[float]


def _size(batch: LogBatch) -> Iterator[str]:
    size = sum(len(line.encode()) + _EVENT_OVERHEAD for line in batch.lines)
    if size > BATCH_BYTES:
        yield f"{size:,} bytes, at most {BATCH_BYTES:,}"


def _event_sizes(batch: LogBatch) -> Iterator[str]:
    largest = max((len(line.encode()) + _EVENT_OVERHEAD for line in batch.lines), default=0)
    if largest > EVENT_BYTES:
        yield f"a line of {largest:,} bytes, at most {EVENT_BYTES:,}"


def _count(batch: LogBatch) -> Iterator[str]:
    if not 0 < len(batch.lines) <= EVENTS:
        yield f"{len(batch.lines):,} lines, 1 to {EVENTS:,}"


def _order(batch: LogBatch) -> Iterator[str]:
    if any(later < earlier for earlier, later in pairwise(batch.times)):
        yield "a line is older than the one before"


def _span(batch: LogBatch) -> Iterator[str]:
    if batch.times and max(batch.times) - min(batch.times) > _SPAN_MS:
        yield f"{(max(batch.times) - min(batch.times)) / _HOUR_MS:.0f} hours, at most 24"


def _age(batch: LogBatch) -> Iterator[str]:
    for time in batch.times:
        if not -_PAST_MS <= time - batch.now <= _FUTURE_MS:
            yield f"{(time - batch.now) / _HOUR_MS:+.0f} hours"
            return


def _streams(starts: StreamStarts) -> Iterator[str]:
    for number, time in enumerate(starts.times[STREAMS_PER_SECOND:]):
        if time - starts.times[number] < 1:
            yield f"call {number + STREAMS_PER_SECOND + 1} within a second, at most {STREAMS_PER_SECOND}"
            return


LOG_RULES: Final = (
    Rule(
        "log-batch",
        "A batch of log events is too large.",
        "1,048,576 bytes, with 26 bytes for each event",
        _PUT,
        _size,
    ),
    Rule(
        "log-event",
        "A log event is too large.",
        "1 MB on the page of today, 256 KB on its older versions",
        _PUT,
        _event_sizes,
        doubt="AWS raised the size in 2025; the page in other languages still has 256 KB.",
    ),
    Rule("log-events", "A batch has no log event, or too many.", "10,000 log events", _PUT, _count),
    Rule(
        "log-order", "Log events of a batch are not in the order of their times.", "chronological order", _PUT, _order
    ),
    Rule("log-span", "Log events of a batch are more than a day apart.", "24 hours", _PUT, _span),
    Rule(
        "log-age",
        "A log event is too old or too far in the future: the service drops it and answers 200.",
        "14 days in the past to 2 hours in the future (rejectedLogEventsInfo)",
        _PUT,
        _age,
    ),
)
STREAM_RULES: Final = (
    Rule(
        "log-streams-per-second",
        "An account creates more log streams in a second than CloudWatch Logs takes.",
        '"There is a limit of 50 TPS on CreateLogStream operations, after which transactions are throttled"',
        Source("botocore service model logs, CreateLogStream", LOOKED_UP),
        _streams,
    ),
)
