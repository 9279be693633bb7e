"""Registry in SQLite: failures that only the file store can have."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.adapters.local.registry.keys import SqliteKeys
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.domain import errors
from tests.server.adapters.registry.creators import create_tenant
from tests.support.registry.backends import LocalPlace, Place, opened
from tests.support.registry.races import race_processes
from tests.support.registry.records import CURRENT, DOCUMENT, NOW, PERSONAL_KEY, tenant


@contextmanager
def database(home: Path) -> Generator[Database]:
    opened_database = Database(home)
    yield opened_database
    opened_database.close()


@contextmanager
def unprivileged() -> Generator[None]:
    """Root may write everywhere, so a test that runs as root steps down meanwhile."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_was_written_is_there_for_the_next_process(tmp_path: Path) -> None:
    place = LocalPlace(tmp_path)
    with opened(place) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.documents.write("t-acme", DOCUMENT, expected=None)
    with opened(place) as stores:
        assert stores.documents.read("t-acme", ["d-1"]) == {"d-1": DOCUMENT}


def test_only_the_owner_can_reach_the_registry(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with database(home) as registry:
        SqliteTenants(registry).add(tenant("t-acme"))
        made = [home, *home.iterdir()]
        assert {path.name for path in made} >= {"registry.db", "registry.db-wal"}
        assert [path.stat().st_mode & 0o077 for path in made] == [0] * len(made)


def test_processes_that_create_the_registry_at_once_share_one(tmp_path: Path) -> None:
    place: Place = LocalPlace(tmp_path / "home")
    assert sorted(race_processes(4, create_tenant, place)) == [0, 1, 2, 3]
    with opened(place) as stores:
        assert [each.tenant for each in stores.tenants.all()] == [f"t-{number}" for number in range(4)]
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["registry.db"]


def test_a_transaction_that_a_kill_interrupts_is_undone_whole(tmp_path: Path) -> None:
    place = LocalPlace(tmp_path)
    with opened(place) as stores:
        stores.tenants.add(tenant("t-acme"))
    killed = (
        "import os, sys; from pathlib import Path\n"
        "from groundwire.adapters.local.registry.database import Database\n"
        "with Database(Path(sys.argv[1])).write() as connection:\n"
        "    connection.execute('DELETE FROM tenants')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", killed, str(tmp_path)], check=False).returncode == -9
    with opened(place) as stores:
        assert stores.tenants.get("t-acme") == tenant("t-acme")


@pytest.mark.parametrize("what", ["connections", "writes"])
def test_a_forked_child_and_its_parent_both_continue_with_connections_of_their_own(tmp_path: Path, what: str) -> None:
    # In a process of its own, as a fork beside other threads is undefined.
    assert (
        subprocess.run(
            [sys.executable, "-m", "tests.server.adapters.registry.forking", str(tmp_path), what], check=False
        ).returncode
        == 0
    )


def test_what_must_not_come_back_waits_for_the_disk_and_a_counted_call_does_not(tmp_path: Path) -> None:
    levels: dict[str, int] = {}
    with database(tmp_path) as registry:
        for name, transaction in (
            ("write", registry.write),
            ("count", registry.write_relaxed),
            ("again", registry.write),
        ):
            with transaction() as connection:
                levels[name] = connection.execute("PRAGMA synchronous").fetchone()[0]
    full, normal = 2, 1
    assert levels == {"write": full, "count": normal, "again": full}


def test_a_record_of_a_tenant_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with database(tmp_path) as registry:
        with pytest.raises(errors.NotFound, match="no such tenant"):
            SqliteKeys(registry).add(PERSONAL_KEY, CURRENT)
        with pytest.raises(errors.NotFound, match="no such tenant"):
            SqliteDocuments(registry).write("t-acme", DOCUMENT, expected=None)


def test_text_that_is_no_unicode_is_refused_and_the_next_write_works(tmp_path: Path) -> None:
    broken_name = os.fsdecode(b"caf\xe9.txt")
    with database(tmp_path) as registry:
        SqliteTenants(registry).add(tenant("t-acme"))
        documents = SqliteDocuments(registry)
        with pytest.raises(errors.InvalidInput, match="not valid Unicode"):
            documents.write("t-acme", replace(DOCUMENT, source_file_name=broken_name), expected=None)
        documents.write("t-acme", DOCUMENT, expected=None)


def test_a_registry_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with database(tmp_path) as registry, registry.write() as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(errors.Conflict, match=r"newer Groundwire \(schema 99.*upgrade"):
        Database(tmp_path)


@pytest.mark.parametrize("content", [b"", b"no database at all " * 300], ids=["empty", "foreign"])
def test_a_file_that_is_no_registry_is_named_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "registry.db"
    file.write_bytes(content)
    with pytest.raises(errors.Unavailable, match=r"registry\.db is damaged or no registry: .* backup"):
        Database(tmp_path)
    assert file.read_bytes() == content


