"""Whose work a call is: before its credential is checked, after that, and when it is refused."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.fairness.parties import NEW_USERS, KnownUsers, Party
from groundwire.domain.keys.fairness.work import Capacity, Levels
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.gateway.dispatch import AuthorizedCall, Dispatcher
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.http.authorizer_context import DecisionContext
from groundwire.entry.local_server import workers
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.workers import AdmittedCredentials, ServerCapacity

ADDRESS: Final = "198.51.100.7"
STRANGER: Final = Party("", ADDRESS, NEW_USERS)
OWN: Final = Party("acme", "k1", "ana")


def caller(user: str | None, kind: KeyKind, source: TagSource | None, *tags: str) -> Caller:
    principal = Principal("acme", user, frozenset(tags))
    return Caller(principal, "k1", kind, frozenset(), ALL_COLLECTIONS, USUAL_OPTIONS, source)


def denied(status: AuthStatus, reason: AuthReason) -> AuthDecision:
    retry_after_s = 1 if status is AuthStatus.OVER_LIMIT else None
    return AuthDecision(status, reason, retry_after_s=retry_after_s, kid="k1", tenant="acme")


def dispatcher_of(decision: AuthDecision, work: Callable[[], None] = lambda: None) -> Dispatcher:
    def authorizer(_event: dict[str, Any], _: LocalLambdaContext) -> object:
        return {"isAuthorized": True, "context": DecisionContext(decision)}

    def function(_event: dict[str, Any], _: LocalLambdaContext) -> object:
        work()
        return {"statusCode": 200}

    own, checks = (FunctionSpec(name, Path("app.py"), "handler", 29, 128) for name in ("Function", "Authorizer"))
    handlers = {"Authorizer": authorizer, "Function": function}
    users = KnownUsers(lambda _, user: user == "listed", lambda: 0.0)
    return Dispatcher(
        [RouteSpec("ANY /{proxy+}", own, checks, {})], lambda spec: LambdaFunction(spec, handlers[spec.name]), users
    )


def request(*headers: tuple[str, str], address: str = ADDRESS) -> GatewayRequest:
    return GatewayRequest("POST", "/call", "", (("host", "localhost"), *headers), b"", address)


@pytest.mark.parametrize(
    ("decision", "party"),
    [
        (AuthDecision.admit(caller("Ana", KeyKind.PERSONAL, None)), OWN),
        (AuthDecision.admit(caller("ana", KeyKind.ACT_AS, TagSource.TOKEN)), OWN),
        (AuthDecision.admit(caller("ana", KeyKind.ACT_AS, TagSource.ENTRY, "staff")), OWN),
        # Another spelling of a name is no other user.
        (AuthDecision.admit(caller("ANA", KeyKind.ACT_AS, TagSource.ENTRY, "staff")), OWN),
        # The source is the entry also of a user whom the directory does not have: an agent may have invented the name.
        (AuthDecision.admit(caller("ana", KeyKind.ACT_AS, TagSource.ENTRY)), OWN._replace(user=NEW_USERS)),
        (AuthDecision.admit(caller("ana", KeyKind.ACT_AS, TagSource.CALL, "staff")), OWN._replace(user=NEW_USERS)),
        (AuthDecision.admit(caller("listed", KeyKind.ACT_AS, TagSource.ENTRY)), OWN._replace(user="listed")),
        (AuthDecision.admit(caller(None, KeyKind.ACT_AS, TagSource.ENTRY)), OWN._replace(user=NEW_USERS)),
        # The rate is checked after the secret, so the call is one of the key.
        (denied(AuthStatus.OVER_LIMIT, AuthReason.KEY_RATE), OWN._replace(user=NEW_USERS)),
        (denied(AuthStatus.UNAUTHENTICATED, AuthReason.WRONG_SECRET), STRANGER),
        (denied(AuthStatus.UNAUTHENTICATED, AuthReason.BLOCKED_USER), STRANGER),
    ],
)
def test_a_call_belongs_to_the_user_that_nobody_can_invent_to_its_key_or_to_its_address(
    decision: AuthDecision, party: Party
) -> None:
    call = dispatcher_of(decision).authorize(request())
    assert isinstance(call, AuthorizedCall)
    assert call.party == party


def test_only_a_credential_that_was_admitted_is_a_party_before_its_check() -> None:
    credentials, key = AdmittedCredentials(), ("api-key", "secret")
    assert credentials.party_of(request(key)) == STRANGER
    credentials.record(request(key), OWN)
    # The address of a caller with a key does not count.
    assert credentials.party_of(request(key, address="192.0.2.1")) == OWN
    assert credentials.party_of(request(("api-key", "invented"))) == STRANGER
    assert credentials.party_of(request()) == STRANGER
    credentials.record(request(key), STRANGER)
    assert credentials.party_of(request(key)) == STRANGER


@pytest.mark.parametrize("header", ["X-User-Id", "x-ms-query-source-authorization"])
def test_a_credential_of_a_call_that_names_its_user_is_remembered_without_the_user(header: str) -> None:
    credentials, key = AdmittedCredentials(), ("api-key", "secret")
    credentials.record(request(key, (header, "ana")), OWN)
    assert credentials.party_of(request(key, (header, "ben"))) == OWN._replace(user=NEW_USERS)


def test_a_user_whom_the_directory_had_in_the_last_minute_is_expected_before_the_check() -> None:
    dispatcher = dispatcher_of(AuthDecision.admit(caller("listed", KeyKind.ACT_AS, TagSource.ENTRY)))
    of_key, named = OWN._replace(user=NEW_USERS), request(("X-User-Id", "Listed"))
    assert dispatcher.expected_party(of_key, named) == of_key
    dispatcher.authorize(named)
    assert dispatcher.expected_party(of_key, named) == OWN._replace(user="listed")
    assert dispatcher.expected_party(of_key, request(("X-User-Id", "invented"))) == of_key
    assert dispatcher.expected_party(of_key, request()) == of_key


def test_a_caller_without_a_credential_is_never_remembered() -> None:
    credentials = AdmittedCredentials()
    credentials.record(request(), OWN)
    assert credentials.party_of(request()) == STRANGER


def test_the_memory_of_credentials_is_bounded_and_has_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MAX_ADMITTED_CREDENTIALS", 3)
    credentials = AdmittedCredentials()
    for number in range(3):
        credentials.record(request(("authorization", f"Bearer {number}")), OWN)
    credentials.record(request(("authorization", "Bearer 0")), OWN)
    credentials.record(request(("authorization", "Bearer 9")), OWN)
    parties = [credentials.party_of(request(("authorization", f"Bearer {number}"))) for number in (0, 1, 2, 9)]
    assert [party.tenant for party in parties] == ["acme", "", "acme", "acme"]
    assert "Bearer" not in str(vars(credentials))


def test_refusals_in_the_form_of_the_dialect_wait_in_a_number_and_the_others_get_that_of_the_gateway() -> None:
    release, started = threading.Event(), threading.Semaphore(0)

    def work() -> None:
        started.release()
        assert release.wait(timeout=30)

    async def scene() -> None:
        full = Capacity(Levels(8, 4, 2, 1), Levels(8, 8, 8, 0), 10)
        refusals = Capacity(Levels(1, 1, 1, 1), Levels(8, 4, 4, 4), 1e6)
        dispatcher = dispatcher_of(AuthDecision.admit(caller("ana", KeyKind.PERSONAL, None)), work)
        capacity = ServerCapacity(calls=full, refusals=refusals)
        with closing(GatewayApplication(dispatcher, HostAllowList("", []), 30, capacity)) as gateway:
            transport = httpx.ASGITransport(gateway)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
                calls = [asyncio.create_task(client.post("/call")) for _ in range(20)]
                refused, waiting = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
                while len(waiting) > 4:
                    more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    refused |= more
                assert {task.result().status_code for task in refused} == {503}
                assert all(int(task.result().headers["retry-after"]) >= 1 for task in refused)
                release.set()
                assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}

    asyncio.run(scene())
