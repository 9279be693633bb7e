"""From a 401 to passages, as a client does it that knows only OAuth: a certified provider, the real gateway."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.forms.provider_session import REDIRECT_PATH
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.operator.access.tags import token_authorizer
from groundwire.entry.serialization.token_explanation import token_decision_to_json
from groundwire.services.ingest.request import IngestRequest, IngestStatus
from groundwire.services.keys.admin import KeySpec
from groundwire.wiring.local.services import LocalServices
from tests.server.adapters.oauth.signing_in import REDIRECT_URI, Found, agree, discover, sign_in
from tests.support.engines.identity_provider import CLIENT_ID, Provider, provider

ROOT = Path(__file__).parents[4]
SALES = Policy(public=False, users=frozenset(), any_tags=frozenset({"department:sales"}), all_tags=frozenset())
BOARD = Policy(public=False, users=frozenset(), any_tags=frozenset({"board"}), all_tags=frozenset())
ANA = Policy(public=False, users=frozenset({"ana"}), any_tags=frozenset(), all_tags=frozenset())
DOCUMENTS = {
    "sales.md": ("The discount for the pump is ten percent.", SALES),
    "board.md": ("The pump factory will be sold.", BOARD),
    "ana.md": ("A note to ana about her pump.", ANA),
}
GROUP_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
SEARCH = {"name": "rag_search", "arguments": {"search_phrases": ["pump"]}}


@dataclass(frozen=True, slots=True)
class Company:
    """A tenant whose people sign in, and the server that they use."""

    home: Path
    tenant: str
    kid: str
    url: str
    provider: Provider
    http: httpx.Client

    @property
    def found(self) -> Found:
        return discover(self.http, f"{self.url}/mcp")

    def call(self, token: str, **headers: str) -> httpx.Response:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": SEARCH}
        sent = {"authorization": f"Bearer {token}", **{name.replace("_", "-"): text for name, text in headers.items()}}
        return self.http.post(f"{self.url}/mcp", json=body, headers=sent)

    def files(self, token: str) -> set[str]:
        answer = self.call(token)
        assert answer.status_code == 200, answer.text
        return {segment["source_file_name"] for segment in answer.json()["result"]["segments"]}

    def last_line(self) -> dict[str, Any]:
        log = self.home / "audit.jsonl"
        return json.loads(log.read_text().splitlines()[-1])


def order(tenant: str) -> KeySpec:
    scopes = frozenset({Scope.SEARCH, Scope.VERIFY})
    tags = ("department:*",)
    return KeySpec(tenant, "our people", KeyKind.OAUTH, None, frozenset(), tags, scopes, ALL_COLLECTIONS, USUAL_OPTIONS)


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    home = tmp_path_factory.mktemp("oauth") / "home"
    with pytest.MonkeyPatch.context() as patch, run_in_background(ROOT / "template.yaml") as url:
        people: dict[str, dict[str, Any]] = {
            "ana": {"company": "", "groups": ["department:sales", "board"]},
            "ben": {"company": "t_elsewhere"},
            # Groups as Keycloak writes them with the full path, and as Entra ID does.
            "cem": {"company": "", "groups": ["/department/sales", GROUP_ID, "everyone"]},
        }
        its_provider = provider(people, REDIRECT_URI, f"{url}{REDIRECT_PATH}")
        for name, value in {
            "HOME": str(home),
            "PUBLIC_URL": url,
            "OAUTH_ISSUER": its_provider.issuer,
            "OAUTH_AUDIENCE": f"{url}/mcp",
            "OAUTH_TENANT_CLAIM": "company",
            "OAUTH_USER_CLAIM": "sub",
            "OAUTH_TAGS_CLAIM": "groups",
            "OAUTH_CLIENT_ID": CLIENT_ID,
        }.items():
            patch.setenv(f"GROUNDWIRE_{name}", value)
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        wiring.reset()
        services = wiring.local_services()
        tenant = services.administration.tenant_admin.create("north").tenant
        people["ana"]["company"] = people["cem"]["company"] = tenant
        for name, (text, policy) in DOCUMENTS.items():
            ingest(services, tenant, name, text.encode(), policy)
        key = services.administration.key_admin.create_token_key(order(tenant))
        with httpx.Client(timeout=30) as http:
            yield Company(home, tenant, key.kid, url, its_provider, http)
        wiring.reset()


@pytest.fixture(autouse=True)
def _fresh_start(company: Company) -> None:
    """Reset the server before each test, so that it has sent no request to a provider."""
    wiring.reset()


def ingest(services: LocalServices, tenant: str, name: str, content: bytes, policy: Policy) -> None:
    request = IngestRequest(tenant, "default", name, name, lambda: content, DeclaredPolicy(policy, None), None, None)
    [outcome] = services.ingestion.batch(tenant, "default", [request], lambda _done, _total: None)
    assert outcome.status is IngestStatus.INDEXED


def test_a_client_finds_its_way_from_a_401_and_reads_what_its_user_may_read(company: Company) -> None:
    with company.provider.running("spring"):
        found = company.found
        assert found.resource["resource"] == f"{company.url}/mcp"
        token = sign_in(company.http, found, "ana")
        assert jwt.get_unverified_header(token)["kid"] == "spring"
        assert company.files(token) == {"sales.md", "ana.md"}
        line = company.last_line()
        assert (line["tenant"], line["kid"], line["user"]) == (company.tenant, company.kid, "ana")
        assert token not in (company.home / "audit.jsonl").read_text()


def test_keys_that_the_provider_has_changed_count_at_once_and_those_before_no_more(company: Company) -> None:
    with company.provider.running("summer"):
        before = sign_in(company.http, company.found, "ana")
        assert company.files(before) == {"sales.md", "ana.md"}
    with company.provider.running("autumn"):
        after = sign_in(company.http, company.found, "ana")
        assert company.files(after) == {"sales.md", "ana.md"}
        assert company.call(before).status_code == 401
        assert company.last_line()["reason"] == "token_unknown_signer"
    assert company.files(after) == {"sales.md", "ana.md"}


def test_a_token_for_the_provider_itself_or_for_another_resource_is_refused(company: Company) -> None:
    with company.provider.running("spring"):
        found = company.found
        other_place = Found({**found.resource, "resource": "https://other.example/mcp"}, found.provider)
        refused = company.call(sign_in(company.http, other_place, "ana"))
        assert refused.status_code == 401
        assert company.last_line()["reason"] == "token_audience"


def test_a_person_of_another_company_of_the_provider_comes_nowhere(company: Company) -> None:
    with company.provider.running("spring"):
        refused = company.call(sign_in(company.http, company.found, "ben"))
        assert refused.status_code == 401
        assert company.last_line()["reason"] == "unknown_key"


def test_a_tool_beyond_the_tokens_scopes_names_the_scope_and_where_to_get_it(company: Company) -> None:
    with company.provider.running("spring"):
        refused = company.call(sign_in(company.http, company.found, "ana", "groundwire:verify"))
    assert refused.status_code == 403
    assert refused.headers["www-authenticate"] == (
        'Bearer error="insufficient_scope", scope="groundwire:search", '
        f'resource_metadata="{company.url}/.well-known/oauth-protected-resource/mcp"'
    )


def test_groups_that_are_no_tags_are_counted_explained_and_give_rights_once_they_are_mapped(company: Company) -> None:
    administration = wiring.local_services().administration
    with company.provider.running("spring"):
        token = sign_in(company.http, company.found, "cem")
        assert company.files(token) == set()
        assert company.last_line()["tags_ignored"] == 3
        explained = outcomes(company, token)
        assert explained == dict.fromkeys(("/department/sales", GROUP_ID, "everyone"), "outside_key")
        administration.group_admin.set(company.tenant, GROUP_ID.upper(), {"department:sales"})
        administration.group_admin.set(company.tenant, "/department/sales", ())
        assert company.files(token) == {"sales.md"}
        assert company.last_line()["tags_ignored"] == 1
        assert outcomes(company, token)[GROUP_ID] == "kept"
        administration.group_admin.delete(company.tenant, GROUP_ID)
        assert company.files(token) == set()


def test_a_blocked_person_is_refused_with_a_token_that_the_provider_still_signs(company: Company) -> None:
    users = wiring.local_services().administration.user_admin
    with company.provider.running("spring"):
        token = sign_in(company.http, company.found, "ana")
        unknown = company.call(f"{token}x").json()
        users.block(company.tenant, ["ANA"], users.decision("olga", "", ""))
        refused = company.call(token)
        assert (refused.status_code, refused.json()) == (401, unknown)
        assert company.last_line()["reason"] == "blocked_user"
        users.unblock(company.tenant, ["ana"])
        assert company.files(token) == {"sales.md", "ana.md"}


def outcomes(company: Company, token: str) -> dict[str, str]:
    """Return the outcome for each group of a token, from the administrator's explanation."""
    decision = token_authorizer(wiring.local_services()).explain(Secret(token), company.tenant)
    explained = json.loads(json.dumps(token_decision_to_json(decision)))
    return {row["group"]: row["outcome"] for row in explained["groups"]}


