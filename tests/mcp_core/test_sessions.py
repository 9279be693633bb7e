"""Sessions start with a handshake; a client may send their id, no call requires it, and it proves no identity."""

from collections.abc import Iterator

import pytest

from groundwire_mcp.definitions.sessions import (
    EXPIRY_UPDATE_SECONDS,
    SESSION_SECONDS,
    UNUSED_SESSION_SECONDS,
    Session,
    SessionOwner,
    SessionsUnavailable,
)
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.limits import MAX_CLIENT_NAME_CHARACTERS
from groundwire_mcp.transport.exchanges import McpResponse
from tests.mcp_core.definitions import ADA, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    CLOCK,
    EVERYTHING,
    HANDSHAKE,
    JSON_HEADERS,
    LEGACY,
    MODERN,
    SESSIONS,
    VERSIONS,
    ask,
    body_of,
    headers,
    message,
    result,
    send,
    status_and_code,
)

OTHERS = [
    Caller(owner=SessionOwner("t_2", "kid_1", "ada")),
    Caller(owner=SessionOwner("t_1", "kid_2", "ada")),
    Caller(owner=SessionOwner("t_1", "kid_1", "eve")),
    Caller(owner=SessionOwner("t_1", "kid_1", None)),
]
MALFORMED = ["", " ", "with space", "tab\tbed", "é", "x" * 257, "\x7f", "nul\x00"]


@pytest.fixture(autouse=True)
def _empty_store() -> Iterator[None]:
    SESSIONS.kept.clear()
    SESSIONS.requested.clear()
    before = CLOCK.now
    yield
    SESSIONS.out_of_range = frozenset()
    CLOCK.now = before


def begin(version: str = "2025-06-18", client: object = None) -> str:
    answer = ask(None, "initialize", {"protocolVersion": version, "clientInfo": client})
    assert answer.session_event == "begun"
    SESSIONS.requested.clear()
    return answer.response.headers["mcp-session-id"]


def used(version: str = "2025-06-18") -> str:
    """A session in which a first request was made."""
    session = begin(version)
    assert within(session).response.status == 200
    SESSIONS.requested.clear()
    return session


def within(
    session: str, method: str = "ping", *, version: str | None = None, caller: Caller = EVERYTHING
) -> McpResponse:
    return ask(version, method, caller=caller, more_headers={"mcp-session-id": session})


def delete(session: str | None, version: str | None = None, caller: Caller = EVERYTHING) -> McpResponse:
    named = {} if session is None else {"mcp-session-id": session}
    return send(b"", {**headers(version, ""), **named}, caller, "DELETE")


def kept(session: str) -> Session:
    return SESSIONS.kept[ADA, session]


@promise("H12")
@pytest.mark.parametrize("version", HANDSHAKE)
def test_initialize_begins_a_session_and_keeps_what_was_agreed_on(version: str) -> None:
    session = begin(version, {"name": "probe", "version": "7"})
    assert len(session) == 43
    assert kept(session) == Session(
        session, ADA, version, "probe", "7", None, CLOCK.now, expires_at=CLOCK.now + UNUSED_SESSION_SECONDS
    )
    assert within(session).response.status == 200


@promise("H12")
def test_the_client_info_is_bounded_and_may_be_anything() -> None:
    long = kept(begin(client={"name": "n" * 999, "version": "v" * 999}))
    assert (len(long.client_name), len(long.client_version)) == (MAX_CLIENT_NAME_CHARACTERS,) * 2
    for client in (None, [], "x", 7, {}, {"name": 7, "version": None}):
        session = kept(begin(client=client))
        assert (session.client_name, session.client_version) == ("", "")


@promise("H12")
def test_each_handshake_has_an_id_of_its_own_even_within_a_session() -> None:
    first = begin()
    again = ask(None, "initialize", {}, more_headers={"mcp-session-id": first})
    assert again.response.headers["mcp-session-id"] not in {first, ""}
    assert ask(None, "initialize", {}, more_headers={"mcp-session-id": "made-up"}).response.status == 200


@promise("H12")
@pytest.mark.parametrize("method", ["ping", "tools/list", "tools/call", "made/up"])
def test_a_call_in_a_session_costs_one_read_and_no_write(method: str) -> None:
    within(used(), method)
    assert SESSIONS.requested == ["get"]


@promise("H12", "D2")
@pytest.mark.parametrize("version", LEGACY)
def test_a_call_without_an_id_is_served_and_looks_nothing_up(version: str | None) -> None:
    answer = ask(version, "tools/call", {"name": "find"})
    assert (answer.response.status, answer.session_event) == (200, None)
    assert "mcp-session-id" not in answer.response.headers
    assert SESSIONS.requested == []


