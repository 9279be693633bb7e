"""Keys: creation requests and records."""

from typing import TYPE_CHECKING, Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import KeyKind
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.cursors import After, PageSize, page_answer, position_of
from groundwire.entry.rest.routes.keys.options import order_with_options, record_with_options
from groundwire.entry.rest.schema import (
    CollectionName,
    NewTagsAllowed,
    RequestModel,
    ResponseModel,
    StrictBoolean,
    StrictInteger,
    Tags,
    Timestamp,
    User,
    declared_errors,
)
from groundwire.entry.serialization.entities import key_to_json, keys_after, policy_tags_to_json
from groundwire.entry.serialization.key_spec import changed_key_facts, parse_key_change, parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.services.documents.tags.view import caller_view
from groundwire.services.keys.delegated_admin import CreatedKey

MaxTags = Annotated[
    list[str],
    Field(max_length=limits.MAX_TAGS_PER_CALL, description="Exact tags, or prefixes that end in `*`."),
]
CollectionSelection = Annotated[
    Literal["every"] | list[CollectionName],
    Field(description="Names of collections, or `every`."),
]


class KeyGrants(RequestModel):
    """Name and rights of a key to create."""

    name: str = Field(max_length=limits.MAX_NAME_CHARACTERS, examples=["sales agent"])
    kind: KeyKind
    scopes: list[Scope] = Field(min_length=1)
    collections: CollectionSelection
    user: User | None = Field(default=None, description="User of a personal key.")
    tags: Tags = Field(default_factory=list, description="Tags of a personal key.")
    max_tags: MaxTags = Field(
        default_factory=list, description="Tags that calls of an `act_as` or `oauth` key may send."
    )
    strict_tags: StrictBoolean = Field(
        default=False,
        description="An `act_as` key refuses calls with a tag outside `max_tags`, instead of ignoring the tag.",
    )


class KeyRights(ResponseModel):
    """Name and rights of a key."""

    kid: str = Field(examples=["4fGh7Kq2LmNp"])
    name: str
    kind: KeyKind
    user: str | None
    tags: list[str]
    max_tags: list[str] = Field(description="Tags that calls may send.")
    strict_tags: StrictBoolean
    scopes: list[Scope]
    collections: Literal["every"] | list[str]


if TYPE_CHECKING:
    _OrderedGrants, _RecordedRights = KeyGrants, KeyRights
else:
    # The fields of the options are between these and those below, as in the records of earlier releases.
    _OrderedGrants, _RecordedRights = order_with_options(KeyGrants), record_with_options(KeyRights)


class KeyOrder(_OrderedGrants):
    """A key to create; kind, scopes and collections have no defaults."""

    rate_per_minute: StrictInteger = Field(default=limits.DEFAULT_RATE_PER_MINUTE, description="Calls per minute.")
    burst: StrictInteger = Field(default=limits.DEFAULT_BURST, description="Calls at once, after a pause.")
    expires_in_days: StrictInteger | Literal["never"] = Field(
        default=limits.DEFAULT_KEY_DAYS, description="Days until the key expires, or `never`."
    )
    new_tags: NewTagsAllowed = False


class KeyChangeOrder(RequestModel):
    """Changes of a key; a field that is missing keeps its value. The secret and the options stay."""

    name: str | None = Field(default=None, max_length=limits.MAX_NAME_CHARACTERS, examples=["sales agent"])
    tags: Tags | None = Field(default=None, description="Tags of a personal key; null takes every tag.")
    max_tags: MaxTags | None = Field(default=None, description="Tags that calls may send; null takes every tag.")
    scopes: list[Scope] | None = Field(default=None, min_length=1)
    collections: CollectionSelection | None = None
    rate_per_minute: StrictInteger | None = Field(default=None, description="Calls per minute.")
    burst: StrictInteger | None = Field(default=None, description="Calls at once, after a pause.")
    expires_in_days: StrictInteger | Literal["never"] | None = Field(
        default=None, description="Days from now until the key expires, or `never`."
    )
    new_tags: NewTagsAllowed = False


class Rotation(RequestModel):
    """Rotation of a key."""

    overlap_hours: StrictInteger = Field(
        default=limits.ROTATION_OVERLAP_HOURS, description="Hours in which the old secret still works."
    )


class KeyRecord(_RecordedRights):
    """A key without its secret."""

    rate_per_minute: int = Field(description="Calls per minute.")
    burst: int = Field(description="Calls at once, after a pause.")
    created_at: Timestamp
    expires_at: Timestamp | None
    previous_until: Timestamp | None = Field(description="End of the secret before the last rotation.")
    last_used: Timestamp | None = Field(description="Time of the last call; null: never used.")
    revoked: StrictBoolean
    created_by: str | None = Field(default=None, description="User who created it over REST. Present if known.")
    created_with: str | None = Field(default=None, description="Key that created it over REST. Present if known.")
    rotated_by: str | None = Field(default=None, description="User who rotated it last over REST. Present if known.")
    rotated_with: str | None = Field(default=None, description="Key that rotated it last over REST. Present if known.")


