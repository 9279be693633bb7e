"""`/v1/users`: tags for agents that send only a user."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.errors import Denied
from groundwire.domain.grants import EVERY
from groundwire.domain.policy_form import tag_set
from groundwire.domain.tags import parse_user
from groundwire.entry.rest.models.users import GoneUser, UserList, UserRecord, UserTags
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work
from groundwire.entry.rows import user_row

router: Final = APIRouter(prefix="/v1/users", tags=["users"], route_class=ScopedRoute)

Row = dict[str, object]

_EVERYWHERE: Final = "A user's tags count in every collection: they are for a key that reaches them all."


@router.get("", response_model=UserList)
async def list_users(work: Asked) -> Row:
    """Every user that has an entry."""
    _check_reach(work)
    return {"users": [user_row(user, tags) for user, tags in work.services.users.all(work.tenant)]}


@router.put("/{user:path}", response_model=UserRecord)
async def set_user(user: str, entry: UserTags, work: Asked) -> Row:
    """The user's entry is exactly these tags."""
    _check_reach(work)
    named, tags = parse_user(user), tag_set(entry.tags)
    work.services.users.set(work.tenant, named, tags)
    work.note(entry=named)
    return user_row(named, tags)


@router.delete("/{user:path}", response_model=GoneUser)
async def delete_user(user: str, work: Asked) -> Row:
    """A call that names the user and no tags has none from now on."""
    _check_reach(work)
    named = parse_user(user)
    work.services.users.delete(work.tenant, named)
    work.note(entry=named)
    return {"user": named}


def _check_reach(work: Work) -> None:
    if work.caller.collections != EVERY:
        raise Denied(_EVERYWHERE)
