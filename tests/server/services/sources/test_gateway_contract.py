"""Both gateways are one: calls from this process, and calls that leave from the function."""

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.aws.lambda_sources import LambdaSources
from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import LimitExceeded, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import SOURCE_BURST, SOURCE_FAILURES
from groundwire.domain.sources.pinned_tool import declaration_digest
from groundwire.domain.sources.state import SourceCaller
from groundwire.ports.deadline import time_limit
from groundwire.ports.sources import SignInRequired, SourceGateway, SourceToolChanged, SourceUnavailable
from groundwire.services.sources.guarded import GuardedSources
from groundwire.services.sources.states import SourceStates
from groundwire_egress.mcp_client.calls import (
    ApiKeyCredential,
    ClientCredential,
    ExchangeCredential,
    SourceCredential,
    SourceTarget,
    SourceToolCall,
)
from tests.server.services.sources.function import ARN, InProcessFunction
from tests.server.services.sources.scripted_client import ANSWER, DECLARATION, LISTING, ScriptedClient
from tests.support.registry.records import NOW, tenant

TARGET = SourceTarget("t-acme", "s1", "https://mcp.example.com/mcp", ApiKeyCredential("x-api-key", Secret("k1")))
CALL = SourceToolCall("search", {"query": "pump", "k": 3}, declaration_digest(DECLARATION), {"k": "x-k"})
CALLER = SourceCaller("k1", None, is_known=True)
OTHER = SourceCaller("k2", None, is_known=True)
CREDENTIALS: list[SourceCredential] = [
    None,
    ApiKeyCredential("x-api-key", Secret("k1")),
    ClientCredential("https://id.example.com/token", "client", Secret("s"), None),
    ClientCredential("https://id.example.com/token", "client", Secret("s"), "read"),
    ExchangeCredential("client", Secret("s"), None, "token_exchange", None),
    ExchangeCredential("client", Secret("s"), "read", "on_behalf_of", Secret("token of a user")),
]


@dataclass
class Calls:
    """A gateway, its server and its clock."""

    gateway: SourceGateway
    server: ScriptedClient
    states: SourceStates
    now: float = NOW


@pytest.fixture(params=["process", "function"])
def calls(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Calls]:
    database = Database(tmp_path / "home")
    SqliteTenants(database).add(tenant("t-acme"))
    server, numbers = ScriptedClient(), count()

    def clock() -> float:
        return made.now

    states = SourceStates(SqliteDefinitions(database), lambda: f"tag{next(numbers)}", clock)
    guarded = GuardedSources(server, states, clock)
    made = Calls(guarded, server, states)
    if request.param == "function":
        made.gateway = LambdaSources(InProcessFunction(guarded).client, ARN)
    yield made
    database.close()


def test_tools_are_listed_as_the_server_declares_them(calls: Calls) -> None:
    assert calls.gateway.inspect(TARGET) == LISTING
    assert calls.states.listing("t-acme", "s1") == {}


def test_a_tool_is_called_with_its_arguments_and_answers_as_the_server_does(calls: Calls) -> None:
    assert calls.gateway.call(TARGET, CALL, CALLER) == ANSWER
    target, call, protocol, _ = calls.server.calls[-1]
    assert (target, call, protocol) == (TARGET, CALL, LISTING.protocol)
    assert set(calls.states.listing("t-acme", "s1")) == {"search"}


@pytest.mark.parametrize("credential", CREDENTIALS)
def test_the_server_gets_exactly_the_credential_of_the_call(calls: Calls, credential: SourceCredential) -> None:
    calls.gateway.call(TARGET._replace(credential=credential), CALL, CALLER)
    assert [target.credential for target, _, _, _ in calls.server.calls] == [credential] * 2


@pytest.mark.parametrize("text", ["\ud800", "\x00", "ü日🙂", "\u2028", '"\\'])
def test_whatever_a_server_sends_arrives_as_it_was(calls: Calls, text: str) -> None:
    numbers: list[Any] = [2**70, -0.0, 1e308, float("inf"), True, None]
    content = [{"type": "text", "text": text, text: numbers}]
    calls.server.answer = replace(ANSWER, content=content, structured=None, is_error=True)
    calls.server.listing = replace(LISTING, declarations=[{**DECLARATION, "description": text}])
    digest = declaration_digest(calls.server.listing.declarations[0])
    assert calls.gateway.inspect(TARGET) == calls.server.listing
    assert calls.gateway.call(TARGET, CALL._replace(digest=digest), CALLER) == calls.server.answer


