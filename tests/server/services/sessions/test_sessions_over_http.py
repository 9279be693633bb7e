"""Sessions as clients meet them: from the request at the gateway to the rows in the registry."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire_mcp.definitions.sessions import EXPIRY_UPDATE_SECONDS, SESSION_SECONDS, UNUSED_SESSION_SECONDS
from tests.server.services.sessions.company import VERSION, Client, Clock, Company
from tests.server.services.sessions.statements import Statements

MODERN = "2026-07-28"


def stored(company: Company) -> int:
    with company.services.stores.database.read() as connection:
        return int(connection.execute("SELECT count(*) FROM sessions").fetchone()[0])


@pytest.fixture
def session(ann: Client) -> str:
    return ann.initialize().session


def test_initialize_with_a_key_begins_a_session_that_calls_continue_with(ann: Client, company: Company) -> None:
    hello = ann.initialize()
    assert (hello.status, hello.message["result"]["protocolVersion"]) == (200, VERSION)
    assert len(hello.session) == 43
    assert hello.session.isascii()
    assert stored(company) == 1
    assert ann.call("tools/list", session=hello.session).status == 200


def test_every_handshake_begins_a_session_of_its_own(ann: Client, company: Company) -> None:
    assert ann.initialize().session != ann.initialize().session
    assert stored(company) == 2


@pytest.mark.parametrize("stranger", ["another tenant", "another key", "another user", "no user"])
def test_a_session_of_somebody_else_is_unknown(ann: Client, company: Company, session: str, stranger: str) -> None:
    clients = {
        "another tenant": Client(company, company.key(company.blue), "ann"),
        "another key": Client(company, company.key(company.acme), "ann"),
        "another user": replace(ann, user="bob"),
        "no user": replace(ann, user=None),
    }
    unknown = ann.call("tools/list", session="A" * 43)
    foreign = clients[stranger].call("tools/list", session=session)
    assert (foreign.status, foreign.body) == (404, unknown.body)
    assert clients[stranger].leave(session).status == 404
    assert ann.call("tools/list", session=session).status == 200


def test_a_session_that_is_ended_is_unknown_from_then_on(ann: Client, company: Company, session: str) -> None:
    goodbye = ann.leave(session)
    assert (goodbye.status, goodbye.body) == (204, "")
    assert ann.call("tools/list", session=session).status == 404
    assert ann.leave(session).status == 404
    assert stored(company) == 0


def test_the_audit_log_states_which_calls_began_and_ended_a_session_and_never_its_id(
    ann: Client, company: Company
) -> None:
    session = ann.initialize().session
    ann.call("ping", session=session)
    ann.leave(session)

    reported = list(company.services.stores.audit.read(3))
    assert [line.get("session") for line in reported] == ["begun", None, "ended"]
    assert session not in str(reported)


@pytest.mark.parametrize(
    "made_up",
    ["nobody-has-begun-this", "A" * 43, "A" * 5_000, "spaces in it", "ü"],
    ids=["short", "well-formed", "long", "spaces", "no ASCII"],
)
def test_an_id_that_was_never_minted_is_unknown(ann: Client, made_up: str) -> None:
    assert ann.call("tools/list", session=made_up).status == 404


def test_without_an_id_calls_are_served_and_nothing_is_looked_up(ann: Client, statements: Statements) -> None:
    statements.taken()
    assert ann.call("tools/list").status == 200
    assert statements.taken() == []


def test_without_a_key_nothing_is_started(company: Company) -> None:
    hello = Client(company, None, "ann").initialize()
    assert hello.status == 401
    assert "mcp-session-id" not in hello.headers
    assert stored(company) == 0


def test_without_a_key_nothing_is_ended(ann: Client, session: str) -> None:
    assert replace(ann, key=None).leave(session).status == 401
    assert ann.call("tools/list", session=session).status == 200


def test_a_revoked_key_has_no_use_of_its_sessions(ann: Client, company: Company, session: str) -> None:
    (key,) = company.services.stores.keys.all(company.acme)
    company.services.administration.key_admin.revoke(company.acme, key.kid)
    assert ann.call("tools/list", session=session).status == 401


@pytest.mark.parametrize("method", ["tools/list", "ping"])
def test_a_call_in_a_session_costs_one_read_and_no_write(
    ann: Client, session: str, statements: Statements, method: str
) -> None:
    ann.call("ping", session=session)
    statements.taken()
    assert ann.call(method, session=session).status == 200
    assert statements.taken() == ["SELECT"]


def test_a_stateless_revision_ignores_the_id(ann: Client, statements: Statements) -> None:
    statements.taken()
    envelope = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "agent", "version": "1.0"},
    }
    headers = (("mcp-protocol-version", MODERN), ("mcp-method", "tools/list"))
    listed = ann.call("tools/list", {"_meta": envelope}, session="nobody-has-begun-this", headers=headers)
    assert listed.status == 200
    assert "mcp-session-id" not in listed.headers
    assert statements.taken() == []


def test_the_end_is_moved_once_an_hour_at_most(ann: Client, session: str, clock: Clock, statements: Statements) -> None:
    statements.taken()
    for _ in range(24):
        # Half an hour between two calls, a little more so that no instant is ambiguous.
        clock.now += EXPIRY_UPDATE_SECONDS / 2 + 1
        assert ann.call("ping", session=session).status == 200
    words = statements.taken()
    assert words.count("SELECT") == 24
    assert words.count("UPDATE") == len(words) - 24 == 12


def test_a_session_in_use_outlives_its_first_end_and_an_idle_one_does_not(
    ann: Client, session: str, clock: Clock
) -> None:
    idle = ann.initialize().session
    for each in (session, idle):
        assert ann.call("ping", session=each).status == 200
    clock.now += SESSION_SECONDS - 1
    assert ann.call("ping", session=session).status == 200
    clock.now += 1
    assert ann.call("ping", session=session).status == 200
    assert ann.call("ping", session=idle).status == 404


def test_a_session_without_a_request_ends_after_a_day_and_leaves_the_store(
    ann: Client, company: Company, session: str, clock: Clock
) -> None:
    clock.now += UNUSED_SESSION_SECONDS
    assert ann.call("ping", session=session).status == 404
    ann.initialize()
    assert stored(company) == 1


def test_a_log_level_is_kept_for_the_session(ann: Client, company: Company, session: str) -> None:
    assert ann.call("logging/setLevel", {"level": "warning"}, session=session).status == 200
    with company.services.stores.database.read() as connection:
        assert [row["log_level"] for row in connection.execute("SELECT log_level FROM sessions")] == ["warning"]


def test_expired_sessions_are_deleted_a_few_at_a_time_when_others_begin(
    ann: Client, company: Company, clock: Clock
) -> None:
    for _ in range(20):
        ann.initialize()
    clock.now += SESSION_SECONDS
    ann.initialize()
    assert stored(company) == 20 - 16 + 1
    ann.initialize()
    assert stored(company) == 2


def test_a_deleted_tenant_leaves_no_session(ann: Client, company: Company, session: str) -> None:
    blue = Client(company, company.key(company.blue), "ann")
    kept = blue.initialize().session
    assert company.services.administration.tenant_admin.delete(company.acme)["sessions"] == 1
    assert stored(company) == 1
    assert ann.call("ping", session=session).status == 401
    assert blue.call("ping", session=kept).status == 200


def test_a_handshake_that_meets_a_deletion_begins_no_session_and_the_next_call_is_refused(
    ann: Client, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    admit = company.services.stores.keys.admit

    def admit_and_delete(kid: str, digest: bytes, now: float) -> object:
        admission = admit(kid, digest, now)
        company.services.administration.tenant_admin.delete(company.acme)
        return admission

    with monkeypatch.context() as deleting:
        deleting.setattr(company.services.stores.keys, "admit", admit_and_delete)
        hello = ann.initialize()
    assert hello.status == 200
    assert ann.call("tools/list", session=hello.headers["mcp-session-id"]).status == 401


def test_while_the_store_does_not_answer_clients_are_given_a_retry_time(
    ann: Client, company: Company, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_arguments: object) -> None:
        raise errors.Unavailable("The table does not answer.", retry_after_s=7)

    for method in ("add", "get", "end"):
        monkeypatch.setattr(company.services.stores.sessions, method, unreachable)
    for response in (ann.initialize(), ann.call("tools/list", session=session), ann.leave(session)):
        assert (response.status, response.headers["retry-after"]) == (503, "7")
        assert "table" not in response.body
    assert ann.call("tools/list").status == 200
