"""Users: the tags that a tenant stores for them, their blocks, and the offboarding of somebody who left."""

from functools import partial
from typing import Final

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.access.decision import MAX_REASON_CHARACTERS, Decision
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.sharing import is_bounded, may_see_key
from groundwire.domain.limits import DEFAULT_ROWS_PAGE, MAX_USERS_AT_ONCE
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.cursors import After, PageSize, page_answer, position_of
from groundwire.entry.rest.schema import (
    NewTagsAllowed,
    RequestModel,
    ResponseModel,
    StrictBoolean,
    Tags,
    Timestamp,
    User,
    declared_errors,
)
from groundwire.entry.serialization.entities import user_to_json
from groundwire.entry.serialization.users import (
    block_facts,
    block_to_json,
    blocks_after,
    receipt_facts,
    receipt_to_json,
    users_after,
)
from groundwire.services.documents.tags.view import caller_view


class UserTags(RequestModel):
    """Tags to store for a user."""

    tags: Tags
    new_tags: NewTagsAllowed = False


class UserTagsChange(RequestModel):
    """Tags that a user gets, and tags that the user no longer has; all others stay."""

    add_tags: Tags = Field(default_factory=list[str])
    remove_tags: Tags = Field(default_factory=list[str])
    new_tags: NewTagsAllowed = False


class UserRecord(ResponseModel):
    """A user with the stored tags."""

    user: str
    tags: list[str]


class UserList(ResponseModel):
    """A page of the users with stored tags, by name."""

    users: list[UserRecord]
    next: str | None = Field(description="Value of `after` for the next page; null: there are no more.")


class UserIds(RequestModel):
    """Users, as ids of one person or of several."""

    users: list[User] = Field(min_length=1, max_length=MAX_USERS_AT_ONCE, description="Ids in any letter case.")


class BlockOrder(UserIds):
    """Users to block."""

    decision_reason: str = Field(default="", max_length=MAX_REASON_CHARACTERS, description="Reason, for the record.")


class OffboardingOrder(BlockOrder):
    """All ids of one person who leaves."""

    revoke_created: StrictBoolean = Field(
        default=False, description="Revoke the keys that the person created or rotated, too."
    )


class BlockRecord(ResponseModel):
    """A blocked user, and who decided so."""

    user: str
    decided_by: str | None = Field(description="User of the key, or of the operating system.")
    decided_at: Timestamp
    decided_key: str | None = Field(description="Key with which the user was blocked.")
    decision_reason: str | None


class BlockList(ResponseModel):
    """Blocked users, the earliest block first."""

    users: list[BlockRecord]


class BlockPage(BlockList):
    """A page of the blocked users, the earliest block first."""

    next: str | None = Field(description="Value of `after` for the next page; null: there are no more.")


class UnblockedUsers(ResponseModel):
    """Users whose block ended."""

    users: list[str]


class ReceiptKey(ResponseModel):
    """A key in a receipt."""

    kid: str
    name: str
    kind: KeyKind
    user: str | None
    revoked: StrictBoolean


class ReceiptDocument(ResponseModel):
    """A document whose readers name the user."""

    doc_id: str
    collection: str
    file: str
    named_in: list[str] = Field(description="Rules that name the user: `policy`, `ceiling`.")


class ReceiptSource(ResponseModel):
    """An MCP source whose policies name the user."""

    id: str
    name: str


class Receipt(ResponseModel):
    """Rights that ended with a user, and those that remain to be checked."""

    users: list[BlockRecord]
    revoked_keys: list[ReceiptKey] = Field(description="Personal keys of the user.")
    created_keys: list[ReceiptKey] = Field(
        description="Keys that the user created or rotated and whose secrets may be known."
    )
    keys_without_creator: int = Field(description="Other keys in force whose creator is not recorded.")
    keys_without_user: list[ReceiptKey] = Field(
        description="Delegated keys whose calls may send tags alone: no block recognises these calls."
    )
    removed_tags: list[UserRecord]
    documents: list[ReceiptDocument]
    sources: list[ReceiptSource]


class GoneUser(ResponseModel):
    """A user whose stored tags were deleted."""

    user: str


router: Final = APIRouter(prefix="/v1/users", tags=["users"], route_class=ScopedRoute)

JsonObject = dict[str, object]

_USERS: Final = "users"
_BLOCKS: Final = "blocked users"
_UNBOUNDED_REQUIRED: Final = (
    "Tags and blocks apply to the whole tenant, so this needs a key for all collections. Tags, and the end of a block, "
    "need one for all dialects as well."
)