@pytest.mark.parametrize(
    "failure",
    [
        SourceUnavailable("The server does not answer.", 7),
        SignInRequired("Sign in first.", 3),
        Unavailable("The table does not answer.", 2),
    ],
)
def test_an_error_arrives_with_its_class_text_and_time(calls: Calls, failure: Unavailable) -> None:
    calls.server.failure = failure
    for attempt in (lambda: calls.gateway.inspect(TARGET), lambda: calls.gateway.call(TARGET, CALL, CALLER)):
        with pytest.raises(type(failure), match=str(failure)) as raised:
            attempt()
        assert type(raised.value) is type(failure)
        assert raised.value.retry_after_s == failure.retry_after_s


def test_a_tool_that_changed_is_not_called(calls: Calls) -> None:
    with pytest.raises(SourceToolChanged):
        calls.gateway.call(TARGET, CALL._replace(digest="0" * 64), CALLER)
    assert calls.server.tools_called() == []


def test_calls_beyond_the_rate_are_not_made_and_tell_when_to_repeat(calls: Calls) -> None:
    for number in range(SOURCE_BURST):
        calls.gateway.call(TARGET, CALL, CALLER if number % 2 else OTHER)
    with pytest.raises(LimitExceeded) as raised:
        calls.gateway.call(TARGET, CALL, CALLER)
    assert raised.value.retry_after_s >= 1
    assert len(calls.server.tools_called()) == SOURCE_BURST
    calls.now += raised.value.retry_after_s
    assert calls.gateway.call(TARGET, CALL, CALLER) == ANSWER


def test_a_server_that_does_not_answer_repeatedly_is_left_alone_for_a_while(calls: Calls) -> None:
    calls.server.failure = SourceUnavailable("The server does not answer.")
    for _ in range(SOURCE_FAILURES):
        with pytest.raises(SourceUnavailable):
            calls.gateway.call(TARGET, CALL, CALLER)
    made, calls.server.failure = len(calls.server.calls), None
    with pytest.raises(SourceUnavailable, match="repeatedly") as raised:
        calls.gateway.call(TARGET, CALL, CALLER)
    assert len(calls.server.calls) == made
    calls.now += raised.value.retry_after_s
    assert calls.gateway.call(TARGET, CALL, CALLER) == ANSWER


def fail(calls: Calls, caller: SourceCaller, times: int) -> None:
    """The server answers these calls with an error, and lists its tools all the same."""
    client = calls.server

    def during() -> None:
        if client.calls[-1][1] is not None:
            raise SourceUnavailable("The server does not answer.")

    client.during = during
    for _ in range(times):
        with pytest.raises(SourceUnavailable, match="does not answer"):
            calls.gateway.call(TARGET, CALL, caller)
    client.during = lambda: None


def test_calls_that_fail_for_one_caller_have_a_pause_for_that_caller_alone(calls: Calls) -> None:
    fail(calls, CALLER, SOURCE_FAILURES)
    with pytest.raises(SourceUnavailable, match="your calls") as raised:
        calls.gateway.call(TARGET, CALL, CALLER)
    made = len(calls.server.calls)
    assert calls.gateway.call(TARGET, CALL, OTHER) == ANSWER
    # After so many failures the server lists its tools first, which shows that it works.
    assert [call for _, call, _, _ in calls.server.calls[made:]] == [None, CALL]
    calls.now += raised.value.retry_after_s
    assert calls.gateway.call(TARGET, CALL, CALLER) == ANSWER


def test_no_number_of_callers_closes_a_source_that_lists_its_tools(calls: Calls) -> None:
    for number in range(4):
        fail(calls, SourceCaller("k1", f"u{number}", is_known=True), 3)
    assert calls.gateway.call(TARGET, CALL, OTHER) == ANSWER


def test_a_server_that_failed_calls_and_lists_no_tools_has_a_pause_for_all_at_once(calls: Calls) -> None:
    fail(calls, CALLER, SOURCE_FAILURES)
    calls.server.failure = SourceUnavailable("The server does not answer.")
    with pytest.raises(SourceUnavailable, match="does not answer"):
        calls.gateway.call(TARGET, CALL, OTHER)
    made = len(calls.server.calls)
    with pytest.raises(SourceUnavailable, match="its server has failed"):
        calls.gateway.call(TARGET, CALL, SourceCaller("k3", None, is_known=True))
    assert len(calls.server.calls) == made


def test_after_the_pause_the_tools_are_listed_before_anybody_is_called_for(calls: Calls) -> None:
    calls.server.failure = SourceUnavailable("The server does not answer.")
    for _ in range(SOURCE_FAILURES):
        with pytest.raises(SourceUnavailable):
            calls.gateway.call(TARGET, CALL, CALLER)
    calls.now += 30
    with pytest.raises(SourceUnavailable):
        calls.gateway.call(TARGET, CALL, OTHER)
    assert calls.server.tools_called() == []


