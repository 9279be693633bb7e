"""Sessions in memory, and a clock that moves only when a test sets it."""

from groundwire_mcp.definitions.sessions import Session, SessionOwner, SessionsUnavailable


class Clock:
    """Clock in epoch seconds, which a test sets."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class MemorySessions:
    """Implementation of `SessionStore` in memory, which records its calls and can be made unavailable."""

    def __init__(self) -> None:
        self.kept: dict[tuple[SessionOwner, str], Session] = {}
        self.requested: list[str] = []
        self.out_of_range: frozenset[str] = frozenset()

    def add(self, session: Session) -> None:
        self._note("add")
        self.kept[session.owner, session.id] = session

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        self._note("get")
        return self._living(owner, session_id, now)

    def extend(self, owner: SessionOwner, session_id: str, now: float, expires_at: float) -> bool:
        self._note("extend")
        session = self._living(owner, session_id, now)
        if session is not None:
            self.kept[owner, session_id] = session._replace(expires_at=expires_at)
        return session is not None

    def set_log_level(self, owner: SessionOwner, session_id: str, now: float, level: str) -> bool:
        self._note("set_log_level")
        session = self._living(owner, session_id, now)
        if session is not None:
            self.kept[owner, session_id] = session._replace(log_level=level)
        return session is not None

    def end(self, owner: SessionOwner, session_id: str, now: float) -> bool:
        self._note("end")
        session = self._living(owner, session_id, now)
        self.kept.pop((owner, session_id), None)
        return session is not None

    def _living(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        session = self.kept.get((owner, session_id))
        return None if session is None or session.expires_at <= now else session

    def _note(self, what: str) -> None:
        self.requested.append(what)
        if what in self.out_of_range:
            raise SessionsUnavailable("the store does not answer", 7)
