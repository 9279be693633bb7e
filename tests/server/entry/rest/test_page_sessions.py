"""Sign-in to the page: a cookie that has the rights of one key for one person, on the server's own routes alone."""

import json
from collections.abc import Mapping
from typing import Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.page_session import PAGE_SESSION_SECONDS
from groundwire.services.keys.admin import KeyWithSecret
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.support.isolation.policies import for_tags, for_users
from tests.support.worlds.world import World, caller

HOST: Final = "127.0.0.1:8080"
OWN: Final = {"origin": f"http://{HOST}", "x-page-request": "1"}


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


@pytest.fixture
def admin(world: World, tenant: str) -> KeyWithSecret:
    return key(world, tenant, Scope.ADMIN)


def cookie_of(reply: Reply) -> str:
    """Return the cookie as a browser sends it."""
    assert reply.status == 200, reply.body
    return reply.headers["set-cookie"].partition(";")[0]


def signed_in(issued: KeyWithSecret, **identity: str) -> Api:
    return Api({"cookie": cookie_of(api(issued).stating(**identity).post("/v1/session"))})


def test_a_cookie_of_a_sign_in_has_the_attributes_that_keep_it_from_scripts_and_other_sites(
    admin: KeyWithSecret,
) -> None:
    attributes = api(admin).post("/v1/session").headers["set-cookie"].split("; ")
    assert attributes[0].startswith("groundwire-8080=gwp.")
    assert attributes[1:] == ["Path=/v1/", "HttpOnly", "SameSite=Strict", f"Max-Age={PAGE_SESSION_SECONDS}"]


def test_a_cookie_of_another_host_is_for_https_and_that_host_alone(admin: KeyWithSecret) -> None:
    reply = api(admin).stating(host="docs.example.com").post("/v1/session")
    name, *attributes = reply.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-groundwire=")
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Strict"} <= set(attributes)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (f"http://{HOST}", 200),
        ("https://docs.example.com", 403),
        ("http://127.0.0.1:9999", 403),
        ("null", 403),
    ],
)
def test_a_sign_in_from_a_page_of_another_address_sets_no_cookie(
    admin: KeyWithSecret, origin: str, status: int
) -> None:
    reply = api(admin).stating(origin=origin).post("/v1/session")
    assert (reply.status, "set-cookie" in reply.headers) == (status, status == 200)


def test_a_call_with_the_cookie_has_the_rights_of_the_key(world: World, tenant: str, admin: KeyWithSecret) -> None:
    page = signed_in(admin)
    assert [row["kid"] for row in page.get("/v1/keys").json["keys"]] == [admin.key.kid]
    searcher = signed_in(key(world, tenant, Scope.SEARCH))
    assert searcher.get("/v1/keys").status == 403


def test_a_search_with_the_cookie_is_of_the_person_who_signed_in(world: World, tenant: str) -> None:
    world.ingest(tenant, "The pump of Ann.", for_users("ann"), path="/n/ann.md", doc_id="ann")
    world.ingest(tenant, "The pump of sales.", for_tags("sales"), path="/n/sales.md", doc_id="sales")
    agent = world.acting_key(tenant)

    def finds(page: Api) -> set[str]:
        passages = Api({**page.headers, **OWN}).post("/v1/search", phrases=["pump"])
        return {row["doc_id"] for row in passages.json["passages"]}

    assert finds(signed_in(agent, x_user_id="ann")) == {"ann"}
    assert finds(signed_in(agent, x_user_id="ben", x_session_tags='["sales"]')) == {"sales"}
    assert finds(signed_in(agent)) == set()
    world.services.stores.users.set(tenant, "cleo", frozenset({"sales"}))
    cleo = signed_in(agent, x_user_id="cleo")
    assert finds(cleo) == {"sales"}
    # Stored tags are read with each call, as for any agent.
    world.services.stores.users.set(tenant, "cleo", frozenset())
    assert finds(cleo) == set()


def test_a_cookie_ends_with_a_sign_out(admin: KeyWithSecret) -> None:
    page, other = signed_in(admin), signed_in(admin)
    reply = Api({**page.headers, **OWN}).delete("/v1/session")
    assert reply.json == {"signed_out": True}
    assert "Max-Age=0" in reply.headers["set-cookie"]
    assert [page.get("/v1/status").status, other.get("/v1/status").status] == [401, 200]


