"""A key has a number of sessions in a registry; a further one ends the one that was idle for longest."""

import pytest

from groundwire.adapters.aws.dynamodb.sessions import key_slots
from groundwire.adapters.local.registry.sessions import store as rows
from groundwire.ports.system import Sessions
from groundwire_mcp.definitions.sessions import SESSION_SECONDS, UNUSED_SESSION_SECONDS, SessionOwner
from tests.contract.sessions.records import ANN, NOW, SESSION


@pytest.fixture(autouse=True)
def three_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAX_KEY_SESSIONS", 3)
    monkeypatch.setattr(key_slots, "MAX_KEY_SESSIONS", 3)


def open_session(store: Sessions, owner: SessionOwner, name: str, now: float) -> None:
    store.add(SESSION._replace(id=name, owner=owner, created_at=now, expires_at=now + UNUSED_SESSION_SECONDS))


def living(store: Sessions, names: list[str], now: float) -> list[str]:
    return [name for name in names if store.get(ANN, name, now) is not None]


def test_a_further_session_of_a_key_ends_the_one_that_was_idle_for_longest(sessions: Sessions) -> None:
    store, other = sessions, ANN._replace(kid="other")
    open_session(store, other, "of another key", NOW)
    for number in range(3):
        open_session(store, ANN, f"s{number}", NOW + number)
    assert store.extend(ANN, "s0", NOW + 3, NOW + 3 + SESSION_SECONDS)
    open_session(store, ANN, "s3", NOW + 4)
    assert living(store, ["s0", "s1", "s2", "s3"], NOW + 4) == ["s0", "s2", "s3"]
    assert store.get(other, "of another key", NOW + 4) is not None


def test_a_key_whose_sessions_are_all_in_use_opens_new_ones(sessions: Sessions) -> None:
    store, names = sessions, [f"s{number}" for number in range(6)]
    for number, name in enumerate(names):
        opened_at = NOW + number
        open_session(store, ANN, name, opened_at)
        assert living(store, [name], opened_at) == [name]
        assert store.extend(ANN, name, opened_at, opened_at + SESSION_SECONDS)
    assert living(store, names, NOW + 6) == names[-3:]


def test_a_new_session_stays_where_the_clock_went_back(sessions: Sessions) -> None:
    store = sessions
    for number in range(3):
        open_session(store, ANN, f"s{number}", NOW + 60 + number)
    open_session(store, ANN, "new", NOW)
    assert living(store, ["s0", "s1", "s2", "new"], NOW) == ["s1", "s2", "new"]


def test_sessions_that_a_client_ended_leave_their_places_to_new_ones(sessions: Sessions) -> None:
    names = [f"s{number}" for number in range(9)]
    for name in names:
        open_session(sessions, ANN, name, NOW)
        assert sessions.end(ANN, name, NOW)
    for number in range(3):
        open_session(sessions, ANN, f"n{number}", NOW)
    assert living(sessions, ["n0", "n1", "n2"], NOW) == ["n0", "n1", "n2"]
    open_session(sessions, ANN, "n3", NOW)
    assert len(living(sessions, ["n0", "n1", "n2", "n3"], NOW)) == 3


def test_of_many_sessions_that_nobody_used_the_last_ones_live(sessions: Sessions) -> None:
    names = [f"s{number}" for number in range(40)]
    for number, name in enumerate(names):
        open_session(sessions, ANN, name, NOW + number)
    assert living(sessions, names, NOW + 40) == names[-3:]