def test_an_identity_header_beside_a_token_is_refused_by_its_name(company: Company) -> None:
    with company.provider.running("spring"):
        token = sign_in(company.http, company.found, "ana")
        for headers in ({"x_user_id": "ana"}, {"x_session_tags": "[]"}):
            refused = company.call(token, **headers)
            assert refused.status_code == 403
            assert next(iter(headers)).replace("_", "-") in refused.json()["error"]["message"]


def test_a_revoked_key_ends_every_token_on_the_next_call(company: Company) -> None:
    with company.provider.running("spring"):
        token = sign_in(company.http, company.found, "ana")
        admin = wiring.local_services().administration.key_admin
        assert company.call(token).status_code == 200
        admin.revoke(company.tenant, company.kid)
        assert company.call(token).status_code == 401
        assert company.last_line()["reason"] == "revoked"
        assert company.last_line()["kid"] == company.kid
        again = admin.create_token_key(replace(order(company.tenant), burst=1, rate_per_minute=1))
        assert company.call(token).status_code == 200
        limited = company.call(token)
        assert limited.status_code == 429
        assert int(limited.headers["retry-after"]) > 0
        admin.revoke(company.tenant, again.kid)
        admin.create_token_key(order(company.tenant))


def test_a_provider_that_is_away_is_a_reason_to_come_back_later(company: Company) -> None:
    with company.provider.running("spring"):
        token = sign_in(company.http, company.found, "ana")
    away = company.call(token)
    assert away.status_code == 503
    assert int(away.headers["retry-after"]) > 0
    assert company.last_line()["reason"] == "provider_unavailable"


