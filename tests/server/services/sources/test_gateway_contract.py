"""Both gateways are one: calls from this process, and calls that leave from the function."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.aws.lambda_sources import LambdaSources
from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.domain.errors import LimitExceeded, Unavailable
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.limits import SOURCE_BURST, SOURCE_FAILURES
from groundwire.domain.sources.pinned_tool import declaration_digest
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
    assert calls.gateway.call(TARGET, CALL) == ANSWER
    target, call, protocol, _ = calls.server.calls[-1]
    assert (target, call, protocol) == (TARGET, CALL, LISTING.protocol)
    assert set(calls.states.listing("t-acme", "s1")) == {"search"}


@pytest.mark.parametrize("credential", CREDENTIALS)
def test_the_server_gets_exactly_the_credential_of_the_call(calls: Calls, credential: SourceCredential) -> None:
    calls.gateway.call(TARGET._replace(credential=credential), CALL)
    assert [target.credential for target, _, _, _ in calls.server.calls] == [credential] * 2


@pytest.mark.parametrize("text", ["\ud800", "\x00", "ü日🙂", "\u2028", '"\\'])
def test_whatever_a_server_sends_arrives_as_it_was(calls: Calls, text: str) -> None:
    numbers: list[Any] = [2**70, -0.0, 1e308, float("inf"), True, None]
    content = [{"type": "text", "text": text, text: numbers}]
    calls.server.answer = replace(ANSWER, content=content, structured=None, is_error=True)
    calls.server.listing = replace(LISTING, declarations=[{**DECLARATION, "description": text}])
    digest = declaration_digest(calls.server.listing.declarations[0])
    assert calls.gateway.inspect(TARGET) == calls.server.listing
    assert calls.gateway.call(TARGET, CALL._replace(digest=digest)) == calls.server.answer


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
    for attempt in (lambda: calls.gateway.inspect(TARGET), lambda: calls.gateway.call(TARGET, CALL)):
        with pytest.raises(type(failure), match=str(failure)) as raised:
            attempt()
        assert type(raised.value) is type(failure)
        assert raised.value.retry_after_s == failure.retry_after_s


def test_a_tool_that_changed_is_not_called(calls: Calls) -> None:
    with pytest.raises(SourceToolChanged):
        calls.gateway.call(TARGET, CALL._replace(digest="0" * 64))
    assert calls.server.tools_called() == []


def test_calls_beyond_the_rate_are_not_made_and_tell_when_to_repeat(calls: Calls) -> None:
    for _ in range(SOURCE_BURST):
        calls.gateway.call(TARGET, CALL)
    with pytest.raises(LimitExceeded) as raised:
        calls.gateway.call(TARGET, CALL)
    assert raised.value.retry_after_s >= 1
    assert len(calls.server.tools_called()) == SOURCE_BURST
    calls.now += raised.value.retry_after_s
    assert calls.gateway.call(TARGET, CALL) == ANSWER


def test_a_server_that_does_not_answer_repeatedly_is_left_alone_for_a_while(calls: Calls) -> None:
    calls.server.failure = SourceUnavailable("The server does not answer.")
    for _ in range(SOURCE_FAILURES):
        with pytest.raises(SourceUnavailable):
            calls.gateway.call(TARGET, CALL)
    made, calls.server.failure = len(calls.server.calls), None
    with pytest.raises(SourceUnavailable, match="repeatedly") as raised:
        calls.gateway.call(TARGET, CALL)
    assert len(calls.server.calls) == made
    calls.now += raised.value.retry_after_s
    assert calls.gateway.call(TARGET, CALL) == ANSWER


def test_a_call_has_no_more_time_than_its_caller(calls: Calls) -> None:
    with time_limit(4):
        calls.gateway.inspect(TARGET)
        calls.gateway.call(TARGET, CALL)
    assert all(0 < seconds <= 4 for _, _, _, seconds in calls.server.calls)