@pytest.mark.parametrize("users", [1, 40])
def test_a_key_leaves_a_part_of_the_rate_to_others_however_many_users_it_names(calls: Calls, users: int) -> None:
    admitted = 0
    for number in range(3 * SOURCE_BURST):
        with suppress(LimitExceeded):
            calls.gateway.call(TARGET, CALL, SourceCaller("k1", f"u{number % users}", is_known=True))
            admitted += 1
    assert 0 < admitted <= SOURCE_BURST // 2
    for _ in range(SOURCE_BURST // 3):
        assert calls.gateway.call(TARGET, CALL, OTHER) == ANSWER


def admitted_calls(calls: Calls, names: int, *, is_known: bool) -> tuple[int, int]:
    """Return how many calls of one that calls all the time, and of ann that calls seldom, are made in a minute."""
    made = {"hog": 0, "ann": 0}

    def call(who: str, caller: SourceCaller) -> None:
        with suppress(LimitExceeded):
            calls.gateway.call(TARGET, CALL, caller)
            made[who] += 1

    for number in range(240):
        call("hog", SourceCaller("k1", f"u{number % names}", is_known))
        if number % 8 == 0:
            call("ann", SourceCaller("k1", "ann", is_known=True))
        calls.now += 0.25
    return made["hog"], made["ann"]


def test_invented_names_take_no_more_of_the_rate_than_one_name(calls: Calls) -> None:
    one, ann = admitted_calls(calls, 1, is_known=True)
    calls.now += 3_600
    assert admitted_calls(calls, 240, is_known=False) == (one, ann)
    assert ann == 30


@pytest.mark.parametrize(
    ("source", "tags", "is_known"),
    [
        (TagSource.ENTRY, {"staff"}, True),
        (TagSource.TOKEN, set[str](), True),
        # A name without an entry, for which a call sends no tags either.
        (TagSource.ENTRY, set[str](), False),
        (TagSource.CALL, {"staff"}, False),
        (None, {"staff"}, False),
    ],
)
def test_a_key_that_acts_for_others_has_known_users_and_invented_names(
    source: TagSource | None, tags: set[str], *, is_known: bool
) -> None:
    ann, ben = (
        SourceCaller.of(
            Caller(
                principal=Principal("t-acme", user, frozenset(tags)),
                kid="k1",
                kind=KeyKind.ACT_AS,
                scopes=frozenset({Scope.SEARCH}),
                collections=ALL_COLLECTIONS,
                options=USUAL_OPTIONS,
                tag_source=source,
            )
        )
        for user in ("ann", "ben")
    )
    assert ann.name != ben.name
    assert (ann.rate_name != ben.rate_name) is is_known


def test_an_invented_name_that_fails_has_a_pause_for_that_name_alone(calls: Calls) -> None:
    fail(calls, SourceCaller("k1", "u1", is_known=False), SOURCE_FAILURES)
    calls.now += 10
    with pytest.raises(SourceUnavailable, match="your calls"):
        calls.gateway.call(TARGET, CALL, SourceCaller("k1", "u1", is_known=False))
    assert calls.gateway.call(TARGET, CALL, SourceCaller("k1", "u2", is_known=False)) == ANSWER


def test_a_call_has_no_more_time_than_its_caller(calls: Calls) -> None:
    with time_limit(4):
        calls.gateway.inspect(TARGET)
        calls.gateway.call(TARGET, CALL, CALLER)
    assert all(0 < seconds <= 4 for _, _, _, seconds in calls.server.calls)


@pytest.mark.parametrize("lists", [True, False])
def test_a_failure_within_a_short_time_counts_against_nobody(calls: Calls, *, lists: bool) -> None:
    def during() -> None:
        if not lists or calls.server.calls[-1][1] is not None:
            raise SourceUnavailable("The server does not answer.")

    calls.server.during = during
    for _ in range(SOURCE_FAILURES):
        with time_limit(2), pytest.raises(SourceUnavailable):
            calls.gateway.call(TARGET, CALL, CALLER)
    calls.server.during = lambda: None
    assert calls.gateway.call(TARGET, CALL, CALLER) == ANSWER
    assert calls.gateway.call(TARGET, CALL, OTHER) == ANSWER


def test_no_server_is_called_in_a_time_in_which_it_cannot_answer(calls: Calls) -> None:
    for attempt in (lambda: calls.gateway.inspect(TARGET), lambda: calls.gateway.call(TARGET, CALL, CALLER)):
        with time_limit(0.05), pytest.raises(SourceUnavailable):
            attempt()
    assert calls.server.calls == []
