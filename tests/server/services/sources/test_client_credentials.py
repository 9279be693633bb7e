"""Credentials: each goes where it belongs and nowhere else, and a user's token to the configured issuer alone."""

import base64
import json
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.adapters.mcp_client import McpSourceClient
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.ports.sources import SignInRequired, SourceDenied, SourceUnavailable
from groundwire_egress.mcp_client.calls import ApiKeyCredential, ClientCredential, ExchangeCredential, SourceAnswer
from tests.server.services.sources.conftest import SECONDS, Start, address, call, client, egress, target
from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer, RecordingServer
from tests.support.entry.mcp_servers.scripted_server import HANDSHAKE, STATELESS, Script, methods_of
from tests.support.entry.mcp_servers.token_server import TokenScript, client_of, form_of

USER_TOKEN = "user-token-canary"
CLIENT_SECRET = "client-secret-canary: ü/+"
API_KEY = "api-key-canary"
KNOWN = [STATELESS, HANDSHAKE, None]


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Provider:
    """A provider that runs, and what it does."""

    def __init__(self, start: Start, path: str = "") -> None:
        self.script = TokenScript()
        self.server = start(self.script)
        self.issuer = self.script.base = address(self.server, path)

    @property
    def token_requests(self) -> list[Received]:
        return [each for each in self.server.received if each.method == "POST"]


@pytest.fixture
def provider(start: Start) -> Provider:
    return Provider(start)


def client_credential(provider: Provider, scope: str | None = None, secret: str = CLIENT_SECRET) -> ClientCredential:
    return ClientCredential(f"{provider.issuer}/token", "client:1", Secret(secret), scope)


def exchange(grant: str, user_token: str | None = USER_TOKEN, scope: str | None = None) -> ExchangeCredential:
    return ExchangeCredential(
        "client:1", Secret(CLIENT_SECRET), scope, grant, None if user_token is None else Secret(user_token)
    )


def unauthorized(_: Received, __: Any) -> Answer:
    return Answer(b"", 401)


def bearers(server: RecordingServer) -> list[str | None]:
    return [each.headers.get("authorization") for each in server.received]


@pytest.mark.parametrize("known", KNOWN)
def test_a_key_goes_with_every_request_in_its_header(start: Start, known: str | None) -> None:
    server = start(Script(stateless=known is not None))
    credential = ApiKeyCredential("X-Api-Key", Secret(API_KEY))
    assert client(server).call_tool(target(server, credential), call(), known, SECONDS).content
    assert {each.headers.get("x-api-key") for each in server.received} == {API_KEY}
    assert bearers(server) == [None] * len(server.received)


@pytest.mark.parametrize("header", ["content-type", "Accept", "MCP-Protocol-Version", "mcp-method"])
def test_a_key_replaces_no_header_of_the_protocol(start: Start, header: str) -> None:
    server = start(Script())
    credential = ApiKeyCredential(header, Secret(API_KEY))
    assert client(server).call_tool(target(server, credential), call(), STATELESS, SECONDS).content
    assert API_KEY.encode() not in server.everything()


@pytest.mark.parametrize("value", ["a\r\nx-evil: 1", "\u20ac"])
def test_a_key_that_no_header_can_hold_is_not_sent(start: Start, value: str) -> None:
    server = start(Script())
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(
            target(server, ApiKeyCredential("x-api-key", Secret(value))), call(), STATELESS, SECONDS
        )
    assert not server.received


@pytest.mark.parametrize("scope", [None, "a b"])
def test_a_client_gets_a_token_with_its_secret_and_the_server_gets_the_token(
    start: Start, provider: Provider, scope: str | None
) -> None:
    server = start(Script())
    calls = client(server, provider.server)
    to = target(server, client_credential(provider, scope))
    assert calls.call_tool(to, call(), None, SECONDS).content
    assert set(bearers(server)) == {"Bearer issued-1"}
    [request] = provider.token_requests
    expected = {"grant_type": "client_credentials", **({} if scope is None else {"scope": scope})}
    assert form_of(request) == expected
    assert client_of(request) == ("client:1", CLIENT_SECRET)
    assert "client-secret-canary" not in str(server.everything())


def test_a_token_is_kept_until_a_minute_before_its_end(start: Start, provider: Provider) -> None:
    server, clock = start(Script()), Clock()
    calls = McpSourceClient(egress(server, provider.server), None, monotonic=clock)
    to = target(server, client_credential(provider))
    for passed in (0.0, 3_539.0, 1.0, 3_539.0):
        clock.now += passed
        calls.call_tool(to, call(), STATELESS, SECONDS)
    assert bearers(server) == [f"Bearer issued-{at}" for at in (1, 1, 2, 2)]


