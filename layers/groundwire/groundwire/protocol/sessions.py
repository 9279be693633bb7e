"""Sessions of the handshake revisions: begun by `initialize`, looked up where an id is sent, never asked for.

A session proves nothing: each call is authorised by its key, and a session that is another owner's is unknown.
"""

from typing import TYPE_CHECKING, Final, Generic

from groundwire.domain.errors import Conflict, Unavailable
from groundwire.domain.limits import MAX_CLIENT_NAME_CHARACTERS, MAX_SESSION_ID_CHARACTERS
from groundwire.protocol.asked import Visit
from groundwire.protocol.json_edge import Json, JsonObject
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.tools import CallerT
from groundwire.protocol.versions import SESSION_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.domain.sessions import Session
    from groundwire.protocol.offer import Rules
    from groundwire.protocol.turn import LogLevel

_RETRY_S: Final = 5


class SessionRules(Generic[CallerT]):
    """What is done with sessions, over the store that keeps them."""

    def __init__(self, rules: "Rules[CallerT]") -> None:
        self._rules = rules

    def begin(self, caller: CallerT, params: JsonObject, version: str) -> str:
        """The id of a new session; Raises Refusal."""
        from groundwire.domain.sessions import UNUSED_SESSION_SECONDS, Session

        now = self._rules.clock()
        client = params.get("clientInfo")
        session = Session(
            id=self._rules.new_session_id(),
            owner=self._rules.owner(caller),
            protocol_version=version,
            client_name=_told(client, "name"),
            client_version=_told(client, "version"),
            log_level=None,
            created_at=now,
            expires_at=now + UNUSED_SESSION_SECONDS,
        )
        try:
            self._rules.sessions.begin(session)
        except (Unavailable, Conflict) as problem:
            # Nobody else's id: a store that writes again after a lost answer finds what it wrote itself.
            raise _unavailable(problem) from problem
        return session.id

    def resume(self, visit: Visit[CallerT]) -> "Session | None":
        """The session that the request was sent in, its end moved; None when it names none; Raises Refusal."""
        session = self.find(visit)
        if session is not None and visit.session is None and not self._slid(session, self._rules.clock()):
            raise _unknown()
        return session

    def find(self, visit: Visit[CallerT]) -> "Session | None":
        """Return the session that the message was sent in, as it is; None when it names none; Raises Refusal."""
        if visit.session is not None:
            return visit.session
        session_id = _sent_id(visit.headers)
        if session_id is None:
            return None
        now = self._rules.clock()
        try:
            session = self._rules.sessions.get(self._rules.owner(visit.caller), session_id, now)
        except Unavailable as problem:
            raise _unavailable(problem) from problem
        if session is None:
            raise _unknown()
        return session

    def keep_level(self, session: "Session", level: "LogLevel") -> None:
        """The session's client is told no less from now on; Raises Refusal."""
        try:
            kept = self._rules.sessions.set_log_level(session.owner, session.id, self._rules.clock(), level)
        except Unavailable as problem:
            raise _unavailable(problem) from problem
        if not kept:
            raise _unknown()

    def end(self, headers: "Mapping[str, str]", caller: CallerT) -> bool:
        """Whether the request named a session, which is over now; Raises Refusal."""
        session_id = _sent_id(headers)
        if session_id is None:
            return False
        try:
            ended = self._rules.sessions.end(self._rules.owner(caller), session_id, self._rules.clock())
        except Unavailable as problem:
            raise _unavailable(problem) from problem
        if not ended:
            raise _unknown()
        return True

    def _slid(self, session: "Session", now: float) -> bool:
        """Whether the session lives on."""
        from groundwire.domain.sessions import SESSION_SECONDS, SLIDE_SECONDS

        if now <= session.expires_at - SESSION_SECONDS + SLIDE_SECONDS:
            return True
        try:
            return self._rules.sessions.slide(session.owner, session.id, now, now + SESSION_SECONDS)
        except Unavailable:
            # It has been read, and lives long enough for a later call to move its end.
            return True


def _sent_id(headers: "Mapping[str, str]") -> str | None:
    """The id in the header; None without a header; Raises Refusal for one that cannot be ours, unread."""
    session_id = headers.get(SESSION_HEADER)
    if session_id is None:
        return None
    is_visible = session_id.isascii() and session_id.isprintable() and " " not in session_id
    if not is_visible or not 0 < len(session_id) <= MAX_SESSION_ID_CHARACTERS:
        raise _unknown()
    return session_id


def _told(client: Json, name: str) -> str:
    value = client.get(name) if isinstance(client, dict) else None
    return value[:MAX_CLIENT_NAME_CHARACTERS] if isinstance(value, str) else ""


def _unknown() -> Refusal:
    return Refusal(Outcome.UNKNOWN_SESSION, "Session not found: it has ended or expired; send initialize again.")


def _unavailable(problem: Unavailable | Conflict) -> Refusal:
    seconds = problem.retry_after_s if isinstance(problem, Unavailable) else _RETRY_S
    return Refusal(
        Outcome.UNAVAILABLE,
        "Sessions cannot be reached just now; try again after the stated seconds.",
        data={"retryable": True, "retry_after_s": seconds},
        headers={"retry-after": str(seconds)},
    )
