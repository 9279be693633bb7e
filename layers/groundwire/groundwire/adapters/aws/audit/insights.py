"""Queries of CloudWatch Logs Insights on one log group, with a deadline."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain import errors
from groundwire.domain.limits import MAX_AUDIT_PAGE_BYTES

if TYPE_CHECKING:
    from types_boto3_logs import CloudWatchLogsClient
    from types_boto3_logs.type_defs import GetQueryResultsResponseTypeDef

    from groundwire.ports import Clock

Result = Sequence[Mapping[str, str]]
"""Rows of a result: values by field."""
FIRST_LINE: Final = 1_767_225_600
"""2026-01-01 in UTC, before any release wrote a line. Logs Insights refuses ranges of years before it existed."""
WRITE_S: Final = 900
"""Most seconds between time and timestamp of a line, which is the longest call of a function."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RETRY_S: Final = 5
_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 1.0
_UNFINISHED: Final = frozenset({"Scheduled", "Running", "Unknown"})
_RANGE_WORDS: Final = ("creation time", "retention settings")
"""Words of the error for a range before the first line: its code is also that of malformed queries."""


class QueryBounds(NamedTuple):
    """Bounds of the work for one request.

    Attributes:
        seconds: time until which an answer is due.
        rows: rows of a result, of which a page takes what matches.
        most_rows: rows of a result at most, for lines of one millisecond and for groups.
        most_bytes: size at which a page ends; a single longer line is a page.
    """

    seconds: float
    rows: int
    most_rows: int
    most_bytes: int = MAX_AUDIT_PAGE_BYTES


def time_ms(row: Mapping[str, str]) -> int:
    """Return the timestamp of a row, in milliseconds.

    Raises:
        Unavailable: it has none.
    """
    try:
        moment = datetime.fromisoformat(row["@timestamp"]).replace(tzinfo=UTC)
    except (KeyError, ValueError):
        raise errors.Unavailable("Logs Insights returned a line without a time.", _RETRY_S) from None
    return (moment - _EPOCH) // timedelta(milliseconds=1)


class LogQueries:
    """Logs Insights on one log group.

    Args:
        pause: waits so many seconds.
    """

    def __init__(
        self, client: "CloudWatchLogsClient", group: str, clock: "Clock", pause: Callable[[float], None]
    ) -> None:
        self._client = client
        self._group = group
        self._clock = clock
        self._pause = pause

    def start(self, query: str, start: int, end: int) -> str:
        """Start a query of the lines between two epoch seconds, and return its id.

        Raises:
            NotFound: the range ends before the log. Unavailable: the query cannot be started.
        """
        try:
            # The group is no part of the text: a query that named another one would still read this one alone.
            answer = self._client.start_query(
                logGroupName=self._group, startTime=max(0, start), endTime=end, queryString=query
            )
        except (BotoCoreError, ClientError) as error:
            if any(word in str(error) for word in _RANGE_WORDS):
                raise errors.NotFound("The audit log has no lines of this time.") from error
            raise self._unavailable(type(error).__name__) from error
        return answer["queryId"]

    def wait(self, query_id: str, deadline: float) -> Result | None:
        """Return the result; None if the query still runs at the deadline.

        Raises:
            Unavailable: the query failed.
        """
        pause = _FIRST_PAUSE_S
        while self._clock() + pause < deadline:
            self._pause(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)
            try:
                answer = self._client.get_query_results(queryId=query_id)
                if answer["status"] == "Complete":
                    return [*_rows(answer), *self._further_rows(query_id, answer)]
            except (BotoCoreError, ClientError) as error:
                raise self._unavailable(type(error).__name__) from error
            if answer["status"] not in _UNFINISHED:
                raise self._unavailable(answer["status"])
        return None

    def _further_rows(self, query_id: str, answer: "GetQueryResultsResponseTypeDef") -> Iterator[Mapping[str, str]]:
        # Without them, a result would look as if it had fewer rows than its limit.
        while token := answer.get("nextToken"):
            answer = self._client.get_query_results(queryId=query_id, nextToken=token)
            yield from _rows(answer)

    def stop(self, query_id: str) -> None:
        """Stop a query, so that it scans no more; one that ended meanwhile is no error."""
        try:
            self._client.stop_query(queryId=query_id)
        except (BotoCoreError, ClientError):
            return

    def _unavailable(self, cause: str) -> errors.Unavailable:
        return errors.Unavailable(f"The audit log group {self._group} cannot be read ({cause}).", _RETRY_S)


def _rows(answer: "GetQueryResultsResponseTypeDef") -> Iterator[Mapping[str, str]]:
    return ({field.get("field", ""): field.get("value", "") for field in row} for row in answer["results"])
