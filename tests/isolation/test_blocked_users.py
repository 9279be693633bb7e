"""Every dialect refuses blocked users and suspended tenants as unknown keys, and tags alone if a user is required."""

import re
import secrets
from collections.abc import Mapping
from typing import Final

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.keys.forms.key_text import mint_key
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.isolation.dialect_calls import DIALECT_CALLS, DialectCall, Wanted
from tests.support.isolation.policies import for_users
from tests.support.worlds.world import World, caller

ELIF: Final = "elif@acme.example"
BLOCK: Final = UserBlock("Elif@ACME.example", Decision("olga", 0.0, "", ""))
DIALECTS: Final = sorted({call.name.partition(":")[0] for call in DIALECT_CALLS})
_REQUEST_ID: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_block_is_in_force_on_the_next_call_with_the_answer_of_an_unknown_key(world: World, dialect: str) -> None:
    tenant = world.tenant("amber")
    wanted = _collection_of_all(world, tenant)
    # Calls without a toolset are of any key.
    acting = {call.toolset: _acting(world, tenant, call) for call in _calls(dialect)}
    personal = {
        toolset: world.twin(world.personal_key(tenant, ELIF, frozenset()), toolset or "default") for toolset in acting
    }
    unknown = {"authorization": f"Bearer {mint_key('local', secrets.token_bytes).text.reveal()}"}
    for call in _calls(dialect):
        ways = (caller(acting[call.toolset], ELIF), caller(personal[call.toolset]))
        refused = _sent(world, call, wanted, unknown)
        assert refused[0] == call.wrong_key_status, call.name
        assert all(_sent(world, call, wanted, way)[0] != refused[0] for way in ways), call.name
        world.services.stores.users.block(tenant, BLOCK)
        assert [_sent(world, call, wanted, way) for way in ways] == [refused, refused], call.name
        assert _sent(world, call, wanted, caller(acting[call.toolset], "bob"))[0] != refused[0], call.name
        world.services.stores.users.unblock(tenant, ELIF)
        assert all(_sent(world, call, wanted, way)[0] != refused[0] for way in ways), call.name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_suspended_tenant_gets_the_answer_of_an_unknown_key_until_it_is_resumed(world: World, dialect: str) -> None:
    tenant, other = world.tenant("amber"), world.tenant("birch")
    wanted = _collection_of_all(world, tenant)
    unknown = {"authorization": f"Bearer {mint_key('local', secrets.token_bytes).text.reveal()}"}
    admin = world.services.administration.tenant_admin
    for call in _calls(dialect):
        own, foreign = (caller(_acting(world, each, call), ELIF) for each in (tenant, other))
        refused = _sent(world, call, wanted, unknown)
        assert _sent(world, call, wanted, own)[0] != refused[0], call.name
        admin.suspend("amber")
        assert _sent(world, call, wanted, own) == refused, call.name
        assert _sent(world, call, wanted, foreign)[0] != refused[0], call.name
        admin.resume("amber")
        assert _sent(world, call, wanted, own)[0] != refused[0], call.name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_key_that_requires_a_user_refuses_tags_alone_and_names_the_header(world: World, dialect: str) -> None:
    tenant = world.tenant("amber")
    wanted = _collection_of_all(world, tenant)
    for call in _calls(dialect):
        toolset = call.toolset or "default"
        strict, lax = (world.acting_key(tenant, toolset=toolset, require_user=each) for each in (True, False))
        tags = frozenset({"sales"})
        status, answer = _sent(world, call, wanted, caller(strict, tags=tags))
        assert (status, b"x-user-id" in answer) == (403, True), call.name
        assert _sent(world, call, wanted, caller(strict, "", tags)) == (status, answer), call.name
        assert _sent(world, call, wanted, caller(strict)) == (status, answer), call.name
        assert _sent(world, call, wanted, caller(strict, ELIF, tags))[0] != status, call.name
        assert b"x-user-id" not in _sent(world, call, wanted, caller(lax, tags=tags))[1], call.name


def test_a_suspended_tenants_links_open_nothing_until_it_is_resumed(world: World) -> None:
    tenant = world.tenant("amber")
    wanted = _collection_of_all(world, tenant)
    [found, *_] = world.search(caller(world.acting_key(tenant), ELIF), "ledger").segments
    assert wanted
    assert world.open(found["source_url"]).status == 200
    world.services.administration.tenant_admin.suspend("amber")
    assert world.open(found["source_url"]).status == 404
    world.services.administration.tenant_admin.resume("amber")
    assert world.open(found["source_url"]).status == 200


def _calls(dialect: str) -> list[DialectCall]:
    return [call for call in DIALECT_CALLS if call.name.partition(":")[0] == dialect]


def _collection_of_all(world: World, tenant: str) -> Wanted:
    for doc_id in ("d-1", "d-2"):
        world.ingest(tenant, f"The ledger of {doc_id}.", for_users(ELIF), path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)
    [found, *_] = world.search(caller(world.acting_key(tenant), ELIF), "ledger").segments
    return Wanted("default", "d-1", found["segment_uid"], "d-2")


def _acting(world: World, tenant: str, call: DialectCall) -> KeyWithSecret:
    return world.acting_key(tenant, toolset=call.toolset or "default")


def _sent(world: World, call: DialectCall, wanted: Wanted, who: Mapping[str, str]) -> tuple[int, bytes]:
    """Return status and bytes of the answer, without the id that each has of its own."""
    method, path, body = call.send(wanted)
    answer = world.request(method, path, {**call.headers, **who}, body)
    return answer.status, _REQUEST_ID.sub(b"", answer.bytes)