@pytest.mark.parametrize("expires_in", [None, 60, 0, -1, "x", "", True, 1.5, [], "\u0663"])
def test_a_token_of_unknown_or_short_life_is_not_kept(start: Start, provider: Provider, expires_in: object) -> None:
    server = start(Script())
    provider.script.expires_in = expires_in
    calls = client(server, provider.server)
    for _ in range(2):
        calls.call_tool(target(server, client_credential(provider)), call(), STATELESS, SECONDS)
    assert len(provider.token_requests) == 2


@pytest.mark.parametrize("expires_in", [3_600, "3600", 2**53])
def test_a_token_of_known_life_is_kept(start: Start, provider: Provider, expires_in: object) -> None:
    server = start(Script())
    provider.script.expires_in = expires_in
    calls = client(server, provider.server)
    for _ in range(2):
        calls.call_tool(target(server, client_credential(provider)), call(), STATELESS, SECONDS)
    assert len(provider.token_requests) == 1


def test_no_other_tenant_source_server_client_secret_or_scope_gets_a_kept_token(
    start: Start, provider: Provider
) -> None:
    server = start(Script())
    calls = client(server, provider.server)
    first = target(server, client_credential(provider))
    credential = client_credential(provider)
    others = [
        first._replace(tenant="other"),
        first._replace(source_id="other"),
        first._replace(url=address(server, "/other")),
        first._replace(credential=credential._replace(client_id="other")),
        first._replace(credential=credential._replace(client_secret=Secret("other"))),
        first._replace(credential=credential._replace(scope="other")),
        first._replace(credential=credential._replace(token_url=f"{provider.issuer}/other/token")),
    ]
    for each in (first, *others, first, *others):
        calls.call_tool(each, call(), STATELESS, SECONDS)
    assert len(provider.token_requests) == 1 + len(others)


