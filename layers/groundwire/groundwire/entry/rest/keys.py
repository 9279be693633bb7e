"""`/v1/keys`: the keys of the tenant, in the hands of an administrator's key."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.grants import EVERY
from groundwire.entry.rest.models.keys import IssuedKey, KeyList, KeyOrder, KeyRecord, Rotation
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work
from groundwire.entry.rows import key_row
from groundwire.services import keys
from groundwire.services.delegated_keys import Delegated

router: Final = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=ScopedRoute)

Row = dict[str, object]


@router.get("", response_model=KeyList)
async def list_keys(work: Asked) -> Row:
    """Keys that reach no further than this one, revoked and expired ones included, without their secrets."""
    return {"keys": [key_row(key) for key in work.services.delegated_keys.all(work.caller)]}


@router.post("", status_code=201, response_model=IssuedKey)
async def create_key(order: KeyOrder, work: Asked) -> Row:
    """A new key; its secret is in this answer and nowhere else."""
    return _issued(work, work.services.delegated_keys.create(work.caller, _order(work.tenant, order)))


@router.post("/{kid}/rotate", response_model=IssuedKey)
async def rotate_key(kid: str, rotation: Rotation, work: Asked) -> Row:
    """Another secret for the key; the old one works on for a while, so that nobody is cut off."""
    return _issued(work, work.services.delegated_keys.rotate(work.caller, kid, rotation.overlap_hours))


@router.delete("/{kid}", response_model=KeyRecord)
async def revoke_key(kid: str, work: Asked) -> Row:
    """The key's next call is refused; repeating it changes nothing."""
    key = work.services.delegated_keys.revoke(work.caller, kid)
    work.note(key=key.kid)
    return key_row(key)


def _issued(work: Work, made: Delegated) -> Row:
    work.note(key=made.key.kid)
    return key_row(made.key) | {"key": None if made.text is None else made.text.reveal()}


def _order(tenant: str, order: KeyOrder) -> keys.KeyOrder:
    return keys.KeyOrder(
        tenant=tenant,
        name=order.name,
        kind=order.kind,
        user=order.user,
        tags=frozenset(order.tags),
        max_tags=tuple(order.max_tags),
        strict_tags=order.strict_tags,
        scopes=frozenset(order.scopes),
        collections=EVERY if order.collections == EVERY else frozenset(order.collections),
        top_n=order.top_n,
        expand_tokens=order.expand_tokens,
        toolset=order.toolset,
        rate_per_minute=order.rate_per_minute,
        burst=order.burst,
        expires_in_days=order.expires_in_days,
    )
