"""Keys: creation requests and records."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.keys.grants import KeyKind
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import (
    CollectionName,
    RequestModel,
    ResponseModel,
    StrictBoolean,
    StrictInteger,
    Tags,
    Timestamp,
    User,
)
from groundwire.entry.serialization.entities import key_to_json, policy_tags_to_json
from groundwire.entry.serialization.key_spec import parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.services.keys.delegated_admin import CreatedKey

MaxTags = Annotated[
    list[str],
    Field(max_length=limits.MAX_TAGS_PER_CALL, description="Exact tags, or prefixes that end in `*`."),
]
CollectionSelection = Annotated[
    Literal["every"] | list[CollectionName],
    Field(description="Names of collections, or `every`."),
]


class KeyOrder(RequestModel):
    """A key to be made; whom it speaks for, what it may do and where is said aloud."""

    name: str = Field(max_length=limits.MAX_NAME_CHARACTERS, examples=["sales agent"])
    kind: KeyKind
    scopes: list[Scope] = Field(min_length=1)
    collections: CollectionSelection
    user: User | None = Field(default=None, description="Of a personal key.")
    tags: Tags = Field(default_factory=list, description="Of a personal key.")
    max_tags: MaxTags = Field(default_factory=list, description="What an `act_as` or `oauth` key may bring.")
    strict_tags: StrictBoolean = Field(
        default=False, description="An `act_as` key refuses a tag outside `max_tags` instead of ignoring it."
    )
    top_n: StrictInteger = limits.DEFAULT_TOP_N
    expand_tokens: StrictInteger = 0
    max_tokens: StrictInteger = Field(
        default=limits.DEFAULT_ANSWER_TOKENS, description="Tokens of an answer at most, as o200k counts them."
    )
    toolset: str = DEFAULT_TOOLSET
    dialects: list[str] | None = Field(
        default=None, min_length=1, description="Dialects that the key may use; null: every one that is switched on."
    )
    floor: Annotated[float, Field(ge=0, le=1, strict=True)] | None = Field(
        default=None,
        description="Least relevance of an answer's best passage; 0: no floor; null: that of the collections.",
    )
    split_first_phrase: StrictBoolean = Field(
        default=False, description="`rag_search` also searches the questions of a compound first phrase one by one."
    )
    sources: StrictBoolean = Field(default=False, description="The tools of MCP sources are listed on `/mcp`, too.")
    rate_per_minute: StrictInteger = limits.DEFAULT_RATE_PER_MINUTE
    burst: StrictInteger = limits.DEFAULT_BURST
    expires_in_days: StrictInteger | Literal["never"] = limits.DEFAULT_KEY_DAYS


class Rotation(RequestModel):
    """How a key gets its next secret."""

    overlap_hours: StrictInteger = Field(
        default=limits.ROTATION_OVERLAP_HOURS, description="How long the old secret works on."
    )


class KeyRecord(ResponseModel):
    """A key without its secret."""

    kid: str = Field(examples=["4fGh7Kq2LmNp"])
    name: str
    kind: KeyKind
    user: str | None
    tags: list[str]
    max_tags: list[str]
    strict_tags: StrictBoolean
    scopes: list[Scope]
    collections: Literal["every"] | list[str]
    top_n: int
    expand_tokens: int
    max_tokens: int
    toolset: str
    dialects: list[str] = Field(default=[], description="Only of a key that may not use every dialect.")
    floor: float | None = Field(default=None, description="Only of a key with a floor of its own.")
    split_first_phrase: StrictBoolean = Field(default=False, description="Only of a key that has it.")
    sources: StrictBoolean = Field(default=False, description="Only of a key that has it.")
    rate_per_minute: int
    burst: int
    created_at: Timestamp
    expires_at: Timestamp | None
    previous_until: Timestamp | None = Field(description="Until when the secret before the last rotation works.")
    last_used: Timestamp | None
    revoked: StrictBoolean


class IssuedKey(KeyRecord):
    """A key with its secret, which nobody can show again."""

    key: str | None = Field(description="The secret, this once; null for a key of the kind `oauth`, which has none.")


class KeyList(ResponseModel):
    """Every key of the tenant, by creation time."""

    keys: list[KeyRecord]


class PolicyTagList(ResponseModel):
    """Tags that policies use; a key for an agent may be bound to them."""

    tags: list[str] = Field(examples=[["department:sales"]])
    complete: bool = Field(description="False: there may be more, since a limit ended the reading.")


router: Final = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.get("", response_model=KeyList, response_model_exclude_unset=True)
async def list_keys(context: CurrentContext) -> JsonObject:
    """Keys that reach no further than this one, revoked and expired ones included, without their secrets."""
    return {"keys": [key_to_json(key) for key in context.services.delegated_key_admin.all(context.caller)]}


@router.get("/policy-tags", response_model=PolicyTagList)
async def list_policy_tags(context: CurrentContext) -> JsonObject:
    """The tags that policies use in the collections that this key reaches, as proposals for `max_tags`."""
    return policy_tags_to_json(context.services.policy_tags(context.tenant, context.caller.collections))


@router.post("", status_code=201, response_model=IssuedKey, response_model_exclude_unset=True)
async def create_key(body: KeyOrder, context: CurrentContext) -> JsonObject:
    """A new key; its secret is in this answer and nowhere else."""
    spec = parse_key_spec(context.tenant, ObjectReader(body.model_dump(mode="json")))
    return _issued_key(context, context.services.delegated_key_admin.create(context.caller, spec))


@router.post("/{kid}/rotate", response_model=IssuedKey, response_model_exclude_unset=True)
async def rotate_key(kid: str, rotation: Rotation, context: CurrentContext) -> JsonObject:
    """Another secret for the key; the old one works on for a while, so that nobody is cut off."""
    return _issued_key(
        context, context.services.delegated_key_admin.rotate(context.caller, kid, rotation.overlap_hours)
    )


@router.delete("/{kid}", response_model=KeyRecord, response_model_exclude_unset=True)
async def revoke_key(kid: str, context: CurrentContext) -> JsonObject:
    """The key's next call is refused; repeating it changes nothing."""
    key = context.services.delegated_key_admin.revoke(context.caller, kid)
    context.note(key=key.kid)
    return key_to_json(key)


def _issued_key(context: RestContext, issued: CreatedKey) -> JsonObject:
    context.note(key=issued.key.kid)
    return key_to_json(issued.key) | {"key": None if issued.secret is None else issued.secret.reveal()}
