"""A thousand sessions of fifty callers at once."""

from groundwire.ports.system import Sessions
from groundwire_mcp.definitions.sessions import Session, SessionOwner
from tests.contract.sessions.records import ANN, END, NOW, numbered
from tests.support.registry.races import race

CALLERS, EACH = 50, 20
OWNERS = [ANN._replace(kid=f"caller{number:06}", user=f"user-{number % 7}") for number in range(CALLERS)]
SESSIONS = [
    numbered(number)._replace(owner=OWNERS[number // EACH], client_name=f"client {number}")
    for number in range(CALLERS * EACH)
]


def slid(session: Session) -> Session:
    return session._replace(expires_at=END + int(session.id))


def use(sessions: Sessions, session: Session, stranger: SessionOwner) -> list[str]:
    """Return the errors of a session's owner, and of another caller who knows the session id."""
    sessions.add(session)
    wrong: list[str] = []
    if sessions.get(stranger, session.id, NOW) is not None:
        wrong.append(f"{session.client_name} was seen by another")
    match int(session.id) % 4:
        case 0 if not sessions.end(session.owner, session.id, NOW):
            wrong.append(f"{session.client_name} was lost before its end")
        case 1 if not sessions.extend(session.owner, session.id, NOW, slid(session).expires_at):
            wrong.append(f"{session.client_name} was lost before it was slid")
        case 2 if sessions.end(stranger, session.id, NOW):
            wrong.append(f"{session.client_name} was ended by another")
        case _:
            pass
    return wrong


def expected(session: Session) -> Session | None:
    return {0: None, 1: slid(session)}.get(int(session.id) % 4, session)


def test_concurrent_sessions_are_neither_lost_nor_seen_by_others(shared: Sessions) -> None:
    def call(caller: int) -> list[str]:
        stranger = OWNERS[(caller + 7) % CALLERS]
        own = SESSIONS[caller * EACH : (caller + 1) * EACH]
        return [wrong for session in own for wrong in use(shared, session, stranger)]

    assert [wrong for errors in race(CALLERS, call) for wrong in errors] == []
    for session in SESSIONS:
        assert shared.get(session.owner, session.id, NOW) == expected(session)
