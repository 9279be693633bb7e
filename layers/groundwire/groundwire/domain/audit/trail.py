"""Parts of the audit log that the administrators of a tenant read: pages of lines, and counts of its months."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from groundwire.domain.audit.selection import CALL_MEMBERS

AuditContent = Literal["original", "passages"]
"""Content of documents that a call gave: the stored file, or passages and pictures."""

# Their lines have the path without a method, and the outcome of an opening.
_LINK_ROUTES: Final = frozenset({"/o", "/open"})
_LINK_CONTENT: Final[Mapping[object, AuditContent]] = {
    "opened": "original",
    # A browser loads it with the page of the passage, so it is no opening of its own.
    "pictured": "passages",
    "shown": "passages",
}
_ADMITTED: Final = frozenset({None, "admitted"})


class AuditPage(NamedTuple):
    """Part of the lines of a tenant, the latest first.

    Attributes:
        next_after: position from which the next part continues; None: there are no more.
        is_complete: the index has every line. Until it has, a first page is empty and has a next one. No tenant may
            know how much it lacks, as the log has the lines of all.
    """

    lines: Sequence[Mapping[str, object]]
    next_after: str | None
    is_complete: bool


class VerifiedPart(NamedTuple):
    """Verification of a part of the chain, for one tenant.

    Attributes:
        lines: number of intact lines of the tenant in the part.
        problem: sentence about the first break of the chain; None: the part is as it was written.
        next_after: position of the next part; None: this was the last one.
    """

    lines: int
    problem: str | None
    next_after: str | None


class MonthUsage(NamedTuple):
    """Counts of the calls of one month, in UTC.

    Attributes:
        month: such as `2026-11`.
        calls: number of answered calls by tool, method or route.
        refused: number of calls that were not admitted.
        passages: number of passages in answers. originals: number of opened files.
    """

    month: str
    calls: Mapping[str, int]
    refused: int
    passages: int
    originals: int


class TenantUsage(NamedTuple):
    """Counts of a tenant by month, the latest first.

    Attributes:
        is_complete: every line counts by now.
    """

    months: Sequence[MonthUsage]
    is_complete: bool


def called(record: Mapping[str, object]) -> str | None:
    """Return the most exact name of what a line's call was for; None where it has none."""
    return next((value for value in map(record.get, CALL_MEMBERS) if isinstance(value, str) and value), None)


def content_of(record: Mapping[str, object]) -> AuditContent | None:
    """Return which content of documents a call gave; None: none, or none that the line states."""
    if record.get("route") in _LINK_ROUTES:
        return _LINK_CONTENT.get(record.get("outcome"))
    return "passages" if any(_count(record, name) for name in ("segments", "pictures")) else None


def usage_counts(record: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    """Yield the names of the counts that a line raises, and by how much; none for a line that is no call's."""
    if "status" not in record:
        return
    if record.get("decision") not in _ADMITTED:
        yield "refused", 1
        return
    yield f"{_CALLS}{called(record) or ''}", 1
    if passages := _count(record, "segments"):
        yield "passages", passages
    if content_of(record) == "original":
        yield "originals", 1


_CALLS: Final = "calls "


def month_of(record: Mapping[str, object]) -> str | None:
    """Return the month of a line in UTC; None for one without a time of the calendar."""
    time = record.get("time")
    if not isinstance(time, int | float):
        return None
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m")
    except (OverflowError, ValueError, OSError):
        return None


def month_usage(month: str, counts: Mapping[str, int], most_calls: int) -> MonthUsage:
    """Return the counts of a month; calls with rare names beyond `most_calls` names are counted together as `other`.

    A client of MCP chooses the names of unknown methods, so their number has no bound of its own.
    """
    named = {name.removeprefix(_CALLS) or "other": count for name, count in counts.items() if name.startswith(_CALLS)}
    frequent = sorted(named, key=lambda name: (-named[name], name))
    calls = {name: named[name] for name in frequent[:most_calls]}
    if rest := sum(named[name] for name in frequent[most_calls:]):
        calls["other"] = calls.get("other", 0) + rest
    return MonthUsage(month, calls, *(counts.get(name, 0) for name in ("refused", "passages", "originals")))


def _count(record: Mapping[str, object], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) else 0