@router.get("", response_model=UserList)
async def list_users(context: CurrentContext, after: After = None, limit: PageSize = DEFAULT_ROWS_PAGE) -> JsonObject:
    """List the users with stored tags, by name; a page can have fewer users than `limit` and still a `next`."""
    _check_unbounded(context)
    entries = context.services.stores.users.all(context.tenant)
    return page_answer(context, _USERS, [*users_after(entries, position_of(context, _USERS, after))], limit, "users")


@router.get("/blocked", response_model=BlockPage)
async def list_blocked_users(
    context: CurrentContext, after: After = None, limit: PageSize = DEFAULT_ROWS_PAGE
) -> JsonObject:
    """List the blocked users, the earliest block first."""
    _check_all_collections(context)
    blocks = context.services.administration.user_admin.blocked(context.tenant)
    return page_answer(context, _BLOCKS, [*blocks_after(blocks, position_of(context, _BLOCKS, after))], limit, "users")


@router.post("/block", response_model=BlockList, responses=declared_errors(413))
async def block_users(order: BlockOrder, context: CurrentContext) -> JsonObject:
    """Block users: the server refuses their next call, whatever key or token names them. You can repeat the call."""
    _check_all_collections(context)
    decision = _decision(context, order)
    blocks = context.services.administration.user_admin.block(context.tenant, order.users, decision)
    context.note(**block_facts([block.user for block in blocks], decision))
    return {"users": [block_to_json(block) for block in blocks]}


@router.post("/unblock", response_model=UnblockedUsers, responses=declared_errors(404, 413))
async def unblock_users(order: UserIds, context: CurrentContext) -> JsonObject:
    """End the blocks of users. Revoked keys stay revoked."""
    _check_unbounded(context)
    # Only blocks that existed are named, so that the audit line states what has changed.
    ended = context.services.administration.user_admin.unblock(context.tenant, order.users)
    context.note(unblocked=ended)
    return {"users": ended}


@router.post("/offboard", response_model=Receipt, responses=declared_errors(413))
async def offboard_user(order: OffboardingOrder, context: CurrentContext) -> JsonObject:
    """Block all ids of a person, revoke the keys and remove the stored tags. You can repeat the call."""
    _check_all_collections(context)
    decision = _decision(context, order)
    # Sources have policies of their own, which the registry of documents does not know.
    sources = [record.source for record in context.services.sources.registry.records(context.call)]
    receipt = context.services.administration.user_admin.offboard(
        context.tenant,
        order.users,
        decision,
        sources,
        revoke_created=order.revoke_created,
        sees_key=partial(may_see_key, context.caller),
    )
    context.note(**receipt_facts(receipt, decision))
    return receipt_to_json(receipt)


# The name of a user may contain a slash.
@router.put("/{user:path}", response_model=UserRecord, responses=declared_errors(409, 413))
async def set_user(user: str, entry: UserTags, context: CurrentContext) -> JsonObject:
    """Replace the stored tags of a user."""
    _check_unbounded(context)
    user_name, tags = parse_user(user), parse_tags(entry.tags)
    context.services.administration.tags.new_tags.check(caller_view(context.caller), tags, allows_new=entry.new_tags)
    context.services.stores.users.set(context.tenant, user_name, tags)
    context.note(entry=user_name)
    return user_to_json(user_name, tags)


@router.patch("/{user:path}", response_model=UserRecord, responses=declared_errors(409, 413))
async def change_user(user: str, change: UserTagsChange, context: CurrentContext) -> JsonObject:
    """Add stored tags of a user and remove others; of two changes at once both count."""
    _check_unbounded(context)
    added, removed = parse_tags(change.add_tags), parse_tags(change.remove_tags)
    context.services.administration.tags.new_tags.check(caller_view(context.caller), added, allows_new=change.new_tags)
    name, tags = context.services.administration.user_admin.change_tags(context.tenant, user, added, removed)
    context.note(entry=name)
    return user_to_json(name, tags)


@router.delete("/{user:path}", response_model=GoneUser, responses=declared_errors(404))
async def delete_user(user: str, context: CurrentContext) -> JsonObject:
    """Delete the stored tags of a user; the next call has none."""
    _check_unbounded(context)
    user_name = parse_user(user)
    context.services.stores.users.delete(context.tenant, user_name)
    context.note(entry=user_name)
    return {"user": user_name}


def _decision(context: RestContext, order: BlockOrder) -> Decision:
    user_admin = context.services.administration.user_admin
    return user_admin.decision(context.caller.principal.user or "", context.caller.kid, order.decision_reason)


def _check_all_collections(context: RestContext) -> None:
    # A block only takes rights, so that an administrator of some dialects may decide about it.
    if context.caller.collections != ALL_COLLECTIONS:
        raise Forbidden(_UNBOUNDED_REQUIRED)


def _check_unbounded(context: RestContext) -> None:
    if is_bounded(context.caller):
        raise Forbidden(_UNBOUNDED_REQUIRED)
