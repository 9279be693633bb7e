"""Counts of a tenant's calls by month, each month by one query."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.audit.insights import FIRST_LINE, WRITE_S, LogQueries, QueryBounds, Result
from groundwire.adapters.aws.audit.query_text import GROUP_MEMBERS, counts_query
from groundwire.domain.audit.trail import MonthUsage, TenantUsage, month_usage, usage_counts
from groundwire.domain.errors import NotFound

if TYPE_CHECKING:
    from groundwire.ports import Clock

_MOST_CALL_NAMES: Final = 100
_MOST_KEPT: Final = 1_000
_KEPT_S: Final = 300
_WITHOUT_METHOD: Final = tuple(name for name in GROUP_MEMBERS if name != "method")
_NO_VALUES: Final = frozenset({"", "null"})
"""Values for a member without one: the documentation does not describe JSON's null."""


class UsageQueries:
    """Queries of counts, continued by the next call when the time of one call is over.

    Args:
        bounds: of one call.
    """

    def __init__(self, queries: LogQueries, clock: "Clock", bounds: QueryBounds) -> None:
        self._queries = queries
        self._clock = clock
        self._bounds = bounds
        self._counted: dict[tuple[str, int], tuple[MonthUsage, float]] = {}
        self._running: dict[tuple[str, int, int], str] = {}

    def __call__(self, tenant: str) -> TenantUsage:
        """Return the months that are counted, without a gap from the latest on."""
        now = self._clock()
        months: list[MonthUsage] = []
        for first, end in _months(now):
            try:
                month = self._kept(tenant, first, end, now) or self._month(
                    tenant, first, end, now + self._bounds.seconds
                )
            except NotFound:
                break
            if month is None:
                return TenantUsage(months, is_complete=False)
            if month.calls or month.refused:
                months.append(month)
        return TenantUsage(months, is_complete=True)

    def _kept(self, tenant: str, first: int, end: int, now: float) -> MonthUsage | None:
        month, counted_at = self._counted.get((tenant, first), (None, 0.0))
        # No line of a past month is still to come. The present one is counted again after a while, so that calls which
        # continue a long count, or come one after another, do not start with it.
        return month if counted_at > min(end + WRITE_S, now - _KEPT_S) else None

    def _month(self, tenant: str, first: int, end: int, deadline: float) -> MonthUsage | None:
        """Return the counts of a month; None if its query still runs."""
        result: Result | None = None
        # Clients choose the names of unknown methods. If there are too many for a result, they count together.
        for members in (GROUP_MEMBERS, _WITHOUT_METHOD):
            result = self._result(tenant, first, end, members, deadline)
            if result is None or len(result) < self._bounds.most_rows:
                break
        if result is None:
            return None
        if len(self._counted) >= _MOST_KEPT:
            self._counted.clear()
        name = datetime.fromtimestamp(first, UTC).strftime("%Y-%m")
        month = month_usage(name, _counts(tenant, result), _MOST_CALL_NAMES)
        self._counted[tenant, first] = month, self._clock()
        return month

    def _result(self, tenant: str, first: int, end: int, members: Sequence[str], deadline: float) -> Result | None:
        key = (tenant, first, len(members))
        query = self._running.pop(key, None)
        if query is None:
            text = counts_query(tenant, first, end, members, self._bounds.most_rows)
            # A line has the time of its call, and the timestamp of its writing.
            query = self._queries.start(text, first - WRITE_S, end + WRITE_S)
        result = self._queries.wait(query, deadline)
        if result is None and len(self._running) < _MOST_KEPT:
            # The query continues, and the next call takes its result: the same query would not end earlier.
            self._running[key] = query
        return result


def _counts(tenant: str, result: Result) -> Mapping[str, int]:
    counts = Counter[str]()
    for row in result:
        if row.get("tenant") != tenant:
            continue
        values = {name: value for name, value in row.items() if name in GROUP_MEMBERS and value not in _NO_VALUES}
        calls, passages = (int(float(row.get(name) or 0)) for name in ("calls", "passages"))
        for name, number in usage_counts({**values, "status": 0, "segments": passages}):
            counts[name] += number if name == "passages" else number * calls
    return counts


def _months(now: float) -> Iterator[tuple[int, int]]:
    """Yield the first second of each month and the one after its last, the latest month first."""
    first = datetime.fromtimestamp(now, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    end = (first + timedelta(days=32)).replace(day=1)
    while end.timestamp() > FIRST_LINE:
        yield int(first.timestamp()), int(end.timestamp())
        first, end = (first - timedelta(days=1)).replace(day=1), first
