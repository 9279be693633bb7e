"""Identity and rights of the call itself."""

from typing import Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.keys.sharing import is_bounded
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import ResponseModel, Timestamp
from groundwire.entry.serialization.stored_members import format_utc

router: Final = APIRouter(prefix="/v1/whoami", tags=["whoami"], route_class=ScopedRoute)


class Identity(ResponseModel):
    """Identity and rights of a call: its key, and whom the key acts for."""

    tenant: str
    kid: str = Field(description="Id of the key.")
    name: str | None = Field(description="Name of the key; null: the key was deleted meanwhile.")
    kind: Literal["personal", "act_as", "oauth"]
    expires_at: Timestamp | None
    scopes: list[Scope]
    administrator: bool = Field(description="Whether the scopes include `admin`.")
    bounded: bool = Field(description="Whether the key is limited to collections or dialects.")
    collections: Literal["every"] | list[str]
    dialects: list[str] | None = Field(description="Dialects that the key may use; null: every one.")
    user: str | None = Field(description="User for whom the call acts.")
    tags: list[str] = Field(description="Tags that count in this call.")
    tags_from: str | None = Field(description="Source of the tags: `call`, `entry`, `key` or `token`.")
    tags_ignored: int = Field(description="Number of tags of the call that give no right.")


@router.get("", response_model=Identity)
async def whoami(context: CurrentContext) -> dict[str, object]:
    """Show who calls: tenant, key, user, scopes, bounds, and the tags that count."""
    caller, principal = context.caller, context.caller.principal
    key = context.services.stores.keys.get(context.tenant, caller.kid)
    dialects, collections = caller.options.dialects, caller.collections
    return {
        "tenant": context.tenant,
        "kid": caller.kid,
        "name": None if key is None else key.name,
        "kind": caller.kind.value,
        "expires_at": None if key is None else format_utc(key.expires_at),
        # Those of the call: a token can grant fewer than its key.
        "scopes": sorted(caller.scopes),
        "administrator": missing_scope(caller.scopes, Scope.ADMIN) is None,
        "bounded": is_bounded(caller),
        "collections": ALL_COLLECTIONS if collections == ALL_COLLECTIONS else sorted(collections),
        "dialects": None if dialects is None else sorted(dialects),
        "user": principal.user,
        "tags": sorted(principal.tags),
        "tags_from": None if caller.tag_source is None else caller.tag_source.value,
        "tags_ignored": caller.tags_ignored,
    }
