"""Keys: what is ordered, and what is shown of them."""

from typing import Annotated, Literal

from pydantic import Field

from groundwire.domain import limits
from groundwire.domain.grants import KeyKind
from groundwire.domain.scopes import Scope
from groundwire.domain.toolsets import DEFAULT_TOOLSET
from groundwire.entry.rest.models.form import CollectionName, Flag, Moment, Sent, Tags, Told, User, Whole

MaxTags = Annotated[
    list[str],
    Field(max_length=limits.MAX_TAGS_PER_CALL, description="Exact tags, or prefixes that end in `*`."),
]
Reach = Annotated[
    Literal["every"] | list[CollectionName],
    Field(description="Names of collections, or `every`."),
]


class KeyOrder(Sent):
    """A key to be made; whom it speaks for, what it may do and where is said aloud."""

    name: str = Field(max_length=limits.MAX_NAME_CHARACTERS, examples=["sales agent"])
    kind: KeyKind
    scopes: list[Scope] = Field(min_length=1)
    collections: Reach
    user: User | None = Field(default=None, description="Of a personal key.")
    tags: Tags = Field(default_factory=list, description="Of a personal key.")
    max_tags: MaxTags = Field(default_factory=list, description="What an `act_as` or `oauth` key may bring.")
    strict_tags: Flag = Field(
        default=False, description="An `act_as` key refuses a tag outside `max_tags` instead of ignoring it."
    )
    top_n: Whole = limits.DEFAULT_TOP_N
    expand_tokens: Whole = 0
    toolset: str = DEFAULT_TOOLSET
    rate_per_minute: Whole = limits.DEFAULT_RATE_PER_MINUTE
    burst: Whole = limits.DEFAULT_BURST
    expires_in_days: Whole | Literal["never"] = limits.DEFAULT_KEY_DAYS


class Rotation(Sent):
    """How a key gets its next secret."""

    overlap_hours: Whole = Field(default=limits.ROTATION_OVERLAP_HOURS, description="How long the old secret works on.")


class KeyRecord(Told):
    """A key without its secret."""

    kid: str = Field(examples=["4fGh7Kq2LmNp"])
    name: str
    kind: KeyKind
    user: str | None
    tags: list[str]
    max_tags: list[str]
    strict_tags: Flag
    scopes: list[Scope]
    collections: Literal["every"] | list[str]
    top_n: int
    expand_tokens: int
    toolset: str
    rate_per_minute: int
    burst: int
    created_at: Moment
    expires_at: Moment | None
    previous_until: Moment | None = Field(description="Until when the secret before the last rotation works.")
    last_used: Moment | None
    revoked: Flag


class IssuedKey(KeyRecord):
    """A key with its secret, which nobody can show again."""

    key: str | None = Field(description="The secret, this once; null for a key of the kind `oauth`, which has none.")


class KeyList(Told):
    """Every key of the tenant, by creation time."""

    keys: list[KeyRecord]
