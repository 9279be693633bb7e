"""People and agents that called lately: each user with the key and the tags of the calls, from the audit log."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.access.user_blocks import block_key
from groundwire.domain.limits import MAX_AUDIT_PAGE

if TYPE_CHECKING:
    from groundwire.domain.audit.selection import AuditSelection
    from groundwire.ports import AuditTrail, Clock
    from groundwire.services.documents.tags.calls import TagCallReader
    from groundwire.services.documents.tags.directory import TagDirectory
    from groundwire.services.documents.tags.view import TagView

_MOST_PAGES: Final = 10
_READING_SECONDS: Final = 2.0
"""Time after which no further page is read: in a stack one page may take most of what a call may."""
_Group = tuple[str, str, str]


class SeenCaller(NamedTuple):
    """Calls of one user with one key and one set of tags.

    Attributes:
        user: as in the latest of these calls; None: they had tags alone.
        tags: None: they could not be recognised.
        tags_hash: the same for calls with the same tags.
        last_call: epoch seconds.
    """

    user: str | None
    is_named_by_token: bool
    kid: str
    tags: frozenset[str] | None
    tags_hash: str
    calls: int
    last_call: float


class SeenCallers(NamedTuple):
    """Callers in a part of the log, the latest first.

    Attributes:
        next_after: position of the next part; None: there are no earlier lines.
    """

    callers: list[SeenCaller]
    next_after: str | None


class CallerReader:
    """Reader of the callers in lines of the audit log, part by part."""

    def __init__(
        self, trail: "AuditTrail", directory: "TagDirectory", tag_calls: "TagCallReader", clock: "Clock"
    ) -> None:
        self._trail = trail
        self._directory = directory
        self._tag_calls = tag_calls
        self._clock = clock

    def __call__(self, view: "TagView", selection: "AuditSelection", after: str | None) -> SeenCallers:
        """Return the callers of the lines before a position.

        Args:
            view: of the whole tenant.
            selection: conditions on lines.
            after: position; None: from the end of the log.

        Raises:
            InvalidInput: the position is one of another log.
        """
        started_at, groups = self._clock(), dict[_Group, SeenCaller]()
        for _ in range(_MOST_PAGES):
            page = self._trail.page(view.tenant, selection, after, MAX_AUDIT_PAGE)
            for record in page.lines:
                _count(groups, record)
            after = page.next_after
            if after is None or self._clock() > started_at + _READING_SECONDS:
                break
        if not groups:
            return SeenCallers([], after)
        hashes = {each.tags_hash for each in groups.values()}
        recognised = self._tag_calls.recognised(view.tenant, hashes, self._directory(view).uses)
        callers = [each._replace(tags=recognised.get(each.tags_hash)) for each in groups.values()]
        return SeenCallers(sorted(callers, key=lambda each: each.last_call, reverse=True), after)


def _count(groups: dict[_Group, SeenCaller], record: Mapping[str, object]) -> None:
    kid, tags_hash, time, user = (record.get(name) for name in ("kid", "tags_hash", "time", "user"))
    # A line without a hash is of no admitted call: of a refused one, or of a change by a command.
    if not (isinstance(kid, str) and isinstance(tags_hash, str) and isinstance(time, float | int)):
        return
    name = user if isinstance(user, str) else None
    group = ("" if name is None else block_key(name), kid, tags_hash)
    is_by_token = record.get("user_by") == "token"
    seen = groups.get(group) or SeenCaller(name, is_by_token, kid, None, tags_hash, 0, time)
    # Pages have the latest lines first.
    groups[group] = seen._replace(calls=seen.calls + 1, last_call=max(seen.last_call, time))