@promise("H12")
@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize("method", ["ping", "tools/call", "made/up"])
def test_an_unknown_id_is_404_with_the_id_of_the_request(version: str | None, method: str) -> None:
    answer = within("made-up", method, version=version)
    assert status_and_code(answer) == (404, -32600)
    assert (body_of(answer)["id"], answer.result_code) == (1, ResultCode.UNKNOWN_SESSION)


@promise("H12")
@pytest.mark.parametrize("caller", OTHERS)
def test_a_session_is_unknown_to_every_other_key_user_and_tenant(caller: Caller) -> None:
    session = begin()
    assert within(session, caller=caller).response == within("made-up", caller=caller).response
    assert delete(session, caller=caller).response == delete("made-up", caller=caller).response
    assert within(session).response.status == 200


@promise("H12")
@pytest.mark.parametrize("session", MALFORMED)
def test_a_malformed_id_is_404_without_a_look_into_the_store(session: str) -> None:
    assert status_and_code(within(session)) == (404, -32600)
    assert status_and_code(delete(session)) == (404, -32600)
    assert SESSIONS.requested == []


@promise("H12")
@pytest.mark.parametrize("body", [{"method": "notifications/initialized"}, {"id": 1, "result": {}}])
def test_messages_without_an_answer_belong_to_a_session_as_well(body: dict[str, object]) -> None:
    sent = {"jsonrpc": "2.0", **body}
    assert send(sent, {**JSON_HEADERS, "mcp-session-id": begin()}).response.status == 202
    assert send(sent, {**JSON_HEADERS, "mcp-session-id": "made-up"}).response.status == 404


@promise("H12", "H18")
def test_a_session_speaks_the_version_it_began_with_unless_a_header_states_another() -> None:
    session = begin("2024-11-05")
    call = {"name": "find", "arguments": {"blocks": True}}
    for version, blocks in ((None, 3), ("2025-03-26", 4), ("2025-11-25", 4)):
        answer = ask(version, "tools/call", call, more_headers={"mcp-session-id": session})
        assert len(body_of(answer)["result"]["content"]) == blocks
    without = ask(None, "tools/call", call)
    assert len(body_of(without)["result"]["content"]) == 4


@promise("H12", "H21")
def test_a_batch_is_read_in_its_session_once() -> None:
    batch = [message(None, "ping"), message(None, "tools/list", identifier=2)]
    sent = {**JSON_HEADERS, "mcp-session-id": used("2025-03-26")}
    assert len(body_of(send(batch, sent))) == 2
    assert SESSIONS.requested == ["get"]
    assert status_and_code(send(batch, {**sent, "mcp-session-id": "made-up"})) == (404, -32600)
    newer = {**sent, "mcp-session-id": begin("2025-06-18")}
    assert status_and_code(send(batch, newer)) == (400, -32600)


@promise("H12")
def test_a_session_without_a_request_after_the_handshake_ends_after_a_day() -> None:
    session = begin()
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert send(initialized, {**JSON_HEADERS, "mcp-session-id": session}).response.status == 202
    CLOCK.now += UNUSED_SESSION_SECONDS - 1
    assert SESSIONS.get(ADA, session, CLOCK.now) is not None
    CLOCK.now += 1
    assert status_and_code(within(session)) == (404, -32600)


@promise("H12")
def test_the_first_request_gives_a_session_its_long_life_and_the_next_one_writes_nothing() -> None:
    session = begin()
    CLOCK.now += UNUSED_SESSION_SECONDS - 1
    within(session)
    within(session)
    assert SESSIONS.requested == ["get", "extend", "get"]
    assert kept(session).expires_at == CLOCK.now + SESSION_SECONDS


@promise("H12")
def test_a_stored_session_of_thirty_days_that_was_never_used_lives_on() -> None:
    session = begin()
    SESSIONS.kept[ADA, session] = kept(session)._replace(expires_at=CLOCK.now + SESSION_SECONDS)
    CLOCK.now += SESSION_SECONDS - 1
    assert within(session).response.status == 200


@promise("H12")
def test_the_end_of_a_session_moves_at_most_once_an_hour() -> None:
    session = used()
    CLOCK.now += EXPIRY_UPDATE_SECONDS
    within(session)
    assert SESSIONS.requested == ["get"]
    CLOCK.now += 1
    within(session)
    within(session)
    assert SESSIONS.requested == ["get", "get", "extend", "get"]
    assert kept(session).expires_at == CLOCK.now + SESSION_SECONDS


