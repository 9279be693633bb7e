"""Caller of an admitted call and its rights: decided once by the authorizer, passed to the handlers, never widened."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind, TagSource
from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS

if TYPE_CHECKING:
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.domain.keys.key_text import Secret


@dataclass(frozen=True, slots=True)
class Caller:
    """Caller of an admitted call: the key and the principal on whose behalf it acts.

    Attributes:
        kid: public part of the key.
        collections: collections that the key covers.
        top_n: passages per answer. toolset: name of the tools that the key's agent sees.
        expand_tokens: tokens of surrounding text added to each passage; 0: none.
        tag_source: source of the principal's tags; None when the authorizer did not record it.
        tags_ignored: number of tags in the call's header that gave no right, for audit lines and explanations.
        dialects: names of those that the key may use; None: all that are switched on.
        max_tokens: tokens of an answer at most, unless a call says otherwise.
        key_expires_in_days: whole days until the key expires, for audit lines; None unless it expires soon.
        floor: least relevance of an answer's best passage, 0 to 1, whatever a call asks for; 0: no floor; None: that of
            the collections.
        split_first_phrase: `rag_search` also searches the questions of a compound first phrase one by one.
        sources: the tools of MCP sources are listed on the shared path, too.
        user_token: access token by which the caller signed in; None with an API key. It stays in memory.
    """

    principal: Principal
    kid: str
    kind: KeyKind
    scopes: frozenset[Scope]
    collections: CollectionGrant
    top_n: int
    toolset: str
    expand_tokens: int = 0
    tag_source: TagSource | None = None
    tags_ignored: int = 0
    dialects: frozenset[str] | None = None
    max_tokens: int = DEFAULT_ANSWER_TOKENS
    key_expires_in_days: int | None = None
    floor: float | None = None
    split_first_phrase: bool = False
    sources: bool = False
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
            scopes=key.scopes & scopes,
            collections=key.collections,
            top_n=key.top_n,
            toolset=key.toolset,
            expand_tokens=key.expand_tokens,
            tag_source=tag_source,
            tags_ignored=tags_ignored,
            dialects=key.dialects,
            max_tokens=key.max_tokens,
            key_expires_in_days=key.expires_in_days(now),
            floor=key.floor,
            split_first_phrase=key.split_first_phrase,
            sources=key.sources,
        )

    @property
    def is_named_by_token(self) -> bool:
        """Truth of the claim that an access token named the principal."""
        return self.tag_source is TagSource.TOKEN

    def allows_dialect(self, dialect: str) -> bool:
        """Return whether the key may use the dialect."""
        return self.dialects is None or dialect in self.dialects

    def allows_collection(self, collection: str) -> bool:
        """Return whether the key covers this collection."""
        return self.collections == ALL_COLLECTIONS or collection in self.collections