def test_a_cookie_ends_with_the_revocation_and_with_the_rotation_of_its_key(world: World, admin: KeyWithSecret) -> None:
    keys, page = world.services.administration.key_admin, signed_in(admin)
    keys.rotate(admin.key.tenant, admin.key.kid)
    assert page.get("/v1/status").status == 401
    agent = world.acting_key(admin.key.tenant)
    page = signed_in(agent)
    assert page.get("/v1/status").status == 200
    keys.revoke(agent.key.tenant, agent.key.kid)
    assert page.get("/v1/status").status == 401


def test_a_sign_in_by_the_former_secret_of_a_key_ends_with_that_secret(world: World, admin: KeyWithSecret) -> None:
    keys = world.services.administration.key_admin
    keys.rotate(admin.key.tenant, admin.key.kid, overlap_hours=1)
    reply = api(admin).post("/v1/session")
    kept = int(reply.headers["set-cookie"].rpartition("Max-Age=")[2])
    assert 0 < kept <= 3_600 < PAGE_SESSION_SECONDS
    keys.rotate(admin.key.tenant, admin.key.kid, overlap_hours=0)
    assert Api({"cookie": cookie_of(reply)}).get("/v1/status").status == 401


def test_a_sign_in_that_began_before_its_secret_ended_is_refused(world: World, admin: KeyWithSecret) -> None:
    issued = world.services.administration.key_admin.rotate(admin.key.tenant, admin.key.kid, overlap_hours=0)
    reply = Api(caller(issued)).post("/v1/session")
    assert (reply.status, "set-cookie" in reply.headers) == (409, False)


def test_a_cookie_ends_with_the_block_of_its_user(world: World, tenant: str, admin: KeyWithSecret) -> None:
    page = signed_in(world.acting_key(tenant), x_user_id="ann")
    assert page.get("/v1/status").status == 200
    assert api(admin).post("/v1/users/block", users=["ann"]).status == 200
    assert page.get("/v1/status").status == 401


@pytest.mark.parametrize(
    "beside",
    [
        {"authorization": "Bearer x"},
        {"api-key": "x"},
        {"x-api-key": "x"},
        {"x-goog-api-key": "x"},
        {"x-user-id": "ann"},
        {"x-session-tags": "[]"},
    ],
)
def test_a_call_with_the_cookie_and_another_credential_or_identity_is_refused(
    admin: KeyWithSecret, beside: Mapping[str, str]
) -> None:
    reply = Api({**signed_in(admin).headers, **beside}).get("/v1/status")
    assert (reply.status, next(iter(beside)) in reply.body.decode()) == (400, True)


