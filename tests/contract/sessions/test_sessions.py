from collections.abc import Callable

import pytest

from groundwire.domain import errors
from groundwire.ports.system import Sessions
from groundwire_mcp.definitions.sessions import SESSION_SECONDS, UNUSED_SESSION_SECONDS, Session, SessionOwner
from tests.contract.sessions.backends import Opened
from tests.contract.sessions.records import ANN, END, NOW, SESSION, STRANGERS

Write = Callable[[Sessions, SessionOwner, float], bool]
WRITES: dict[str, Write] = {
    "extend": lambda sessions, owner, now: sessions.extend(owner, SESSION.id, now, now + 5_000_000),
    "set_log_level": lambda sessions, owner, now: sessions.set_log_level(owner, SESSION.id, now, "debug"),
    "end": lambda sessions, owner, now: sessions.end(owner, SESSION.id, now),
}
each_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
each_stranger = pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)


@pytest.mark.parametrize(
    "session",
    [
        SESSION,
        SESSION._replace(log_level=None),
        SESSION._replace(owner=ANN._replace(user=None)),
        SESSION._replace(client_name="", client_version="", created_at=NOW, expires_at=END + 1 / 3),
    ],
    ids=["every field", "no log level", "no user", "odd values"],
)
def test_a_session_is_got_as_it_was_started(sessions: Sessions, session: Session) -> None:
    sessions.add(session)
    assert sessions.get(session.owner, session.id, NOW) == session


def test_a_session_that_was_never_started_is_unknown_to_every_method(sessions: Sessions) -> None:
    assert sessions.get(ANN, SESSION.id, NOW) is None
    assert not any(write(sessions, ANN, NOW) for write in WRITES.values())
    assert sessions.get(ANN, SESSION.id, NOW) is None


@each_stranger
def test_a_session_of_another_owner_is_unknown(sessions: Sessions, stranger: SessionOwner) -> None:
    sessions.add(SESSION)
    assert sessions.get(stranger, SESSION.id, NOW) is None


@each_stranger
@each_write
def test_nobody_but_the_owner_changes_a_session(sessions: Sessions, write: Write, stranger: SessionOwner) -> None:
    sessions.add(SESSION)
    assert not write(sessions, stranger, NOW)
    assert sessions.get(ANN, SESSION.id, NOW) == SESSION


def test_a_session_of_nobody_is_unknown_to_a_user_of_the_same_key(sessions: Sessions) -> None:
    nobodys = SESSION._replace(owner=ANN._replace(user=None))
    sessions.add(nobodys)
    assert sessions.get(ANN, SESSION.id, NOW) is None
    assert not any(write(sessions, ANN, NOW) for write in WRITES.values())
    assert sessions.get(nobodys.owner, SESSION.id, NOW) == nobodys


def test_a_session_lives_until_its_end_and_not_at_it(sessions: Sessions) -> None:
    sessions.add(SESSION)
    assert sessions.get(ANN, SESSION.id, END - 0.001) == SESSION
    assert sessions.get(ANN, SESSION.id, END) is None


@each_write
def test_a_session_that_has_expired_is_not_restored(sessions: Sessions, write: Write) -> None:
    sessions.add(SESSION)
    assert not write(sessions, ANN, END)
    assert sessions.get(ANN, SESSION.id, END) is None


@each_write
def test_a_session_that_was_ended_is_not_restored(sessions: Sessions, write: Write) -> None:
    sessions.add(SESSION)
    assert sessions.end(ANN, SESSION.id, NOW)
    assert not write(sessions, ANN, NOW)
    assert sessions.get(ANN, SESSION.id, NOW) is None


def test_an_unused_session_ends_after_a_day_and_a_used_one_after_thirty(sessions: Sessions) -> None:
    unused, slid = (
        SESSION._replace(id=letter * 43, created_at=NOW, expires_at=NOW + UNUSED_SESSION_SECONDS) for letter in "ab"
    )
    for session in (unused, slid):
        sessions.add(session)
    assert sessions.extend(ANN, slid.id, NOW + UNUSED_SESSION_SECONDS - 1, NOW + SESSION_SECONDS)
    assert sessions.get(ANN, unused.id, NOW + UNUSED_SESSION_SECONDS) is None
    assert not sessions.extend(ANN, unused.id, NOW + UNUSED_SESSION_SECONDS, NOW + SESSION_SECONDS)
    assert sessions.get(ANN, slid.id, NOW + SESSION_SECONDS - 1) is not None


def test_a_slide_moves_the_end_and_nothing_else(sessions: Sessions) -> None:
    sessions.add(SESSION)
    assert sessions.extend(ANN, SESSION.id, NOW, END + 3_600.75)
    assert sessions.get(ANN, SESSION.id, END + 1) == SESSION._replace(expires_at=END + 3_600.75)


def test_a_log_level_is_kept_and_nothing_else_changes(sessions: Sessions) -> None:
    sessions.add(SESSION._replace(log_level=None))
    assert sessions.set_log_level(ANN, SESSION.id, NOW, "debug")
    assert sessions.get(ANN, SESSION.id, NOW) == SESSION._replace(log_level="debug")


def test_an_id_that_is_taken_stays_the_first_ones(sessions: Sessions) -> None:
    sessions.add(SESSION)
    with pytest.raises(errors.Conflict):
        sessions.add(SESSION._replace(client_name="second", owner=STRANGERS["another key"]))
    assert sessions.get(ANN, SESSION.id, NOW) == SESSION
    assert sessions.get(STRANGERS["another key"], SESSION.id, NOW) is None


def test_two_tenants_never_meet_even_under_one_id(sessions: Sessions) -> None:
    blue = SESSION._replace(owner=STRANGERS["another tenant"], client_name="blue")
    sessions.add(SESSION)
    sessions.add(blue)
    assert sessions.end(ANN, SESSION.id, NOW)
    assert sessions.get(blue.owner, SESSION.id, NOW) == blue


def test_an_owner_has_any_number_of_sessions_and_ends_one(sessions: Sessions) -> None:
    started = [SESSION._replace(id=f"{SESSION.id[:-1]}{number}") for number in range(3)]
    for session in started:
        sessions.add(session)
    assert sessions.end(ANN, started[1].id, NOW)
    assert [sessions.get(ANN, session.id, NOW) for session in started] == [started[0], None, started[2]]


def test_who_reads_the_store_finds_no_id(opened: Opened) -> None:
    opened.sessions.add(SESSION)
    held = opened.held()
    assert SESSION.client_version.encode() in held
    assert SESSION.id.encode() not in held


@pytest.mark.parametrize(
    "hostile",
    ["", "'; DROP TABLE sessions --", "\ud800", "\x00", "a" * 100_000],
    ids=["empty", "SQL", "half a pair", "zero", "long"],
)
def test_an_id_that_nobody_minted_is_unknown_whatever_it_holds(sessions: Sessions, hostile: str) -> None:
    sessions.add(SESSION)
    assert sessions.get(ANN, hostile, NOW) is None
    assert not sessions.end(ANN, hostile, NOW)
    assert sessions.get(ANN, SESSION.id, NOW) == SESSION