def test_the_oldest_of_many_tokens_is_forgotten(
    start: Start, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire_egress.mcp_client.tokens.MAX_CACHED_TOKENS", 2)
    server = start(Script())
    calls = client(server, provider.server)
    to = target(server, client_credential(provider))
    for tenant in ("a", "b", "a", "c", "a", "b"):
        calls.call_tool(to._replace(tenant=tenant), call(), STATELESS, SECONDS)
    assert len(provider.token_requests) == 4


@pytest.mark.parametrize("known", KNOWN)
def test_a_token_that_the_server_refuses_is_replaced_once(start: Start, provider: Provider, known: str | None) -> None:
    def refuse(got: Received, _: Any) -> Answer | None:
        return Answer(b"", 401) if got.headers.get("authorization") in refused else None

    refused: set[str] = set()
    server = start(Script(overrides=[refuse], session=False))
    calls = client(server, provider.server)
    to = target(server, client_credential(provider))
    assert calls.call_tool(to, call(), known, SECONDS).content
    refused.add("Bearer issued-1")
    assert calls.call_tool(to, call(), known, SECONDS).content
    assert bearers(server)[-1] == "Bearer issued-2"
    refused.update(f"Bearer issued-{at}" for at in range(9))
    before = len(server.received)
    with pytest.raises(SourceDenied):
        calls.call_tool(to, call(), known, SECONDS)
    assert len(server.received) == before + 2
    assert len(provider.token_requests) == 3


def test_another_credential_that_the_server_refuses_is_not_tried_again(start: Start) -> None:
    server = start(Script(overrides=[unauthorized]))
    with pytest.raises(SourceDenied):
        client(server).call_tool(target(server, ApiKeyCredential("x-api-key", Secret(API_KEY))), call(), None, SECONDS)
    assert len(server.received) == 1


BAD_TOKENS: list[Callable[[Received], Answer]] = [
    lambda _: Answer(b"", 400),
    lambda _: Answer(b"", 500),
    lambda _: Answer(b"", 302, {"location": "/other"}),
    lambda _: Answer(b"", 307, {"location": "/other"}),
    lambda _: Answer(b"{"),
    lambda _: Answer(b"[]"),
    lambda _: Answer(b"x" * 200_000),
    lambda _: Answer(b'{"access_token": "a"}'),
    lambda _: Answer(b'{"access_token": "a", "token_type": "mac"}'),
    lambda _: Answer(b'{"access_token": "a b", "token_type": "Bearer"}'),
    lambda _: Answer(b'{"access_token": "a\\r\\nx: y", "token_type": "Bearer"}'),
    lambda _: Answer(b'{"access_token": 7, "token_type": "Bearer"}'),
    lambda _: Answer(json.dumps({"access_token": "a" * 20_000, "token_type": "Bearer"}).encode()),
    lambda _: Answer(raw=b""),
]


@pytest.mark.parametrize("bad", BAD_TOKENS)
def test_without_a_token_no_request_is_sent_to_the_server(
    start: Start, provider: Provider, bad: Callable[[Received], Answer]
) -> None:
    provider.script.instead = bad
    server = start(Script())
    with pytest.raises(SourceUnavailable) as unavailable:
        client(server, provider.server).call_tool(target(server, client_credential(provider)), call(), None, SECONDS)
    assert unavailable.value.__context__ is None
    assert len(provider.token_requests) == 1
    assert not server.raw


def called(start: Start, provider: Provider, credential: ExchangeCredential) -> tuple[SourceAnswer, RecordingServer]:
    server = start(Script())
    calls = client(server, provider.server, issuer=provider.issuer)
    return calls.call_tool(target(server, credential), call(), STATELESS, SECONDS), server


@pytest.mark.parametrize("scope", [None, "api://x/.default"])
def test_a_users_token_is_exchanged_on_behalf_of_the_user(start: Start, provider: Provider, scope: str | None) -> None:
    answer, server = called(start, provider, exchange("on_behalf_of", scope=scope))
    assert answer.content
    assert bearers(server) == ["Bearer issued-1"]
    [request] = provider.token_requests
    assert form_of(request) == {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": USER_TOKEN,
        "requested_token_use": "on_behalf_of",
        "client_id": "client:1",
        "client_secret": CLIENT_SECRET,
        **({} if scope is None else {"scope": scope}),
    }


@pytest.mark.parametrize("scope", [None, "read"])
def test_a_users_token_is_exchanged_for_one_of_the_server(start: Start, provider: Provider, scope: str | None) -> None:
    _, server = called(start, provider, exchange("token_exchange", scope=scope))
    assert bearers(server) == ["Bearer issued-1"]
    [request] = provider.token_requests
    assert form_of(request) == {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "subject_token": USER_TOKEN,
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "resource": address(server, "/mcp"),
        **({} if scope is None else {"scope": scope}),
    }
    assert client_of(request) == ("client:1", CLIENT_SECRET)


def test_an_exchanged_token_is_not_kept_and_the_issuers_document_is_kept_for_an_hour(
    start: Start, provider: Provider
) -> None:
    server, clock = start(Script()), Clock()
    calls = McpSourceClient(egress(server, provider.server), provider.issuer, monotonic=clock)
    for passed in (0.0, 3_599.0, 1.0):
        clock.now += passed
        calls.call_tool(target(server, exchange("on_behalf_of")), call(), STATELESS, SECONDS)
    assert bearers(server) == ["Bearer issued-1", "Bearer issued-2", "Bearer issued-3"]
    assert [each.method for each in provider.server.received] == ["GET", "POST", "POST", "GET", "POST"]


def test_the_issuer_can_have_an_egress_client_of_its_own(start: Start, provider: Provider) -> None:
    server = start(Script())
    to = target(server, exchange("on_behalf_of"))
    with pytest.raises(SourceUnavailable):
        McpSourceClient(egress(server), provider.issuer).call_tool(to, call(), STATELESS, SECONDS)
    calls = McpSourceClient(egress(server), provider.issuer, egress(provider.server))
    assert calls.call_tool(to, call(), STATELESS, SECONDS).content
    # What the issuer's client may call is closed to sources and to the endpoints that tenants name.
    for closed in (target(provider.server), target(server, client_credential(provider))):
        before = len(provider.server.received)
        with pytest.raises(SourceUnavailable):
            calls.call_tool(closed, call(), STATELESS, SECONDS)
        assert len(provider.server.received) == before


@pytest.mark.parametrize("grant", ["on_behalf_of", "token_exchange"])
def test_without_a_users_token_or_an_issuer_or_its_consent_a_user_must_sign_in(
    start: Start, provider: Provider, grant: str
) -> None:
    server = start(Script())
    calls = client(server, provider.server, issuer=provider.issuer)
    with pytest.raises(SignInRequired):
        calls.call_tool(target(server, exchange(grant, None)), call(), None, SECONDS)
    with pytest.raises(SignInRequired):
        client(server, provider.server).call_tool(target(server, exchange(grant)), call(), None, SECONDS)
    assert not provider.server.raw
    for status in (400, 401, 403):
        provider.script.status = status
        with pytest.raises(SignInRequired) as denied:
            calls.call_tool(target(server, exchange(grant)), call(), None, SECONDS)
        assert "canary" not in "".join(traceback.format_exception(denied.value))
    assert not server.raw


@pytest.mark.parametrize("grant", ["on_behalf_of", "token_exchange"])
def test_tools_are_listed_with_a_token_of_the_sources_own_client_and_no_users_token(
    start: Start, provider: Provider, grant: str
) -> None:
    server = start(Script())
    calls = client(server, provider.server, issuer=provider.issuer)
    for credential in (exchange(grant, None), exchange(grant)):
        assert calls.list_tools(target(server, credential), None, SECONDS).declarations
    for received in provider.token_requests:
        assert form_of(received)["grant_type"] == "client_credentials"
    assert USER_TOKEN.encode() not in b"".join([*server.raw, *provider.server.raw])
    with pytest.raises(SignInRequired):
        client(server, provider.server).list_tools(target(server, exchange(grant)), None, SECONDS)
    provider.script.status = 403
    with pytest.raises(SignInRequired):
        calls.list_tools(target(server, exchange(grant)), None, SECONDS)


def test_an_unknown_grant_sends_the_token_nowhere(start: Start, provider: Provider) -> None:
    with pytest.raises(SignInRequired):
        called(start, provider, exchange("password"))
    assert not provider.token_requests


@pytest.mark.parametrize(
    "members",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": None},
        {"token_endpoint": "http://example.com/token"},
        {"token_endpoint": "https://user@example.com/token"},
        {"token_endpoint": "ftp://127.0.0.1/token"},
        {"token_endpoint": "/token"},
        {"token_endpoint": "https://169.254.169.254/token"},
    ],
)
def test_a_document_of_another_issuer_or_without_a_safe_endpoint_gets_no_token(
    start: Start, provider: Provider, members: dict[str, object]
) -> None:
    provider.script.document = members
    with pytest.raises(SourceUnavailable):
        called(start, provider, exchange("on_behalf_of"))
    assert not provider.token_requests
    assert USER_TOKEN.encode() not in provider.server.everything()


