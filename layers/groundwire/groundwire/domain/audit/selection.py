"""Selection of lines of the audit log: by key, document, user, call, outcome and time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from groundwire.domain.access.user_blocks import block_key
from groundwire.domain.errors import InvalidInput

AuditTerm = tuple[str, str]
"""Name of a condition other than time, and the value that fulfils it."""
CALL_MEMBERS: Final = ("tool", "method", "route", "action", "event")
"""Members of a line that name what was called, the most exact first."""
_OUTCOME_MEMBERS: Final = ("outcome", "reason")
_USER_MEMBERS: Final = ("user", "as_user", "entry", "os_user")
_SPAN: Final = re.compile(r"(\d{1,4})([mhd])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class AuditSelection:
    """Conditions on a line that must all hold; None: no condition.

    Attributes:
        kid: key of the call. doc: id of a document that the line names.
        user: end user, person of a search by an administrator, or user of the operating system, in any letter case.
        call: tool, method, route, action or event.
        outcome: outcome of the call, or the reason of a denied one.
        since, until: epoch seconds; the first one is included, the other is not.
    """

    kid: str | None
    doc: str | None
    user: str | None
    call: str | None
    outcome: str | None
    since: float | None
    until: float | None

    @property
    def is_empty(self) -> bool:
        """Truth of the claim that every line matches."""
        return self == EVERY_LINE

    @property
    def terms(self) -> frozenset[AuditTerm]:
        """Return the terms of lines that fulfil every condition except those of time; see `line_terms`."""
        user = None if self.user is None else block_key(self.user)
        values = {"kid": self.kid, "doc": self.doc, "user": user, "call": self.call, "outcome": self.outcome}
        return frozenset((name, value) for name, value in values.items() if value is not None)

    def matches(self, record: Mapping[str, object]) -> bool:
        """Return whether a line fulfils every condition."""
        return (
            (self.kid is None or record.get("kid") == self.kid)
            and (self.doc is None or self.doc in _documents(record))
            and (self.user is None or self._is_of_user(record))
            and (self.call is None or self.call in {record.get(name) for name in CALL_MEMBERS})
            and (self.outcome is None or self.outcome in {record.get(name) for name in _OUTCOME_MEMBERS})
            and self._is_within(record.get("time"))
        )

    def _is_of_user(self, record: Mapping[str, object]) -> bool:
        # An identity provider and an agent may spell one address differently, and a question is about the person.
        wanted = block_key(str(self.user))
        named = (record.get(name) for name in _USER_MEMBERS)
        return any(isinstance(each, str) and block_key(each) == wanted for each in named)

    def _is_within(self, time: object) -> bool:
        if self.since is None and self.until is None:
            return True
        if not isinstance(time, int | float):
            return False
        return (self.since is None or time >= self.since) and (self.until is None or time < self.until)


EVERY_LINE: Final = AuditSelection(None, None, None, None, None, None, None)


def since_selection(text: str, now: float) -> AuditSelection:
    """Return the condition that a line is not before a moment, as `parse_moment` reads it.

    Raises:
        InvalidInput: the text is no moment.
    """
    return replace(EVERY_LINE, since=parse_moment(text, now))


def line_terms(record: Mapping[str, object]) -> frozenset[AuditTerm]:
    """Return the terms of a line: a selection whose terms are among them differs from the line by time alone."""
    terms = {("doc", doc) for doc in _documents(record)}
    for name, members in (("kid", ("kid",)), ("call", CALL_MEMBERS), ("outcome", _OUTCOME_MEMBERS)):
        terms.update((name, value) for value in map(record.get, members) if isinstance(value, str))
    terms.update(("user", block_key(user)) for user in map(record.get, _USER_MEMBERS) if isinstance(user, str))
    return frozenset(terms)


def parse_moment(text: str, now: float) -> float:
    """Return a moment as epoch seconds: a date or time of ISO 8601, in UTC unless it has a zone, or a span before now.

    A span is a number of minutes, hours or days, such as `90m`, `24h` or `7d`.

    Raises:
        InvalidInput: the text is neither.
    """
    span = _SPAN.fullmatch(text.strip())
    if span is not None:
        return now - timedelta(**{_UNITS[span[2]]: int(span[1])}).total_seconds()
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(
            f"{text!r} is no time: write a date such as 2026-10-01, a time such as 2026-10-01T12:00, or a span such "
            "as 7d, 24h or 90m."
        ) from None
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()


def _documents(record: Mapping[str, object]) -> set[str]:
    documents = record.get("documents")
    # Lines name a document with the version of its policy after `@`.
    listed = cast("list[object]", documents) if isinstance(documents, list) else []
    return {str(each).rpartition("@")[0] for each in listed}
