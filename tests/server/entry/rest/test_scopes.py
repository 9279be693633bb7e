"""Which key may call which route: a table, and a route without a row in it is nobody's."""

from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import ROUTE_SCOPES, Scope
from groundwire.entry.rest import application
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from tests.server.entry.rest.api import OPENAPI, Api, Reply, api, key
from tests.support.worlds.world import World

_ADMIN: Final = {"admin"}
_OWNER: Final = {"admin", "ingest"}
_EVERY: Final = {scope.value for scope in Scope} - {"act_as"}
EXPECTED: Final = {
    "GET /v1/status": _EVERY,
    "GET /v1/doctor": _ADMIN,
    "POST /v1/session": _EVERY,
    "DELETE /v1/session": _EVERY,
    "GET /v1/whoami": _EVERY,
    "GET /v1/keys": _ADMIN,
    "POST /v1/keys": _ADMIN,
    "GET /v1/keys/policy-tags": _ADMIN,
    "PATCH /v1/keys/4fGh7Kq2LmNp": _ADMIN,
    "POST /v1/keys/4fGh7Kq2LmNp/rotate": _ADMIN,
    "DELETE /v1/keys/4fGh7Kq2LmNp": _ADMIN,
    "GET /v1/users": _ADMIN,
    "GET /v1/users/blocked": _ADMIN,
    "POST /v1/users/block": _ADMIN,
    "POST /v1/users/unblock": _ADMIN,
    "POST /v1/users/offboard": _ADMIN,
    "PUT /v1/users/ann": _ADMIN,
    "PATCH /v1/users/ann": _ADMIN,
    "DELETE /v1/users/ann": _ADMIN,
    "GET /v1/tags": _ADMIN,
    "POST /v1/tags/check": _OWNER,
    "POST /v1/tags/rename": _ADMIN,
    "POST /v1/access/check": _ADMIN,
    "POST /v1/access/readers": _ADMIN,
    "POST /v1/access/documents": _ADMIN,
    "POST /v1/access/what-if": _ADMIN,
    "POST /v1/access/why-not": _ADMIN,
    "GET /v1/audit": _ADMIN,
    "GET /v1/audit/verify": _ADMIN,
    "GET /v1/audit/callers": _ADMIN,
    "GET /v1/usage": _ADMIN,
    "GET /v1/evaluations": _ADMIN,
    "POST /v1/evaluations": _ADMIN,
    "GET /v1/evaluations/e_1": _ADMIN,
    "GET /v1/evaluations/e_1/comparison": _ADMIN,
    "DELETE /v1/evaluations/e_1": _ADMIN,
    "GET /v1/groups": _ADMIN,
    "POST /v1/groups/explain-token": _ADMIN,
    "PUT /v1/groups/staff": _ADMIN,
    "DELETE /v1/groups/staff": _ADMIN,
    "GET /v1/collections": _OWNER,
    "GET /v1/collections/{name}/proposal": _ADMIN,
    "PUT /v1/collections/handbook": _ADMIN,
    "DELETE /v1/collections/handbook": _ADMIN,
    "GET /v1/documents": _OWNER,
    "GET /v1/documents/d-1": _OWNER,
    "PUT /v1/documents/d-1/policy": _OWNER,
    "POST /v1/documents/d-1/close": _OWNER,
    "POST /v1/documents/d-1/lift": _OWNER,
    "DELETE /v1/documents/d-1": _OWNER,
    "GET /v1/deletions": _OWNER,
    "POST /v1/deletions/d-1/restore": _OWNER,
    "DELETE /v1/deletions/d-1": _OWNER,
    "POST /v1/uploads": _OWNER,
    "POST /v1/uploads/plan": _OWNER,
    "GET /v1/uploads/up_1": _OWNER,
    "GET /v1/ingestions": _ADMIN,
    "GET /v1/ingestions/r_1": _ADMIN,
    "POST /v1/ingestions/r_1/cancel": _ADMIN,
    "POST /v1/search": {"search", "admin"},
    "POST /v1/search/dialects": {"search", "admin"},
}
"""Scopes of which any one is enough, by a request of each route, as in docs/rest.md."""
DENIED: Final = "denied"


def ask(client: Api, request: str) -> Reply:
    """With a body that no route takes, so that whoever is let in changes nothing."""
    method, path = request.split()
    return client.send(method, path, b'{"unknown": 1}' if method in {"POST", "PUT"} else b"")


@pytest.mark.parametrize("scope", sorted(_EVERY))
def test_a_scope_opens_the_routes_of_its_rows_and_no_other(world: World, tenant: str, scope: str) -> None:
    client = api(key(world, tenant, Scope(scope)))

    opened = {request for request in EXPECTED if ask(client, request).status != 403}

    assert opened == {request for request, scopes in EXPECTED.items() if scope in scopes}


def test_a_refusal_comes_before_the_request_is_read_and_names_the_scope(world: World, tenant: str) -> None:
    client = api(key(world, tenant, Scope.SEARCH))

    for body in (b"", b"{", b"[" * 100_000, b"x" * 2_000_000):
        refused = client.send("POST", "/v1/keys", body)
        assert (refused.status, refused.code) == (403, DENIED)
        assert "`admin`" in refused.json["error"]["message"]


def test_the_table_the_application_and_the_specification_name_the_same_routes() -> None:
    described = {
        f"{method.upper()} {path}": set(operation["x-scopes"])
        for path, operations in OPENAPI["paths"].items()
        for method, operation in operations.items()
    }

    assert described == {route: set(scopes) for route, scopes in ROUTE_SCOPES.items()}
    assert len(EXPECTED) == len(ROUTE_SCOPES)


def test_a_route_without_a_row_is_refused_even_to_an_administrator(admin: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ROUTE_SCOPES, "GET /v1/users")

    assert admin.get("/v1/users").code == DENIED


def test_a_router_of_another_kind_does_not_get_in() -> None:
    routes: list[Any] = [route for router in application.ROUTERS for route in router.routes]

    assert routes
    assert all(isinstance(route, ScopedRoute) for route in routes)
