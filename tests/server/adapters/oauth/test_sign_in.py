"""A client without a key learns the sign-in address wherever clients look, and strangers learn nothing else."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from groundwire import wiring
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.http.oauth_metadata import RESOURCE_PATH, WELL_KNOWN_PATH, ProtectedResource
from groundwire.entry.local_server.background_server import run_in_background
from tests.support.registry.token_issuer import Issuer, rsa_key

ROOT = Path(__file__).parents[4]
PUBLIC_URL = "https://rag.example"
POINTER = f'resource_metadata="{PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"'
SCOPES = 'scope="groundwire:search groundwire:verify"'
PLACES = (WELL_KNOWN_PATH, f"{WELL_KNOWN_PATH}{RESOURCE_PATH}")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture
def http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A server that accepts keys only, until its settings say otherwise."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GROUNDWIRE_PUBLIC_URL", f"{PUBLIC_URL}/")
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    with run_in_background(ROOT / "template.yaml") as url, httpx.Client(base_url=url, timeout=20) as client:
        yield client
    wiring.reset()


@pytest.fixture
def open_to_tokens(http: httpx.Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> httpx.Client:
    """The same server, set to accept the tokens of `issuer`."""
    for name, value in {"ISSUER": issuer.url, "AUDIENCE": "a", "TENANT": "t_north", "USER_CLAIM": "sub"}.items():
        monkeypatch.setenv(f"GROUNDWIRE_OAUTH_{name}", value)
    wiring.reset()
    return http


@pytest.mark.parametrize("place", PLACES)
def test_the_metadata_is_public_at_both_paths(open_to_tokens: httpx.Client, issuer: Issuer, place: str) -> None:
    answer = open_to_tokens.get(place)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "resource": f"{PUBLIC_URL}/mcp",
        "resource_name": "Groundwire",
        "authorization_servers": [issuer.url],
        "scopes_supported": ["groundwire:search", "groundwire:verify"],
        "bearer_methods_supported": ["header"],
    }


@pytest.mark.parametrize("place", PLACES)
def test_where_only_keys_are_accepted_there_is_no_place_to_sign_in(http: httpx.Client, place: str) -> None:
    assert http.get(place).status_code == 404
    refused = http.post("/mcp", json=LIST)
    assert refused.headers["www-authenticate"] == "Bearer"


def test_a_setting_that_cannot_be_is_not_shown_to_strangers(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_OAUTH_ISSUER", "https://id.example")
    wiring.reset()
    answer = http.get(WELL_KNOWN_PATH)
    assert answer.status_code == 503
    assert "GROUNDWIRE" not in answer.text


def test_who_presents_nothing_is_only_shown_the_way(open_to_tokens: httpx.Client) -> None:
    assert open_to_tokens.post("/mcp", json=LIST).headers["www-authenticate"] == f"Bearer {POINTER}, {SCOPES}"


PRESENTED: dict[str, Callable[[Issuer], str]] = {
    "no token and no key": lambda _: "x",
    "a key's form": lambda _: "gw_local_" + "0" * 12 + "_" + "0" * 49,
    "a good token of nobody's tenant": lambda issuer: issuer.token(aud="a", exp=4_000_000_000, iat=1),
    "an expired one": lambda issuer: issuer.token(aud="a", exp=1, iat=1),
    "another audience": lambda issuer: issuer.token(exp=4_000_000_000, iat=1),
    "a stranger's signature": lambda issuer: issuer.token(aud="a", exp=4_000_000_000, iat=1, key=rsa_key("stranger")),
    "an unknown kid": lambda issuer: issuer.token(aud="a", header={"kid": "x"}),
    "two dots": lambda _: "a.b.c",
    "oversized": lambda _: f"a.{'b' * 8_200}.c",
}


def test_all_that_does_not_hold_gets_one_and_the_same_answer(open_to_tokens: httpx.Client, issuer: Issuer) -> None:
    nothing = open_to_tokens.post("/mcp", json=LIST)
    for make in PRESENTED.values():
        refused = open_to_tokens.post("/mcp", json=LIST, headers={"authorization": f"Bearer {make(issuer)}"})
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == f'Bearer error="invalid_token", {POINTER}, {SCOPES}'
        assert refused.content == nothing.content
        assert set(refused.headers) == set(nothing.headers)


def test_the_audit_log_distinguishes_them_and_holds_no_token(
    open_to_tokens: httpx.Client, issuer: Issuer, tmp_path: Path
) -> None:
    tokens = [make(issuer) for make in PRESENTED.values()]
    for token in tokens:
        open_to_tokens.post("/mcp", json=LIST, headers={"authorization": f"Bearer {token}"})
    log = (tmp_path / "home" / "audit.jsonl").read_text()
    assert [json.loads(line)["reason"] for line in log.splitlines()] == [
        "malformed_key",
        "malformed_key",
        "unknown_key",
        "token_expired",
        "token_audience",
        "token_signature",
        "token_unknown_signer",
        "token_malformed",
        "token_too_large",
    ]
    assert not [token for token in tokens if len(token) > 1 and token in log]


@pytest.mark.parametrize("reason", list(AuthReason))
def test_a_challenge_states_that_something_was_presented_and_never_what_was_wrong_with_it(reason: AuthReason) -> None:
    sign_in = ProtectedResource(PUBLIC_URL, "https://id.example")
    answer = auth_error_response(AuthDecision(AuthStatus.UNAUTHENTICATED, reason, message="revoked", kid="k"), sign_in)
    stated = {f"Bearer {POINTER}, {SCOPES}", f'Bearer error="invalid_token", {POINTER}, {SCOPES}'}
    assert answer.headers["www-authenticate"] in stated
    assert (
        answer.message
        == auth_error_response(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL), sign_in).message
    )


def test_an_answer_without_a_challenge_gets_none() -> None:
    headers = {"content-type": "application/json"}
    assert ProtectedResource(PUBLIC_URL, "https://id.example").with_metadata_link(headers) == headers
