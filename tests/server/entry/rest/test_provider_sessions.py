"""Sessions of the page that an identity provider signed in: when they end, and where they count."""

import json

import pytest

from groundwire import wiring
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.keys.forms.page_session import PAGE_SESSION_SECONDS
from tests.server.entry.rest.provider_company import (
    OWN,
    Browser,
    Company,
)
from tests.support.worlds.world import caller


def test_the_session_ends_with_the_token(company: Company) -> None:
    browser = Browser()
    page = browser.come_back(company.approve(browser.start(), exp=company.now[0] + 600))
    [_, session] = page.cookies
    assert session.endswith("; Path=/v1/; HttpOnly; SameSite=Strict; Max-Age=600")
    company.now[0] += 599
    assert browser.get("/v1/whoami").status == 200
    company.now[0] += 1
    assert browser.get("/v1/whoami").status == 401


@pytest.mark.parametrize("days", [1, 10**400])
def test_the_session_ends_with_the_working_day_however_long_the_token_lives(company: Company, days: int) -> None:
    browser = company.signed_in(exp=int(company.now[0]) + days * 86_400)
    company.now[0] += PAGE_SESSION_SECONDS - 1
    assert browser.get("/v1/whoami").status == 200
    company.now[0] += 1
    assert browser.get("/v1/whoami").status == 401


def test_the_next_call_is_refused_after_a_sign_out_in_this_browser_alone(company: Company) -> None:
    browser, copied, other = company.signed_in(), Browser(), company.signed_in()
    copied.jar.update(browser.jar)
    assert browser.change("DELETE", "/v1/session").json == {"signed_out": True}
    assert [each.get("/v1/whoami").status for each in (browser, copied, other)] == [401, 401, 200]


def test_the_next_call_sees_a_block_a_revoked_key_and_a_suspended_tenant(company: Company) -> None:
    stores = company.world.services.stores
    ann, ben = company.signed_in("ann"), company.signed_in("ben")
    stores.users.block(company.tenant, UserBlock("ann", Decision("olga", company.now[0], "", "")))
    assert [each.get("/v1/whoami").status for each in (ann, ben)] == [401, 200]
    company.world.services.administration.tenant_admin.suspend(company.tenant)
    assert ben.get("/v1/whoami").status == 401
    company.world.services.administration.tenant_admin.resume(company.tenant)
    assert ben.get("/v1/whoami").status == 200
    stores.keys.revoke(company.tenant, company.key.kid)
    assert ben.get("/v1/whoami").status == 401
    # As for a token, the next key of the tenant counts.
    key = company.create_key(scopes=frozenset({Scope.VERIFY}))
    assert ben.get("/v1/whoami").json["scopes"] == ["verify"]
    assert company.last_line()["kid"] == key.kid


def test_the_next_call_sees_another_mapping_of_the_groups(company: Company) -> None:
    groups = company.world.services.administration.group_admin
    browser = company.signed_in("ben", groups=["/sales"])
    assert browser.finds() == set()
    groups.set(company.tenant, "/sales", ["department:sales"])
    assert browser.finds() == {"sales"}
    groups.delete(company.tenant, "/sales")
    assert browser.finds() == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AUDIENCE", "https://other.example/mcp"),
        ("ISSUER", "http://127.0.0.1:1"),
        ("CLIENT_ID", "another page"),
        ("CLIENT_ID", ""),
        ("USER_CLAIM", "email"),
        ("TAGS_CLAIM", "roles"),
        ("TENANT_CLAIM", "organisation"),
    ],
)
def test_a_session_ends_once_the_settings_would_read_its_token_otherwise(
    company: Company, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    browser = company.signed_in()
    assert browser.get("/v1/whoami").status == 200
    monkeypatch.setenv(f"GROUNDWIRE_OAUTH_{name}", value)
    wiring.reset()
    assert browser.get("/v1/whoami").status == 401


@pytest.mark.parametrize(
    "beside",
    [
        {"authorization": "Bearer x"},
        {"api_key": "x"},
        {"x_api_key": "x"},
        {"x_user_id": "ben"},
        {"x_session_tags": "[]"},
        {"x_ms_query_source_authorization": "x"},
    ],
)
def test_the_cookie_beside_another_credential_or_identity_is_refused(company: Company, beside: dict[str, str]) -> None:
    assert company.signed_in().send("GET", "/v1/whoami", **beside).status == 400


@pytest.mark.parametrize(
    "path", ["/mcp", "/edgeai/mcp", "/indexes/default/docs/search", "/documents/_search", "/mcp/retrieval"]
)
def test_the_cookie_admits_no_call_of_an_agent_or_a_dialect(company: Company, path: str) -> None:
    browser = company.signed_in()
    [(name, (value, _))] = browser.jar.items()
    browser.jar[name] = (value, "/")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    assert browser.send("POST", path, body, content_type="application/json", **OWN).status in {401, 404}


def test_a_change_that_another_site_may_have_sent_is_refused(company: Company) -> None:
    browser = company.signed_in()
    assert browser.send("DELETE", "/v1/session").status == 403
    assert browser.send("DELETE", "/v1/session", origin="http://evil.example", x_page_request="1").status == 403
    assert browser.get("/v1/whoami").status == 200


def test_the_cookie_is_no_key_no_token_and_no_ticket_and_opens_no_other_session(company: Company) -> None:
    browser = company.signed_in()
    [(text, _)] = browser.jar.values()
    stranger = Browser()
    assert stranger.send("GET", "/v1/whoami", authorization=f"Bearer {text}").status == 401
    assert stranger.send("GET", "/v1/whoami", api_key=text).status == 401
    assert stranger.send("POST", "/v1/session", x_page_ticket=text).status == 401
    assert browser.change("POST", "/v1/session").status == 401


def test_a_changed_cookie_admits_nobody(company: Company) -> None:
    ann, ben = ({**company.signed_in(user).jar} for user in ("ann", "ben"))
    [(name, (first, scope))], [(second, _)] = ann.items(), ben.values()
    one, other = first.split("."), second.split(".")
    for changed in (".".join([*other[:3], one[3]]), ".".join([*one[:3], other[3]]), first[:-1], f"{first}x", "gws."):
        assert Browser(jar={name: (changed, scope)}).get("/v1/whoami").status == 401


def test_a_key_signs_in_where_people_also_sign_in_by_the_provider(company: Company) -> None:
    key = company.world.acting_key(company.tenant)
    reply = Browser().send("POST", "/v1/session", **caller(key))
    assert reply.status == 200
