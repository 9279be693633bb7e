"""Lines of the audit log by tenant, found by Logs Insights in ranges of time, the latest first.

A query is coarse and its result may be cut, so nothing depends on it alone: each row is parsed and compared with tenant
and conditions again, and lines of one millisecond have the order of their streams and sequence numbers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.adapters.aws.audit.insights import (
    FIRST_LINE,
    WRITE_S,
    LogQueries,
    QueryBounds,
    Result,
    time_ms,
)
from groundwire.adapters.aws.audit.query_text import lines_query
from groundwire.adapters.aws.audit.usage import UsageQueries
from groundwire.adapters.codecs.audit_line import parse_record
from groundwire.domain.audit.selection import EVERY_LINE, AuditSelection
from groundwire.domain.audit.trail import AuditPage, TenantUsage
from groundwire.domain.errors import InvalidInput, NotFound, Unavailable

if TYPE_CHECKING:
    from groundwire.domain.audit.trail import VerifiedPart
    from groundwire.ports import Clock

_FIRST_SPAN_S: Final = 86_400
_LONGEST_SPAN_S: Final = 400 * 86_400
_CURSOR: Final = re.compile(r"(\d{1,14})/(\d{1,9})(?:/(\d{1,12})/([!-~]{1,60}))?")


class _Line(NamedTuple):
    """Record with its place and its size in bytes: the first three members order all lines of the log."""

    time_ms: int
    stream: str
    sequence: int
    record: Mapping[str, object]
    size: int


class _Position(NamedTuple):
    """Place in the log before which a page continues.

    Attributes:
        before_ms: time of the next line at most.
        span_s: seconds of the next range.
        edge: stream and sequence of the last line of a page; of the lines at `before_ms`, those before it are next.
    """

    before_ms: int
    span_s: int
    edge: tuple[str, int] | None

    @property
    def cursor(self) -> str:
        """The position as text."""
        edge = "" if self.edge is None else f"/{self.edge[1]}/{self.edge[0]}"
        return f"{self.before_ms}/{self.span_s}{edge}"

    def is_after(self, line: _Line) -> bool:
        """Return whether a line is among the next ones."""
        if self.edge is None or line.time_ms != self.before_ms:
            return line.time_ms <= self.before_ms
        return line[1:3] < self.edge


class _RangeLines(NamedTuple):
    """Lines of a range of time, the latest first, and the position after them; None: there are no earlier lines.

    Attributes:
        is_overdue: the range had no result in time.
    """

    lines: Sequence[_Line]
    next: _Position | None
    is_overdue: bool = False


class InsightsAuditTrail:
    """Implements `ports.AuditTrail` over the log group of a deployment.

    Args:
        bounds: of each call. A page that takes longer is short, or empty, and has a next one.
    """

    def __init__(self, queries: LogQueries, clock: "Clock", bounds: QueryBounds) -> None:
        self._queries = queries
        self._clock = clock
        self._bounds = bounds
        self._usage = UsageQueries(queries, clock, bounds)

    def usage(self, tenant: str) -> TenantUsage:
        """Return the counts of the tenant's calls by month, the latest first."""
        return self._usage(tenant)

    def verify_part(self, tenant: str, after: str | None) -> "VerifiedPart":
        """Verify nothing: each environment of a function writes a chain of its own.

        Raises:
            NotFound: always.
        """
        del tenant, after
        raise NotFound(
            "In AWS each environment of a function writes a chain of its own, in a log stream. The operator of the "
            "deployment exports the log group and verifies the chains."
        )

    def page(self, tenant: str, selection: AuditSelection, after: str | None, limit: int) -> AuditPage:
        """Return the latest lines that match before the position; see `ports.AuditTrail`."""
        now = self._clock()
        position = _latest(selection, now) if after is None else _parse(after)
        # Clocks of functions differ, so a line can have an earlier timestamp than its call.
        oldest = FIRST_LINE if selection.since is None else max(FIRST_LINE, int(selection.since) - WRITE_S)
        lines: list[Mapping[str, object]] = []
        size, cursor = 0, ""
        while position is not None and position.before_ms >= oldest * 1_000:
            # A query that starts in the second half of the time would often be stopped.
            if self._clock() > now + self._bounds.seconds / 2:
                return AuditPage(lines, position.cursor, is_complete=True)
            start = max(oldest, position.before_ms // 1_000 - position.span_s)
            rows = min(max(limit + 1, self._bounds.rows), self._bounds.most_rows)
            part = self._part(tenant, selection, position, start, rows, now + self._bounds.seconds)
            for line in part.lines:
                if line.record.get("tenant") == tenant and selection.matches(line.record):
                    size += line.size
                    if lines and size > self._bounds.most_bytes:
                        return AuditPage(lines, cursor, is_complete=True)
                    lines.append(line.record)
                    cursor = position._replace(before_ms=line.time_ms, edge=line[1:3]).cursor
                    if len(lines) == limit:
                        return AuditPage(lines, cursor, is_complete=True)
            position = part.next
            if part.is_overdue and position is not None:
                return AuditPage(lines, position.cursor, is_complete=True)
        return AuditPage(lines, None, is_complete=True)

    def recent(self, tenant: str, most: int, since: float) -> Iterator[Mapping[str, object]]:
        """Yield the latest lines of the tenant since a time, the latest first, as far as they are found in time."""
        selection, now = replace(EVERY_LINE, since=since), self._clock()
        page = self.page(tenant, selection, None, most)
        while page.lines or page.next_after is not None:
            yield from page.lines
            most -= len(page.lines)
            if page.next_after is None or most <= 0 or self._clock() > now + self._bounds.seconds / 2:
                return
            page = self.page(tenant, selection, page.next_after, most)

    def _part(
        self, tenant: str, selection: AuditSelection, position: _Position, start: int, most: int, deadline: float
    ) -> _RangeLines:
        text = lines_query(tenant, selection, position.before_ms, most)
        started_at = self._clock()
        try:
            # A range has whole seconds, and ends with the beginning of its last one.
            query = self._queries.start(text, start, position.before_ms // 1_000 + 1)
        except NotFound:
            return _RangeLines((), None)
        result = self._queries.wait(query, deadline)
        if result is None:
            self._queries.stop(query)
            # A shorter range, so that the next call does not end like this one.
            return _RangeLines((), position._replace(span_s=max(1, position.span_s // 8)), is_overdue=True)
        cut_ms = min(map(time_ms, result)) if len(result) >= most else None
        if cut_ms is not None and cut_ms >= position.before_ms:
            if most >= self._bounds.most_rows:
                raise Unavailable(f"The audit log has more than {most} lines of one millisecond.", WRITE_S)
            return self._part(tenant, selection, position, start, self._bounds.most_rows, deadline)
        # Of its earliest millisecond, a cut result can lack lines.
        lines = [line for line in _lines(result) if position.is_after(line) and (cut_ms is None or line[0] > cut_ms)]
        if cut_ms is not None:
            return _RangeLines(lines, _Position(cut_ms, position.span_s, None))
        return _RangeLines(
            lines, _Position(start * 1_000 - 1, self._next_span_s(position, self._clock() - started_at), None)
        )

    def _next_span_s(self, position: _Position, took_s: float) -> int:
        # A query takes as long as its range has lines: the next one may take a quarter of the time.
        factor = max(1.0, min(4.0, self._bounds.seconds / 4 / max(took_s, 0.001)))
        return min(_LONGEST_SPAN_S, int(position.span_s * factor))


def _latest(selection: AuditSelection, now: float) -> _Position:
    latest = now if selection.until is None else min(now, selection.until)
    # A line is written at the end of its call.
    return _Position(int((latest + WRITE_S) * 1_000), _FIRST_SPAN_S, None)


def _parse(cursor: str) -> _Position:
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise InvalidInput("The position is of another audit log: request the first page again.")
    return _Position(int(match[1]), max(1, int(match[2])), (match[4], int(match[3])) if match[4] else None)


def _lines(result: Result) -> list[_Line]:
    """Return the lines of a result, the latest first, without rows that are no lines of the log."""
    lines: list[_Line] = []
    for row in result:
        raw = row.get("@message", "").encode()
        record = parse_record(raw) or {}
        stream, sequence = record.get("stream"), record.get("sequence")
        if isinstance(stream, str) and isinstance(sequence, int):
            lines.append(_Line(time_ms(row), stream, sequence, record, len(raw)))
    return sorted(lines, key=lambda line: line[:3], reverse=True)
