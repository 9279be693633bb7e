"""Key as an item of its table, without its digests and its rate."""

from typing import TYPE_CHECKING

from groundwire.adapters.aws.dynamodb.client.attributes import (
    flag,
    number,
    optional_number,
    optional_text,
    read_flag,
    read_integer,
    read_number,
    read_text,
    read_texts,
    text,
    texts,
)
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item


def to_item(key: ApiKey) -> "dict[str, AttributeValueTypeDef]":
    """Return the key's row; fields that are None have no attribute."""
    item: dict[str, AttributeValueTypeDef] = {
        **key_row(key.kid),
        "kid": text(key.kid),
        "tenant": text(key.tenant),
        "name": text(key.name),
        "kind": text(key.kind.value),
        "tags": texts(sorted(key.tags)),
        "max_tags": texts(key.max_tags),
        "scopes": texts(sorted(key.scopes)),
        "collections": text(ALL_COLLECTIONS) if key.collections == ALL_COLLECTIONS else texts(sorted(key.collections)),
        "top_n": number(key.top_n),
        "toolset": text(key.toolset),
        "rate_per_minute": number(key.rate_per_minute),
        "burst": number(key.burst),
        "created_at": number(key.created_at),
        "revoked": flag(key.revoked),
        "expand_tokens": number(key.expand_tokens),
    }
    if key.strict_tags:
        item["strict_tags"] = flag(True)
    if key.dialects is not None:
        # The release before ignores it: such a key then reaches the shared path, by its toolset and within its scopes.
        item["dialects"] = texts(sorted(key.dialects))
    if key.max_tokens != DEFAULT_ANSWER_TOKENS:
        item["max_tokens"] = number(key.max_tokens)
    if key.floor is not None:
        item["floor"] = number(key.floor)
    if key.split_first_phrase:
        item["split_first_phrase"] = flag(True)
    if key.sources:
        item["sources"] = flag(True)
    if key.user is not None:
        item["user"] = text(key.user)
    moments = {"expires_at": key.expires_at, "previous_until": key.previous_until, "last_used": key.last_used}
    item.update({name: number(moment) for name, moment in moments.items() if moment is not None})
    return item


def from_item(item: "Item") -> ApiKey:
    """Read the key from its row."""
    return ApiKey(
        kid=read_text(item, "kid"),
        tenant=read_text(item, "tenant"),
        name=read_text(item, "name"),
        kind=KeyKind(read_text(item, "kind")),
        user=optional_text(item, "user"),
        tags=frozenset(read_texts(item, "tags")),
        max_tags=tuple(read_texts(item, "max_tags")),
        scopes=frozenset(map(Scope, read_texts(item, "scopes"))),
        collections=_grant(item),
        top_n=read_integer(item, "top_n"),
        toolset=read_text(item, "toolset"),
        rate_per_minute=read_integer(item, "rate_per_minute"),
        burst=read_integer(item, "burst"),
        created_at=read_number(item, "created_at"),
        expires_at=optional_number(item, "expires_at"),
        revoked=read_flag(item, "revoked"),
        previous_until=optional_number(item, "previous_until"),
        last_used=optional_number(item, "last_used"),
        expand_tokens=read_integer(item, "expand_tokens"),
        strict_tags="strict_tags" in item and read_flag(item, "strict_tags"),
        dialects=frozenset(read_texts(item, "dialects")) if "dialects" in item else None,
        max_tokens=read_integer(item, "max_tokens") if "max_tokens" in item else DEFAULT_ANSWER_TOKENS,
        floor=optional_number(item, "floor"),
        split_first_phrase="split_first_phrase" in item and read_flag(item, "split_first_phrase"),
        sources="sources" in item and read_flag(item, "sources"),
    )


def _grant(item: "Item") -> CollectionGrant:
    # A text is the word for all of them: no list can be mistaken for it.
    return (
        ALL_COLLECTIONS
        if item["collections"].get("S") == ALL_COLLECTIONS
        else frozenset(read_texts(item, "collections"))
    )