@promise("H12")
def test_an_expired_session_is_404_and_stays_it() -> None:
    session = used()
    CLOCK.now += SESSION_SECONDS
    assert status_and_code(within(session)) == (404, -32600)
    assert delete(session).response.status == 404


@promise("H10", "H12")
@pytest.mark.parametrize("version", LEGACY)
def test_delete_ends_a_session_once(version: str | None) -> None:
    session = begin()
    ended = delete(session, version)
    assert (ended.response.status, ended.response.body) == (204, b"")
    assert (ended.session_event, ended.result_code) == ("ended", ResultCode.SESSION_ENDED)
    assert delete(session, version).response.status == 404
    assert within(session, version=version).response.status == 404


@promise("H10")
def test_delete_without_an_id_is_405() -> None:
    answer = delete(None)
    assert (answer.response.status, answer.response.headers["allow"]) == (405, "POST")


@promise("H2", "H10")
def test_a_foreign_page_ends_no_session() -> None:
    session = begin()
    answer = send(b"", {"origin": "https://evil.example.com", "mcp-session-id": session}, method="DELETE")
    assert answer.response.status == 403
    assert within(session).response.status == 200


@promise("H11", "H10")
def test_the_stateless_revision_has_no_sessions() -> None:
    session = begin()
    for method in ("server/discover", "tools/list"):
        answer = ask(MODERN, method, more_headers={"mcp-session-id": "made-up", "last-event-id": "9"})
        assert answer.response.status == 200
        assert "mcp-session-id" not in answer.response.headers
    assert delete(session, MODERN).response.status == 405
    assert delete(session, "1999-01-01").response.status == 405
    batch = send([message(None, "ping")], {**headers(MODERN, ""), "mcp-session-id": "made-up"})
    assert status_and_code(batch) == (400, -32600)
    assert SESSIONS.requested == []


@promise("H12")
def test_an_unavailable_store_is_503_only_for_requests_that_need_it() -> None:
    session = begin()
    SESSIONS.out_of_range = frozenset({"add", "get", "set_log_level", "end", "extend"})
    for answer in (within(session), delete(session), ask(None, "initialize", {})):
        assert status_and_code(answer) == (503, -32000)
        assert answer.response.headers["retry-after"] == "7"
        assert body_of(answer)["error"]["data"] == {"retryable": True, "retry_after_s": 7}
        assert answer.result_code == ResultCode.UNAVAILABLE
    for version in VERSIONS:
        assert ask(version, "tools/call", {"name": "find"}).response.status == 200


@promise("H12")
def test_a_session_whose_end_cannot_be_moved_just_now_continues() -> None:
    session = used()
    SESSIONS.out_of_range = frozenset({"extend"})
    CLOCK.now += EXPIRY_UPDATE_SECONDS + 1
    assert within(session).response.status == 200
    assert SESSIONS.requested == ["get", "extend"]


@promise("H12")
@pytest.mark.parametrize("step", ["extend", "set_log_level"])
def test_a_session_that_ends_during_a_call_is_404_for_it(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = used()
    read = SESSIONS.get

    def read_and_discard(owner: SessionOwner, session_id: str, now: float) -> Session | None:
        found = read(owner, session_id, now)
        SESSIONS.kept.clear()
        return found

    monkeypatch.setattr(SESSIONS, "get", read_and_discard)
    CLOCK.now += EXPIRY_UPDATE_SECONDS + 1 if step == "extend" else 0
    answer = ask(None, "logging/setLevel", {"level": "debug"}, more_headers={"mcp-session-id": session})
    assert status_and_code(answer) == (404, -32600)
    assert SESSIONS.requested == ["get", step]


@promise("H12")
def test_an_id_that_was_written_twice_after_a_lost_answer_is_worth_a_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SESSIONS, "add", _taken)
    assert status_and_code(ask(None, "initialize", {})) == (503, -32000)


@promise("D1", "J6")
def test_a_level_is_kept_with_the_session() -> None:
    session = {"mcp-session-id": begin()}
    assert body_of(ask(None, "logging/setLevel", {"level": "error"}, more_headers=session))["result"] == {}
    answer = ask(None, "tools/call", {"name": "find", "arguments": {"log": ["warning"]}}, more_headers=session)
    assert answer.response.headers["content-type"] == "application/json"
    assert result(None, "logging/setLevel", {"level": "error"}) == {}


def _taken(_session: Session) -> None:
    raise SessionsUnavailable("taken")
