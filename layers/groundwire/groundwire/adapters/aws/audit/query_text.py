"""Texts of Logs Insights queries: a coarse selection of lines; the process then keeps those that match exactly.

Values of callers are in a query only as patterns of letters, digits and four other characters. Of a value with others,
the longest such part is in the query: a line that has the value has that part of it, too.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire.domain.audit.selection import CALL_MEMBERS, AuditSelection

GROUP_MEMBERS: Final = ("tenant", "decision", *CALL_MEMBERS, "outcome")
"""Members by which usage is counted."""
_INERT: Final = re.compile(r"[A-Za-z0-9_@:.-]+")
"""Characters that end neither a pattern nor a command; of these, `.` alone means something in a pattern."""
_ESCAPED: Final = r"/\\u[0-9a-f]{4}/"
"""Pattern of a character outside ASCII, as lines have it."""


def lines_query(tenant: str, selection: AuditSelection, before_ms: int, most: int) -> str:
    """Return the query for the latest `most` lines until a time, among them all that match the selection."""
    commands = (
        "fields @timestamp, @message",
        *(f"filter {condition}" for condition in _conditions(tenant, selection)),
        # A range has whole seconds, and one second can have more lines than a result.
        f"filter toMillis(@timestamp) <= {before_ms:d}",
        "sort @timestamp desc",
        f"limit {most:d}",
    )
    return " | ".join(commands)


def counts_query(tenant: str, since: int, until: int, members: Sequence[str], most: int) -> str:
    """Return the query for the number of calls and passages within times of lines, by the values of members."""
    commands = (
        *(f"filter {condition}" for condition in _pattern(tenant)),
        f"filter ispresent(status) and time >= {since:d} and time < {until:d}",
        f"stats count(*) as calls, sum(segments) as passages by {', '.join(members)}",
        f"limit {most:d}",
    )
    return " | ".join(commands)


def _conditions(tenant: str, selection: AuditSelection) -> Iterator[str]:
    yield from _pattern(tenant)
    for name, value in sorted(selection.terms):
        yield from _user_pattern(value) if name == "user" else _pattern(value)


def _pattern(value: str) -> Iterator[str]:
    if part := _inert_part(value):
        yield f"@message like /{part}/"


def _user_pattern(user: str) -> Iterator[str]:
    """Yield the condition for a user as `block_key` returns it: lines may have it in another spelling."""
    if not user.isascii():
        yield f"@message like {_ESCAPED}"
    elif part := _inert_part(user):
        # Letters outside ASCII can have a fold within it, such as the sign of Kelvin.
        yield f"(@message like /(?i){part}/ or @message like {_ESCAPED})"


def _inert_part(value: str) -> str:
    return max(_INERT.findall(value), key=len, default="").replace(".", r"\.")