class IssuedKey(KeyRecord):
    """A key with its secret, which no later answer contains."""

    key: str | None = Field(description="The secret; null for a key of the kind `oauth`, which has none.")


class KeyList(ResponseModel):
    """A page of the keys, by creation time."""

    keys: list[KeyRecord]
    next: str | None = Field(description="Value of `after` for the next page; null: there are no more.")


class PolicyTagList(ResponseModel):
    """Tags that policies use."""

    tags: list[str] = Field(examples=[["department:sales"]])
    complete: bool = Field(description="False if a limit ended the search for tags.")


_KEYS: Final = "keys"
router: Final = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.get("", response_model=KeyList, response_model_exclude_unset=True)
async def list_keys(
    context: CurrentContext, after: After = None, limit: PageSize = limits.DEFAULT_ROWS_PAGE
) -> JsonObject:
    """List the keys within the collections of this key, without secrets; revoked and expired keys are included."""
    keys = context.services.administration.delegated_key_admin.all(context.caller)
    return page_answer(context, _KEYS, [*keys_after(keys, position_of(context, _KEYS, after))], limit, "keys")


@router.get("/policy-tags", response_model=PolicyTagList)
async def list_policy_tags(context: CurrentContext) -> JsonObject:
    """List the tags that policies use in the collections of this key, as proposals for `max_tags`."""
    return policy_tags_to_json(
        context.services.administration.tags.in_policies(context.tenant, context.caller.collections)
    )


@router.post(
    "",
    status_code=201,
    response_model=IssuedKey,
    response_model_exclude_unset=True,
    responses=declared_errors(409, 413),
)
async def create_key(body: KeyOrder, context: CurrentContext) -> JsonObject:
    """Create a key; only this answer contains its secret."""
    # The operator's orders have the same form, so one parser decides about both.
    spec = parse_key_spec(context.tenant, ObjectReader(body.model_dump(mode="json", exclude={"new_tags"})))
    view, tags = caller_view(context.caller), spec.tags.union(spec.max_tags)
    context.services.administration.tags.new_tags.check(view, tags, allows_new=body.new_tags)
    return _issued_key(context, context.services.administration.delegated_key_admin.create(context.caller, spec))


@router.patch(
    "/{kid}", response_model=KeyRecord, response_model_exclude_unset=True, responses=declared_errors(404, 409, 413)
)
async def change_key(kid: str, body: KeyChangeOrder, context: CurrentContext) -> JsonObject:
    """Change a key that is in force, to one that you could create; the change holds from its next call on."""
    given = body.model_dump(mode="json", exclude={"new_tags"}, exclude_unset=True)
    change = parse_key_change(ObjectReader({name: _cleared(name, value) for name, value in given.items()}))
    view, tags = caller_view(context.caller), (change.tags or frozenset()).union(change.max_tags or ())
    context.services.administration.tags.new_tags.check(view, tags, allows_new=body.new_tags)
    changed = context.services.administration.delegated_key_admin.change(context.caller, kid, change)
    context.note(**changed_key_facts(changed))
    return key_to_json(changed.after)


@router.post(
    "/{kid}/rotate",
    response_model=IssuedKey,
    response_model_exclude_unset=True,
    responses=declared_errors(404, 409, 413),
)
async def rotate_key(kid: str, rotation: Rotation, context: CurrentContext) -> JsonObject:
    """Give a key a new secret; the old one works for `overlap_hours`."""
    return _issued_key(
        context, context.services.administration.delegated_key_admin.rotate(context.caller, kid, rotation.overlap_hours)
    )


@router.delete("/{kid}", response_model=KeyRecord, response_model_exclude_unset=True, responses=declared_errors(404))
async def revoke_key(kid: str, context: CurrentContext) -> JsonObject:
    """Revoke a key; the server refuses its next call. You can repeat the call."""
    key = context.services.administration.delegated_key_admin.revoke(context.caller, kid)
    context.note(key=key.kid)
    return key_to_json(key)


def _issued_key(context: RestContext, issued: CreatedKey) -> JsonObject:
    context.note(key=issued.key.kid)
    return key_to_json(issued.key) | {"key": None if issued.secret is None else issued.secret.reveal()}


_CLEARED: Final[dict[str, object]] = {"tags": [], "max_tags": []}
"""Values of the members of a change that null clears. No null gives a right: who wants no expiry writes `never`."""


def _cleared(name: str, value: object) -> object:
    if value is not None:
        return value
    if name not in _CLEARED:
        raise InvalidInput(f"`{name}` cannot be null: leave it out to keep it.")
    return _CLEARED[name]
