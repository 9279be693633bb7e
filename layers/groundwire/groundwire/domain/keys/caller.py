"""Caller of an admitted call and its rights: decided once by the authorizer, passed to the handlers, never widened."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, GRANT, CollectionGrant, KeyKind, TagSource
from groundwire.domain.keys.options import STORED_OPTIONS, KeyOptions
from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import COUNT, INTEGER, TEXT, TEXT_SET, enum_set, enum_text
from groundwire.stored.stored_type import NotStored, StoredPart, StoredType

if TYPE_CHECKING:
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.domain.keys.forms.key_text import Secret


@dataclass(frozen=True, slots=True)
class Caller:
    """Identity behind an admitted call: the key and the principal on whose behalf it acts.

    Attributes:
        kid: public part of the key.
        collections: collections that the key covers.
        options: those of the key.
        tag_source: source of the principal's tags; None when the authorizer did not record it.
        tags_ignored: number of tags in the call's header that gave no right, for audit lines and explanations.
        key_expires_in_days: whole days until the key expires, for audit lines; None unless it expires soon.
        user_token: access token by which the caller signed in; None with an API key. It stays in memory.
    """

    principal: Principal
    kid: str
    kind: KeyKind
    scopes: frozenset[Scope]
    collections: CollectionGrant
    options: KeyOptions
    tag_source: TagSource | None = None
    tags_ignored: int = 0
    key_expires_in_days: int | None = None
    user_token: "Secret | None" = None

    @classmethod
    def from_key(
        cls,
        key: "ApiKey",
        principal: Principal,
        scopes: frozenset[Scope],
        tag_source: TagSource,
        tags_ignored: int = 0,
        *,
        now: float,
    ) -> Self:
        """Return the caller that acts for `principal` with `key` at `now`; `scopes` are the key's, or fewer."""
        return cls(
            principal=principal,
            kid=key.kid,
            kind=key.kind,
            # Never more than the key's own, whatever a token grants.
            scopes=key.scopes & scopes,
            collections=key.collections,
            options=key.options,
            tag_source=tag_source,
            tags_ignored=tags_ignored,
            key_expires_in_days=key.expires_in_days(now),
        )

    def without_expansion(self) -> Self:
        """Return the caller whose passages come without text around them."""
        return replace(self, options=replace(self.options, expand_tokens=0))

    @property
    def is_named_by_token(self) -> bool:
        """Truth of the claim that an access token named the principal."""
        return self.tag_source is TagSource.TOKEN

    @property
    def has_known_user(self) -> bool:
        """Truth of the claim that no agent could have invented the user: the key, a token or the directory names it."""
        if self.kind is not KeyKind.ACT_AS or self.is_named_by_token:
            return True
        # The source is the entry also of a user without one, and only tags prove that the directory has it.
        return self.tag_source is TagSource.ENTRY and bool(self.principal.tags)

    def allows_collection(self, collection: str) -> bool:
        """Return whether the key covers this collection."""
        return self.collections == ALL_COLLECTIONS or collection in self.collections


STORED_CALLER: Final = StoredType(
    Caller,
    StoredPart(
        "principal",
        StoredType(
            Principal,
            field("tenant", TEXT, absent=REQUIRED),
            field("user", TEXT, absent=None),
            field("tags", TEXT_SET, absent=REQUIRED),
        ),
    ),
    field("kid", TEXT, absent=REQUIRED),
    field("kind", enum_text(KeyKind), absent=REQUIRED),
    field("scopes", enum_set(Scope), absent=REQUIRED),
    field("collections", GRANT, absent=REQUIRED),
    StoredPart("options", STORED_OPTIONS),
    field("tag_source", enum_text(TagSource), absent=None),
    field("tags_ignored", COUNT, absent=0),
    field("key_expires_in_days", INTEGER, absent=None),
    NotStored("user_token", None),
)
"""Fields of a caller in the authorizer's context."""
