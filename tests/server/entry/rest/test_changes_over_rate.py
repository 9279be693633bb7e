"""Searchers who spend the rate of their tenant keep nobody from ending or narrowing rights."""

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.server.entry.rest.test_documents import CLOSED, put
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


@pytest.fixture
def spent(world: World, tenant: str) -> tuple[Api, Api]:
    """An administrator and a searcher of a tenant whose rate is spent, with the document d-1."""
    put(world, tenant, "d-1", PUBLIC)
    admin = api(key(world, tenant, Scope.ADMIN, Scope.INGEST, Scope.SHARE))
    searcher = api(key(world, tenant, Scope.SEARCH, user="ann"))
    world.services.administration.tenant_admin.set_rate(tenant, 1, 1)
    searcher.get("/v1/whoami")
    assert searcher.get("/v1/whoami").status == 429
    return admin, searcher


def change(admin: Api, name: str) -> Reply:
    match name:
        case "policy":
            return admin.put("/v1/documents/d-1/policy", **CLOSED)
        case "close":
            return admin.post("/v1/documents/d-1/close")
        case "delete":
            return admin.delete("/v1/documents/d-1")
        case "block":
            return admin.post("/v1/users/block", users=["ben"])
        case _:
            return admin.post("/v1/users/offboard", users=["ben"])


@pytest.mark.parametrize("name", ["policy", "close", "delete", "block", "offboard"])
def test_a_change_of_rights_is_made_while_the_rate_of_the_tenant_is_spent(spent: tuple[Api, Api], name: str) -> None:
    admin, searcher = spent
    assert change(admin, name).status == 200
    assert admin.get("/v1/documents").status == 429
    assert searcher.get("/v1/whoami").status == 429


def test_a_key_without_the_right_is_refused_for_that(spent: tuple[Api, Api]) -> None:
    assert spent[1].post("/v1/documents/d-1/close").status == 403