@pytest.mark.parametrize("bad", BAD_TOKENS[1:])
def test_an_issuer_without_an_answer_is_no_refusal(
    start: Start, provider: Provider, bad: Callable[[Received], Answer]
) -> None:
    provider.script.instead = bad
    with pytest.raises(SourceUnavailable):
        called(start, provider, exchange("token_exchange"))


def test_a_path_of_the_issuer_and_a_query_of_its_endpoint_are_kept(start: Start) -> None:
    provider = Provider(start, "/tenant/v2.0")
    provider.script.document = {"token_endpoint": f"{provider.issuer}/token?p=policy"}
    called(start, provider, exchange("on_behalf_of"))
    assert [each.target for each in provider.server.received] == [
        "/tenant/v2.0/.well-known/openid-configuration",
        "/tenant/v2.0/token?p=policy",
    ]


def test_the_servers_own_401_for_a_user_is_not_repeated(start: Start, provider: Provider) -> None:
    server = start(Script(overrides=[unauthorized]))
    calls = client(server, provider.server, issuer=provider.issuer)
    with pytest.raises(SourceDenied):
        calls.call_tool(target(server, exchange("on_behalf_of")), call(), STATELESS, SECONDS)
    assert len(provider.token_requests) == len(server.received) == 1


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("kind", ["none", "key", "client", "on_behalf_of", "token_exchange"])
def test_no_byte_of_a_secret_reaches_the_server_beside_the_credential_that_is_for_it(
    start: Start, provider: Provider, kind: str, known: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    credentials = {
        "none": None,
        "key": ApiKeyCredential("x-api-key", Secret(API_KEY)),
        "client": client_credential(provider),
        "on_behalf_of": exchange("on_behalf_of"),
        "token_exchange": exchange("token_exchange"),
    }
    moves = iter([Answer(b"", 307, {"location": "/moved"})])

    def moved_once(_: Received, __: Any) -> Answer | None:
        return next(moves, None)

    server = start(Script(stateless=known is not None, overrides=[moved_once], call=lambda _: {"content": "x"}))
    calls = client(server, provider.server, issuer=provider.issuer)
    to = target(server, credentials[kind])
    with pytest.raises(SourceUnavailable) as failed:
        calls.call_tool(to, call(), known, SECONDS)
    received = server.everything()
    assert methods_of(server.received).count("tools/call") >= 1
    secrets = [USER_TOKEN, CLIENT_SECRET, "client-secret-canary", API_KEY]
    encoded = [base64.b64encode(each.encode()).decode()[:16] for each in secrets]
    allowed = {API_KEY} if kind == "key" else set[str]()
    for text in {*secrets, *encoded, "Basic "} - allowed:
        if kind == "key" and text == encoded[-1]:
            continue
        assert text.encode() not in received
    has_bearer = kind in {"client", "on_behalf_of", "token_exchange"}
    assert set(bearers(server)) == ({"Bearer issued-1"} if has_bearer else {None})
    shown = "".join(traceback.format_exception(failed.value)) + repr(to) + "".join(capfd.readouterr())
    assert not [each for each in (*secrets, "issued-1") if each in shown]
