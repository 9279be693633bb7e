"""The end user's access token beside a key that acts for others: it is the whole principal, or the call is refused."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeySpec, KeyWithSecret
from tests.server.dialects.azure.office import (
    APRIL_2026,
    BASE_VERSIONS,
    MAY_2025,
    Office,
    found_office,
    intents,
    requested,
    retrieve_path,
    texts,
)
from tests.support.registry.token_issuer import AUDIENCE, Issuer, running
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.tenant_caller import JSON
from tests.support.worlds.world import READ, Answer, World, caller, open_world

HEADER: Final = "x-ms-query-source-authorization"
SEARCHES: Final = "groundwire:search"
BEN: Final = "The wheel pump opens with a code."
SALES: Final = "The wheel pump is for sale."
BOARD: Final = "The wheel pump factory will be sold."
PUMP: Final = frozenset({"The wheel pump needs oil.", "The wheel pump stands in the cellar."})


@dataclass(frozen=True)
class SignedIn:
    """The office, and a provider that signs its people in.

    Attributes:
        key: acts for others, and may give them the tags of departments.
    """

    office: Office
    issuer: Issuer
    key: KeyWithSecret

    def token(self, user: str = "ana", *tags: str, **claims: Any) -> str:
        """A good token of a user; a claim of None is left out."""
        now = time.time()
        good: dict[str, Any] = {
            "company": self.office.tenant,
            "scope": SEARCHES,
            "exp": now + 300,
            "iat": now,
            "groups": [*tags],
        }
        return self.issuer.token(sub=user, **{**good, **claims})

    def send(self, token: str, key: KeyWithSecret | None = None, **identity: str) -> Answer:
        """The answer to a question with a token."""
        headers = {**JSON, **caller(key or self.key), HEADER: token}
        headers |= {name.replace("_", "-"): value for name, value in identity.items()}
        body = json.dumps(requested("wheel pump", APRIL_2026)).encode()
        return self.office.world.request("POST", retrieve_path(APRIL_2026), headers, body)

    def found(self, token: str, key: KeyWithSecret | None = None) -> frozenset[str]:
        """The passages about the wheel pump that it finds."""
        answer = self.send(token, key)
        assert answer.status == 200, answer.payload
        return frozenset(text for text in texts(answer.payload) if "wheel pump" in text)

    def acting(self, *max_tags: str, **changes: Any) -> KeyWithSecret:
        """A key that acts for others."""
        spec = KeySpec(
            self.office.tenant, "agent", KeyKind.ACT_AS, None, frozenset(), max_tags, READ, "every", USUAL_OPTIONS
        )
        return self.office.world.services.administration.key_admin.create(
            replace(spec, **{"scopes": READ | {Scope.ACT_AS}, "burst": 600, **changes})
        )

    def last_line(self) -> dict[str, Any]:
        """The newest line of the audit log."""
        log = self.office.world.services.settings.home / "audit.jsonl"
        return json.loads(log.read_text(encoding="utf-8").splitlines()[-1])


def open_office(world: World, issuer: Issuer) -> SignedIn:
    office = found_office(world)
    office.add("sales", SALES, tagged("department:sales"))
    office.add("board", BOARD, tagged("board"))
    signed_in = SignedIn(office, issuer, office.key)
    return replace(signed_in, key=signed_in.acting("department:*"))


def tagged(tag: str) -> Policy:
    return Policy(public=False, users=frozenset(), any_tags=frozenset({tag}), all_tags=frozenset())


@pytest.fixture
def signed_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[SignedIn]:
    with running() as issuer, fresh_home() as home:
        names = {"ISSUER": issuer.url, "AUDIENCE": AUDIENCE, "TENANT_CLAIM": "company", "USER_CLAIM": "sub"}
        for name, value in {**names, "TAGS_CLAIM": "groups"}.items():
            monkeypatch.setenv(f"GROUNDWIRE_OAUTH_{name}", value)
        with open_world(home, monkeypatch) as world:
            yield open_office(world, issuer)


def test_the_token_is_the_whole_principal_within_the_tags_of_the_key(signed_in: SignedIn) -> None:
    assert signed_in.found(signed_in.token("ana")) == PUMP
    assert signed_in.found(signed_in.token("ben")) == {*PUMP, BEN}
    assert signed_in.found(signed_in.token("ana", "department:sales")) == {*PUMP, SALES}
    # The key may give no more than departments, whatever the token says.
    assert signed_in.found(signed_in.token("ana", "department:sales", "board")) == {*PUMP, SALES}
    assert signed_in.found(signed_in.token("ana", "board"), signed_in.acting("board")) == {*PUMP, BOARD}
    assert signed_in.found(signed_in.token("ana", "board"), signed_in.acting("board", strict_tags=True)) >= {BOARD}


@pytest.mark.parametrize(("user", "tags"), [*product(("ana", "ben"), ((), ("board",), ("department:sales", "board")))])
def test_a_token_finds_what_the_identity_headers_of_the_same_user_find(
    signed_in: SignedIn, user: str, tags: tuple[str, ...]
) -> None:
    by_token = signed_in.send(signed_in.token(user, *tags))
    by_headers = signed_in.office.send(
        "POST",
        retrieve_path(APRIL_2026),
        requested("wheel pump", APRIL_2026),
        caller(signed_in.key, user, frozenset(tags)),
    )
    assert by_token.status == by_headers.status == 200
    assert by_token.payload["response"] == by_headers.payload["response"]
    assert by_token.payload["references"] == by_headers.payload["references"]


def test_a_users_own_entry_adds_nothing_to_a_token(signed_in: SignedIn) -> None:
    office = signed_in.office
    office.world.services.stores.users.set(office.tenant, "ana", frozenset({"department:sales"}))
    assert signed_in.found(signed_in.token("ana")) == PUMP
    by_name = office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), caller(signed_in.key, "ana"))
    assert SALES in texts(by_name.payload)


def test_scopes_and_collections_are_the_keys_and_a_token_only_narrows_them(signed_in: SignedIn) -> None:
    kitchen = signed_in.acting(collections=frozenset({"kitchen"}))
    assert signed_in.send(signed_in.token(), kitchen).status == 404
    for scope in ("", "openid", "groundwire:verify", "groundwire:admin", None):
        assert signed_in.send(signed_in.token(scope=scope)).status == 403, scope
    steward = signed_in.acting(scopes=READ | {Scope.ACT_AS, Scope.ADMIN})
    path = f"/knowledgebases('new')?api-version={APRIL_2026}"
    headers = {**caller(steward), HEADER: signed_in.token(scope="groundwire:search groundwire:admin")}
    body = {"name": "new", "knowledgeSources": [{"name": "handbook"}]}
    assert signed_in.office.send("PUT", path, body, headers).status == 403
    assert signed_in.office.send("PUT", path, body, caller(steward)).status == 201


def test_the_line_states_that_a_token_named_the_user(signed_in: SignedIn) -> None:
    token = signed_in.token("ben")
    assert signed_in.send(token).status == 200
    line = signed_in.last_line()
    assert (line["user"], line["user_by"], line["kid"]) == ("ben", "token", signed_in.key.key.kid)
    assert token not in json.dumps(line)
    signed_in.office.retrieve(requested("wheel pump", APRIL_2026))
    assert "user_by" not in signed_in.last_line()


WRONG: Final = {
    "token_expired": {"exp": 1_000_000_000.0, "iat": 999_999_000.0},
    "token_not_yet_valid": {"nbf": 4_000_000_000.0},
    "token_audience": {"aud": "https://search.example"},
    "token_issuer": {"iss": "https://id.elsewhere.example"},
    "token_tenant": {"company": "t_elsewhere"},
    "token_claims": {"company": None},
}


@pytest.mark.parametrize(("reason", "claims"), WRONG.items())
def test_a_token_that_is_not_valid_here_is_401_and_never_a_call_by_the_key_alone(
    signed_in: SignedIn, reason: str, claims: dict[str, Any]
) -> None:
    answer = signed_in.send(signed_in.token("ana", **claims))
    assert answer.status == 401
    assert answer.payload["error"]["message"].startswith(f"{HEADER}: ")
    assert "www-authenticate" in dict(answer.response.headers)
    line = signed_in.last_line()
    assert (line["decision"], line["reason"]) == ("user_token_refused", reason)
    assert (line["tenant"], line["kid"]) == (signed_in.office.tenant, signed_in.key.key.kid)


@pytest.mark.parametrize("form", ["", " ", "x", "a.b.c", "Bearer {}", "{},{}", "{}x", "{},"])
def test_a_text_that_is_no_bare_token_is_401(signed_in: SignedIn, form: str) -> None:
    token = signed_in.token("ana")
    assert signed_in.send(token).status == 200
    assert signed_in.send(form.format(token, token)).status == 401


def test_a_token_beside_a_key_of_one_user_is_forbidden_and_beside_a_signed_in_user_too(signed_in: SignedIn) -> None:
    office = signed_in.office
    personal = office.world.personal_key(office.tenant, "ben", frozenset({"board"}))
    scopes = READ
    order = KeySpec(office.tenant, "people", KeyKind.OAUTH, None, frozenset(), (), scopes, "every", USUAL_OPTIONS)
    office.world.services.administration.key_admin.create_token_key(order)
    signed = {"authorization": f"Bearer {signed_in.token('ana')}"}
    assert office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), signed).status == 200
    for headers in (caller(personal), signed):
        both = {**headers, HEADER: signed_in.token("ana")}
        answer = office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), both)
        assert answer.status == 403
        assert HEADER in answer.payload["error"]["message"]
    # Whether the token is good makes no difference.
    assert signed_in.send("x", personal).status == 403


@pytest.mark.parametrize("header", [{"x_user_id": "ana"}, {"x_user_id": ""}, {"x_session_tags": "[]"}])
def test_a_token_together_with_an_identity_header_is_400(signed_in: SignedIn, header: dict[str, str]) -> None:
    for token in (signed_in.token("ana"), "x"):
        answer = signed_in.send(token, None, **header)
        assert answer.status == 400
        assert next(iter(header)).replace("_", "-") in answer.payload["error"]["message"]


def test_a_wrong_key_stays_a_wrong_key(signed_in: SignedIn) -> None:
    headers = {"api-key": "gw_wrong", HEADER: signed_in.token("ana")}
    assert signed_in.office.send("POST", retrieve_path(APRIL_2026), intents("x"), headers).status == 403


def test_a_provider_that_is_away_is_a_reason_to_come_back_later(signed_in: SignedIn) -> None:
    token = signed_in.token("ana")
    signed_in.issuer.replies["/keys"] = replace(signed_in.issuer.reply("/keys"), status=503, body=b"")
    answer = signed_in.send(token)
    assert answer.status == 503
    assert "retry-after" in dict(answer.response.headers)


@pytest.mark.parametrize(
    "form", ["/{kind}('{name}')/retrieve", "/{kind}/{name}/retrieve", "/{kind}(%27{name}%27)/retrieve"]
)
def test_every_path_and_version_reads_the_token(signed_in: SignedIn, form: str) -> None:
    for version in (MAY_2025, *BASE_VERSIONS):
        kind = "agents" if version == MAY_2025 else "knowledgebases"
        path = f"{form.format(kind=kind, name='handbook')}?api-version={version}"
        for token, status in ((signed_in.token("ben"), 200), ("x", 401)):
            headers = {**caller(signed_in.key), HEADER: token}
            answer = signed_in.office.send("POST", path, requested("wheel pump", version), headers)
            assert answer.status == status
        assert signed_in.last_line()["reason"] == "token_malformed"


@pytest.mark.parametrize("path", ["/knowledgebases/handbook/mcp", "/knowledgebases('handbook')/mcp"])
def test_the_mcp_server_of_a_knowledge_base_reads_the_token(signed_in: SignedIn, path: str) -> None:
    arguments = {"request": {"knowledgeAgentIntents": ["wheel pump"]}}
    params = {"name": "knowledge_base_retrieve", "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    accept = {"accept": "application/json"}
    for user, finds in (("ana", False), ("ben", True)):
        headers = {**caller(signed_in.key), **accept, HEADER: signed_in.token(user)}
        answer = signed_in.office.send("POST", path, body, headers)
        assert (BEN in json.dumps(answer.result)) is finds
    refused = signed_in.office.send("POST", path, body, {**caller(signed_in.key), **accept, HEADER: "x"})
    assert refused.status == 401
    assert HEADER in refused.payload["error"]["message"]


def test_other_dialects_read_no_such_header(signed_in: SignedIn) -> None:
    world = signed_in.office.world
    for token in ("x", signed_in.token("ben")):
        plain = caller(signed_in.key, "ana")
        assert world.search({**plain, HEADER: token}, "wheel pump").texts == world.search(plain, "wheel pump").texts


def test_without_a_provider_every_token_is_401(office: Office) -> None:
    for token in ("a.b.c", ""):
        headers = {**caller(office.key), HEADER: token}
        answer = office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), headers)
        assert answer.status == 401
        assert HEADER in answer.payload["error"]["message"]


def test_a_token_that_the_authorizer_did_not_read_is_refused_by_the_function(
    signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reads_none(*_: object) -> bool:
        return False

    monkeypatch.setattr("groundwire.entry.authorizer._reads_user_token", reads_none)
    token = signed_in.token("ana")
    assert signed_in.send(token).status == 401
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {**caller(signed_in.key), "accept": "application/json", HEADER: token}
    assert signed_in.office.send("POST", "/knowledgebases('handbook')/mcp", message, headers).status == 401
