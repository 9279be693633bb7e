"""A key has a number of sessions in a registry; a further one ends the one that was idle for longest."""

from pathlib import Path

import pytest

from groundwire.adapters.local.registry import sessions
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.sessions import SqliteSessions
from groundwire.adapters.local.registry.tenants import SqliteTenants
from tests.contract.sessions.records import ANN, NOW, SESSION
from tests.support.registry.records import tenant


def test_a_further_session_of_a_key_ends_the_one_that_was_idle_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_KEY_SESSIONS", 3)
    database = Database(tmp_path / "home")
    SqliteTenants(database).add(tenant(ANN.tenant))
    store, other = SqliteSessions(database), ANN._replace(kid="other")
    store.add(SESSION._replace(id="of another key", owner=other, expires_at=NOW + 1))
    for number in range(3):
        store.add(SESSION._replace(id=f"s{number}", owner=ANN, created_at=NOW, expires_at=NOW + 10 + number))
    assert store.extend(ANN, "s0", NOW, NOW + 100)
    store.add(SESSION._replace(id="s3", owner=ANN, created_at=NOW, expires_at=NOW + 50))
    living = [name for name in ("s0", "s1", "s2", "s3") if store.get(ANN, name, NOW) is not None]
    assert living == ["s0", "s2", "s3"]
    assert store.get(other, "of another key", NOW) is not None
    database.close()