def test_a_person_signs_in_to_the_page_and_searches_without_a_key(company: Company) -> None:
    own = {"origin": company.url, "x-page-request": "1"}
    with company.provider.running("spring"), httpx.Client(timeout=30) as browser:
        start = browser.get(f"{company.url}/console/sign-in?screen=try")
        back = agree(browser, browser.get(start.headers["location"]), "ana", f"{company.url}{REDIRECT_PATH}")
        # A certified provider names itself in its answer (RFC 9207).
        assert "iss=" in back
        page = browser.get(back)
        assert (page.status_code, page.headers["location"]) == (303, f"{company.url}/console#/try")
        assert browser.get(f"{company.url}/v1/whoami").json()["user"] == "ana"
        found = browser.post(f"{company.url}/v1/search", json={"phrases": ["pump"]}, headers=own).json()
        assert {each["source_file_name"] for each in found["passages"]} == {"sales.md", "ana.md"}
        assert browser.get(back).headers["location"] == f"{company.url}/console#sign-in=not_started"
        assert browser.delete(f"{company.url}/v1/session", headers=own).json() == {"signed_out": True}
        assert browser.get(f"{company.url}/v1/whoami").status_code == 401


def test_a_person_who_cancels_at_the_provider_is_not_signed_in(company: Company) -> None:
    with company.provider.running("spring"), httpx.Client(timeout=30) as browser:
        page = browser.get(browser.get(f"{company.url}/console/sign-in").headers["location"])
        while not page.is_redirect or not page.headers["location"].startswith(company.url):
            # The link of the provider's page that ends the interaction.
            abort = re.search(r'href="([^"]+/abort)"', page.text)
            target = page.headers["location"] if page.is_redirect else abort[1] if abort else ""
            page = browser.get(page.url.join(target))
        back = browser.get(page.headers["location"])
        assert back.headers["location"] == f"{company.url}/console#sign-in=refused"
        assert browser.get(f"{company.url}/v1/whoami").status_code == 401