@pytest.mark.parametrize(
    "proofs",
    [
        {},
        {"origin": f"http://{HOST}"},
        {"x-page-request": "1"},
        {"x-page-request": "1", "origin": "null"},
        {"x-page-request": "1", "origin": "http://evil.example"},
        {"x-page-request": "1", "origin": "http://127.0.0.1:8081"},
        {"x-page-request": "1", "origin": f"http://{HOST}.evil.example"},
        {"x-page-request": "1", "origin": f"http://evil@{HOST}"},
        {"x-page-request": "1", "origin": f"http://[{HOST}"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_change_with_the_cookie_that_another_page_may_have_sent_is_refused(
    admin: KeyWithSecret, proofs: Mapping[str, str], method: str
) -> None:
    page = signed_in(admin)
    reply = Api({**page.headers, **proofs}).send(method, f"/v1/keys/{admin.key.kid}", b"{}")
    assert reply.status == 403
    assert page.get("/v1/status").status == 200


def test_the_same_change_of_the_page_itself_is_done(world: World, admin: KeyWithSecret) -> None:
    other = world.acting_key(admin.key.tenant)
    reply = Api({**signed_in(admin).headers, **OWN}).delete(f"/v1/keys/{other.key.kid}")
    assert reply.status == 200


def test_a_cookie_admits_no_call_of_an_agent(world: World, tenant: str) -> None:
    agent = world.acting_key(tenant)
    headers = {**signed_in(agent).headers, **OWN}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    with_key = world.request("POST", "/mcp", {"content-type": "application/json", **caller(agent)}, body)
    with_cookie = world.request("POST", "/mcp", {"content-type": "application/json", **headers}, body)
    assert (with_key.status, with_cookie.status) == (200, 401)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/projects/p/locations/l/collections/c/engines/e/servingConfigs/s:search",
        "/v1/%70rojects/p/locations/l/collections/c/engines/e/servingConfigs/s:search",
        "/v1/%2570rojects/p/locations/l/collections/c/engines/e/servingConfigs/s:search",
        "/indexes/default/docs/search",
        "/documents/_search",
    ],
)
def test_a_cookie_admits_no_call_of_a_dialect(world: World, tenant: str, path: str) -> None:
    headers = {**signed_in(world.acting_key(tenant)).headers, **OWN}
    assert world.request("POST", path, {"content-type": "application/json", **headers}, b"{}").status in {401, 404}


def test_two_cookies_of_the_name_admit_nobody(admin: KeyWithSecret) -> None:
    cookie = signed_in(admin).headers["cookie"]
    assert Api({"cookie": f"{cookie}; {cookie.partition('=')[0]}=x"}).get("/v1/status").status == 401
    assert Api({"cookie": f"theme=dark; {cookie}"}).get("/v1/status").status == 200


def test_a_changed_cookie_admits_nobody(admin: KeyWithSecret, world: World) -> None:
    agent = world.acting_key(admin.key.tenant)
    ann = signed_in(agent, x_user_id="ann").headers["cookie"].split(".")
    ben = signed_in(agent, x_user_id="ben").headers["cookie"].split(".")
    mixed = ".".join([ann[0], ann[1], ben[2], ann[3]])
    assert Api({"cookie": mixed}).get("/v1/status").status == 401


def test_the_cookie_is_no_key_and_the_key_is_no_cookie(admin: KeyWithSecret) -> None:
    name, _, text = signed_in(admin).headers["cookie"].partition("=")
    assert Api({"authorization": f"Bearer {text}"}).get("/v1/status").status == 401
    assert Api({"cookie": f"{name}={admin.secret.reveal()}"}).get("/v1/status").status == 401


def test_an_earlier_cookie_does_not_stop_the_next_sign_in(world: World, admin: KeyWithSecret) -> None:
    page, agent = signed_in(admin), world.acting_key(admin.key.tenant)
    reply = Api({**api(agent).headers, **page.headers}).post("/v1/session")
    assert Api({"cookie": cookie_of(reply)}).get("/v1/keys").status == 403
    assert page.post("/v1/session").status == 401


def test_more_tags_than_a_cookie_holds_are_refused(world: World, tenant: str) -> None:
    tags = json.dumps([f"department:{number:03}-{'x' * 60}" for number in range(60)])
    reply = api(world.acting_key(tenant)).stating(x_user_id="ann", x_session_tags=tags).post("/v1/session")
    assert reply.status == 400
    assert "fewer" in reply.json["error"]["message"]


def test_a_ticket_signs_in_once(world: World, admin: KeyWithSecret) -> None:
    sessions = world.services.administration.page_sessions
    ticket = sessions.issue_ticket(admin.key.tenant, admin.key.kid).text.reveal()
    signing = Api({"x-page-ticket": ticket})
    page = Api({"cookie": cookie_of(signing.post("/v1/session"))})
    assert page.get("/v1/keys").status == 200
    assert signing.post("/v1/session").status == 401


def test_a_ticket_is_no_cookie_no_key_and_a_cookie_is_no_ticket(world: World, admin: KeyWithSecret) -> None:
    sessions = world.services.administration.page_sessions
    ticket = sessions.issue_ticket(admin.key.tenant, admin.key.kid).text.reveal()
    assert Api({"cookie": f"groundwire-8080={ticket}"}).get("/v1/status").status == 401
    assert Api({"authorization": f"Bearer {ticket}"}).get("/v1/status").status == 401
    assert Api({"x-page-ticket": ticket}).get("/v1/status").status == 401
    cookie = signed_in(admin).headers["cookie"].partition("=")[2]
    assert Api({"x-page-ticket": cookie}).post("/v1/session").status == 401
    assert Api({"x-page-ticket": ticket, **api(admin).headers}).post("/v1/session").status == 400
    assert Api({"x-page-ticket": ticket}).post("/v1/session").status == 200


def test_a_call_with_a_key_has_no_page_session_to_end(admin: KeyWithSecret) -> None:
    page = signed_in(admin)
    assert api(admin).delete("/v1/session").json == {"signed_out": False}
    assert page.get("/v1/status").status == 200


def test_an_answer_to_a_cookie_allows_no_other_page_to_read_it(admin: KeyWithSecret) -> None:
    reply = Api({**signed_in(admin).headers, "origin": "http://127.0.0.1:9999"}).get("/v1/status")
    assert "access-control-allow-credentials" not in reply.headers
