"""The caller of a call has the access token by which they signed in; nothing else ever shows it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest

from groundwire.dialects.router import DialectRouter
from groundwire.domain.access.call_headers import USER_TOKEN_HEADER
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.identity import sign_in_token
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.http.authorizer_context import to_context
from groundwire.services.call_context import CallContext
from groundwire.services.keys.admin import KeySpec
from groundwire_mcp.transport.exchanges import McpResponse
from groundwire_mcp.transport.http import HttpRequest
from tests.support.isolation.policies import PUBLIC
from tests.support.registry.token_issuer import AUDIENCE, Issuer, running
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.tenant_caller import JSON
from tests.support.worlds.world import READ, Answer, World, caller, open_world

AZURE: Final = "/knowledgebases('default')/mcp"
LIST: Final = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
JUNK: Final = "someone.elses.token"


@dataclass(frozen=True)
class Company:
    """A tenant whose people sign in, and the callers of its calls as the router got them."""

    world: World
    issuer: Issuer
    tenant: str
    callers: list[Caller] = field(default_factory=list[Caller])

    def token(self) -> str:
        """A good token of ana."""
        now = time.time()
        claims: dict[str, Any] = {"company": self.tenant, "scope": "groundwire:search", "exp": now + 300, "iat": now}
        return self.issuer.token(**claims)

    def user_token(self, headers: dict[str, str], path: str = "/mcp") -> Secret | None:
        """The token of the caller of one call that is admitted."""
        self.callers.clear()
        answer = self.world.request("POST", path, {**JSON, **headers}, LIST)
        assert answer.status == 200, answer.payload
        [found] = self.callers
        return found.user_token

    def search(self, token: str) -> Answer:
        """The answer to a search of somebody who signed in."""
        return self.world.search({"authorization": f"Bearer {token}"}, "pump")

    def audit_log(self) -> str:
        """All lines."""
        return (self.world.services.settings.home / "audit.jsonl").read_text(encoding="utf-8")


@pytest.fixture
def company(monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    with running() as issuer, fresh_home() as home:
        names = {"ISSUER": issuer.url, "AUDIENCE": AUDIENCE, "TENANT_CLAIM": "company", "USER_CLAIM": "sub"}
        for name, value in names.items():
            monkeypatch.setenv(f"GROUNDWIRE_OAUTH_{name}", value)
        with open_world(home, monkeypatch) as world:
            made = Company(world, issuer, world.tenant("north"))
            world.ingest(made.tenant, "The pump needs oil.", PUBLIC, path="/pump.txt")
            order = KeySpec(
                made.tenant, "people", KeyKind.OAUTH, None, frozenset(), (), READ, ALL_COLLECTIONS, USUAL_OPTIONS
            )
            world.services.administration.key_admin.create_token_key(order)
            handle = DialectRouter.handle

            def watched(router: DialectRouter, request: HttpRequest, call: CallContext) -> McpResponse:
                made.callers.append(call.caller)
                return handle(router, request, call)

            monkeypatch.setattr(DialectRouter, "handle", watched)
            yield made


def test_the_caller_who_signed_in_has_the_token_of_the_call(company: Company) -> None:
    for token in (company.token(), company.token()):
        found = company.user_token({"authorization": f"Bearer {token}"})
        assert found is not None
        assert found.reveal() == token


def test_a_caller_with_an_api_key_has_no_token(company: Company) -> None:
    personal = company.world.personal_key(company.tenant, "ana", frozenset())
    acting = company.world.acting_key(company.tenant)
    assert company.user_token(caller(personal)) is None
    assert company.user_token(caller(acting, "ana")) is None
    assert company.user_token({**caller(acting, "ana"), USER_TOKEN_HEADER: company.token()}) is None


def test_a_token_beside_a_key_is_not_passed_on_and_neither_is_one_that_nobody_read(company: Company) -> None:
    beside = {"api-key": company.world.acting_key(company.tenant).secret.reveal(), USER_TOKEN_HEADER: company.token()}
    for headers in (beside, {**beside, "authorization": f"Bearer {JUNK}"}):
        assert company.user_token(headers, AZURE) is None
        assert company.callers[-1].is_named_by_token
    signed_in = {"authorization": f"Bearer {company.token()}"}
    assert company.user_token(signed_in, AZURE) == Secret(signed_in["authorization"].partition(" ")[2])


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer gw_live_key"},
        {"authorization": f"Bearer {JUNK}", "api-key": "gw_live_key"},
        {"authorization": f"Bearer {JUNK}", "x-goog-api-key": JUNK},
        {"authorization": f"Bearer {JUNK},Bearer {JUNK}"},
        {"authorization": f"Basic {JUNK}"},
        {"authorization": JUNK},
        {"api-key": JUNK},
        {USER_TOKEN_HEADER: JUNK},
        {},
    ],
)
def test_only_an_authorization_header_that_is_the_one_credential_has_the_token(headers: dict[str, str]) -> None:
    assert sign_in_token(headers) is None
    assert sign_in_token({"authorization": f"bearer  {JUNK} "}) == Secret(JUNK)


def test_a_token_is_in_no_answer_no_audit_line_and_no_log(
    company: Company, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    token = company.token()
    answer = company.search(token)
    assert answer.status == 200
    assert company.callers[-1].user_token == Secret(token)
    assert '"user_by":"token"' in company.audit_log().replace(" ", "")
    shown = [answer.bytes.decode(), company.audit_log(), caplog.text, *capfd.readouterr()]
    assert [text for text in shown if token in text] == []


def test_a_call_that_breaks_shows_its_token_neither_in_the_answer_nor_in_the_log(
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(_router: DialectRouter, _request: HttpRequest, call: CallContext) -> McpResponse:
        raise RuntimeError(f"no answer for {call.caller}")

    monkeypatch.setattr(DialectRouter, "handle", broken)
    token = company.token()
    answer = company.search(token)
    assert answer.payload["error"]["code"] == -32603
    logged = "".join([caplog.text, *capfd.readouterr()])
    assert "user_token=****" in logged
    assert [text for text in (answer.bytes.decode(), company.audit_log(), logged) if token in text] == []


def test_the_context_of_the_authorizer_has_no_token() -> None:
    principal = Principal("t_north", "ana", frozenset())
    plain = Caller(principal, "kid", KeyKind.OAUTH, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
    signed_in = replace(plain, tag_source=TagSource.TOKEN)
    with_token = replace(signed_in, user_token=Secret(JUNK))
    assert to_context(AuthDecision.admit(with_token)) == to_context(AuthDecision.admit(signed_in))
