"""A person signs in, and a source's tool acts for them: from the agent's call to the bytes that the servers receive."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeySpec
from tests.server.services.sources.conftest import Start, address
from tests.support.entry.mcp_servers.recording_server import RecordingServer
from tests.support.entry.mcp_servers.scripted_server import Script
from tests.support.entry.mcp_servers.token_server import TokenScript, form_of
from tests.support.registry.token_issuer import AUDIENCE, DISCOVERY, JWKS, Issuer, Reply, running
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import READ, Answer, World, caller, open_world

JSON: Final = {"content-type": "application/json", "mcp-protocol-version": "2025-11-25"}
TOOL: Final = "crm__tool_1"


@dataclass(frozen=True)
class Company:
    """A tenant whose people sign in, with a source that acts for them.

    Attributes:
        crm: server of the source. tokens: token endpoint of the issuer.
    """

    world: World
    issuer: Issuer
    tenant: str
    crm: RecordingServer
    tokens: RecordingServer

    def token(self, user: str = "ana") -> str:
        now = time.time()
        claims: dict[str, Any] = {"company": self.tenant, "scope": "groundwire:search", "exp": now + 300, "iat": now}
        return self.issuer.token(sub=user, **claims)

    def request(self, headers: dict[str, str], method: str, **params: object) -> Answer:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.world.request("POST", "/edgeai/mcp", {**JSON, **headers}, json.dumps(message).encode())

    def call(self, headers: dict[str, str]) -> Answer:
        return self.request(headers, "tools/call", name=TOOL, arguments={"query": "pump"})


@pytest.fixture
def company(start: Start, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    crm, tokens = start(Script()), start(TokenScript())
    with running() as issuer, fresh_home() as home:
        document = {"issuer": issuer.url, "jwks_uri": issuer.url + JWKS, "token_endpoint": address(tokens, "/token")}
        issuer.replies[DISCOVERY] = Reply(json.dumps(document).encode())
        settings = {
            "OAUTH_ISSUER": issuer.url,
            "OAUTH_AUDIENCE": AUDIENCE,
            "OAUTH_TENANT_CLAIM": "company",
            "OAUTH_USER_CLAIM": "sub",
            "EGRESS_ALLOW": f"127.0.0.1:{tokens.port}",
            "SOURCE_HOSTS": f"127.0.0.1:{crm.port}",
        }
        for name, value in settings.items():
            monkeypatch.setenv(f"GROUNDWIRE_{name}", value)
        with open_world(home, monkeypatch) as world:
            tenant = world.tenant("north")
            people = KeySpec(
                tenant, "people", KeyKind.OAUTH, None, frozenset(), (), READ, ALL_COLLECTIONS, USUAL_OPTIONS
            )
            world.services.administration.key_admin.create_token_key(people)
            made = Company(world, issuer, tenant, crm, tokens)
            _register(made)
            yield made


def _register(company: Company) -> None:
    body = {
        "name": "crm",
        "kind": "remote_mcp",
        "remote_mcp_parameters": {"server_url": address(company.crm, "/mcp"), "server_label": "crm"},
        "microsoft_entra_id_parameters": {"client_id": "groundwire", "client_secret": "client-canary"},
        "policy": {"users": ["ana"]},
        "tools": ["tool_1"],
    }
    admin = caller(company.world.acting_key(company.tenant, scopes=frozenset({Scope.ADMIN})))
    answer = company.world.request("POST", "/edgeai/knowledgesources", {**JSON, **admin}, json.dumps(body).encode())
    assert answer.status == 201, answer.payload
    assert answer.payload["validation_status"] == "active"


def test_the_users_token_goes_to_the_issuers_token_endpoint_and_the_source_gets_the_exchanged_one(
    company: Company,
) -> None:
    before, token = len(company.crm.received), company.token()
    signed_in = {"authorization": f"Bearer {token}"}
    names = [tool["name"] for tool in company.request(signed_in, "tools/list").result["tools"]]
    assert TOOL in names
    assert "pump" in company.call(signed_in).result["content"][0]["text"]
    form = form_of(company.tokens.received[-1])
    assert (form["assertion"], form["requested_token_use"]) == (token, "on_behalf_of")
    # The first token that was issued listed the tools; the second one is the user's.
    credentials = {received.headers.get("authorization") for received in company.crm.received[before:]}
    assert credentials == {"Bearer issued-2"}
    assert token.encode() not in company.crm.everything()
    assert token.encode() not in json.dumps(dict(company.issuer.requested)).encode()
    assert b"client-canary" not in company.crm.everything()


def test_nothing_that_was_written_down_has_the_token_or_a_secret(
    company: Company, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    token = company.token()
    company.call({"authorization": f"Bearer {token}"})
    audit = (company.world.services.settings.home / "audit.jsonl").read_text(encoding="utf-8")
    assert '"source_tool":"tool_1"' in audit.replace(" ", "")
    printed = capfd.readouterr()
    written = audit + printed.out + printed.err + caplog.text
    for secret in (token, "client-canary", "issued-"):
        assert secret not in written


def test_a_key_gets_a_notice_and_another_user_an_unknown_tool(company: Company) -> None:
    received = len(company.crm.received)
    key = caller(company.world.personal_key(company.tenant, "ana", frozenset()))
    result = company.call(key).result
    assert result["isError"] is True
    assert "signing in" in result["content"][0]["text"]
    ben = {"authorization": f"Bearer {company.token('ben')}"}
    assert company.call(ben).payload["error"]["code"] == -32602
    assert len(company.crm.received) == received


def test_a_token_in_another_header_is_exchanged_nowhere(company: Company) -> None:
    key, token = caller(company.world.acting_key(company.tenant), "ana"), company.token()
    exchanges = len(company.tokens.received)
    company.call({**key, "x-ms-query-source-authorization": token})
    assert len(company.tokens.received) == exchanges
    assert token.encode() not in company.crm.everything()
