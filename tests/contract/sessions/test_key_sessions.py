"""A key has a number of sessions in a registry; a further one ends the one that was idle for longest."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.adapters.local.registry import sessions
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.sessions import SqliteSessions
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire_mcp.definitions.sessions import SESSION_SECONDS, UNUSED_SESSION_SECONDS, SessionOwner
from tests.contract.sessions.records import ANN, NOW, SESSION
from tests.support.registry.records import tenant


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(sessions, "MAX_KEY_SESSIONS", 3)
    database = Database(tmp_path / "home")
    SqliteTenants(database).add(tenant(ANN.tenant))
    yield database
    database.close()


def open_session(store: SqliteSessions, owner: SessionOwner, name: str, now: float) -> None:
    store.add(SESSION._replace(id=name, owner=owner, created_at=now, expires_at=now + UNUSED_SESSION_SECONDS))


def living(store: SqliteSessions, names: list[str], now: float) -> list[str]:
    return [name for name in names if store.get(ANN, name, now) is not None]


def test_a_further_session_of_a_key_ends_the_one_that_was_idle_for_longest(database: Database) -> None:
    store, other = SqliteSessions(database), ANN._replace(kid="other")
    open_session(store, other, "of another key", NOW)
    for number in range(3):
        open_session(store, ANN, f"s{number}", NOW + number)
    assert store.extend(ANN, "s0", NOW + 3, NOW + 3 + SESSION_SECONDS)
    open_session(store, ANN, "s3", NOW + 4)
    assert living(store, ["s0", "s1", "s2", "s3"], NOW + 4) == ["s0", "s2", "s3"]
    assert store.get(other, "of another key", NOW + 4) is not None


def test_a_key_whose_sessions_are_all_in_use_opens_new_ones(database: Database) -> None:
    store, names = SqliteSessions(database), [f"s{number}" for number in range(6)]
    for number, name in enumerate(names):
        opened_at = NOW + number
        open_session(store, ANN, name, opened_at)
        assert living(store, [name], opened_at) == [name]
        assert store.extend(ANN, name, opened_at, opened_at + SESSION_SECONDS)
    assert living(store, names, NOW + 6) == names[-3:]


def test_a_new_session_stays_where_the_clock_went_back(database: Database) -> None:
    store = SqliteSessions(database)
    for number in range(3):
        open_session(store, ANN, f"s{number}", NOW + 60 + number)
    open_session(store, ANN, "new", NOW)
    assert living(store, ["s0", "s1", "s2", "new"], NOW) == ["s1", "s2", "new"]