def test_damage_inside_the_file_is_reported_when_it_is_met(tmp_path: Path) -> None:
    with database(tmp_path) as registry:
        SqliteTenants(registry).add(tenant("t-acme"))
        SqliteKeys(registry).add(PERSONAL_KEY, CURRENT)
        with registry.read() as connection:
            found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name IN ('keys', 'tenants')")
            pages = [int(row["rootpage"]) for row in found]
    with (tmp_path / "registry.db").open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * 4096)
            file.write(b"\xff" * 4096)
    with database(tmp_path) as registry:
        with pytest.raises(errors.Unavailable, match="is damaged"):
            SqliteKeys(registry).admit(PERSONAL_KEY.kid, CURRENT, NOW)
        with pytest.raises(errors.Unavailable, match="is damaged"):
            SqliteTenants(registry).all()
        assert registry.integrity_errors() != []


def test_a_full_disk_is_reported_and_destroys_no_data(tmp_path: Path) -> None:
    with database(tmp_path) as registry:
        SqliteTenants(registry).add(tenant("t-acme"))
        with registry.read() as connection:
            connection.execute("PRAGMA max_page_count = 1")
        big = replace(DOCUMENT, title="x" * 1_000_000)
        with pytest.raises(errors.Unavailable, match=f"disk that holds {tmp_path} is full: free some space"):
            SqliteDocuments(registry).write("t-acme", big, expected=None)
        assert SqliteDocuments(registry).all("t-acme", None) == []
        assert SqliteTenants(registry).get("t-acme") is not None
        with registry.read() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        SqliteDocuments(registry).write("t-acme", big, expected=None)


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB]
)
@pytest.mark.parametrize(("free", "is_full"), [(0, True), (1 << 30, False)])
def test_sqlites_other_errors_on_a_disk_without_space_are_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, free: int, *, is_full: bool
) -> None:
    def usage(_folder: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr("shutil.disk_usage", usage)
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = code
    with (
        database(tmp_path) as registry,
        pytest.raises(errors.Unavailable) as reported,
        registry.read(),
    ):
        raise failed
    assert (f"disk that holds {tmp_path} is full" in str(reported.value)) is is_full


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    home = tmp_path / "home"
    with unprivileged(), pytest.raises(errors.Unavailable, match=f"{home} cannot be read and written") as refused:
        Database(home)
    tmp_path.chmod(0o700)
    assert refused.value.remedy == "move_home"


def test_a_home_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(errors.Unavailable, match=str(tmp_path / "home")):
        Database(tmp_path / "home")


def test_a_registry_that_vanished_is_an_error_not_an_empty_one(tmp_path: Path) -> None:
    with database(tmp_path) as registry:
        registry.close()
        (tmp_path / "registry.db").unlink()
        with pytest.raises(errors.Unavailable, match=str(tmp_path)):
            SqliteTenants(registry).all()
    assert not (tmp_path / "registry.db").exists()


def test_a_writer_that_does_not_let_go_is_reported_as_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.adapters.local.registry.database._BUSY_SECONDS", 0.05)
    with database(tmp_path) as registry:
        other = sqlite3.connect(tmp_path / "registry.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.Unavailable, match="held by another process") as caught:
            SqliteTenants(registry).add(tenant("t-acme"))
        assert caught.value.retry_after_s == 1
        other.close()
        SqliteTenants(registry).add(tenant("t-acme"))


def _delete_until_interrupted(registry: Database) -> None:
    with registry.write() as connection:
        connection.execute("DELETE FROM tenants")
        raise KeyboardInterrupt


def test_an_error_inside_a_transaction_undoes_it_and_the_next_one_works(tmp_path: Path) -> None:
    with database(tmp_path) as registry:
        tenants = SqliteTenants(registry)
        tenants.add(tenant("t-acme"))
        with pytest.raises(KeyboardInterrupt):
            _delete_until_interrupted(registry)
        assert [each.tenant for each in tenants.all()] == ["t-acme"]
        tenants.delete("t-acme")
        assert tenants.all() == []


def test_a_deleted_tenant_is_in_no_file_of_the_registry_while_it_runs_on(tmp_path: Path) -> None:
    place = LocalPlace(tmp_path)
    with opened(place) as stores:
        for name in ("t-acme", "t-other"):
            stores.tenants.add(tenant(name))
        stores.keys.add(replace(PERSONAL_KEY, name="canary-label", user="canary-user"), CURRENT)
        for number in range(200):
            document = replace(DOCUMENT, doc_id=f"canary-{number}", source_file_name=f"canary-{number}.pdf")
            stores.documents.write("t-acme", document, expected=None)
        held = [path for path in tmp_path.rglob("registry.db*") if path.is_file()]
        assert any(b"canary" in path.read_bytes() for path in held)
        stores.tenants.delete("t-acme")
        assert [path for path in held if path.is_file() and b"canary" in path.read_bytes()] == []
        assert stores.tenants.get("t-other") is not None
