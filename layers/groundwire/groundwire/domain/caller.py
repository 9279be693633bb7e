"""Who is calling, with what rights: decided once at the edge, carried to the handlers, never widened."""

from dataclasses import dataclass

from groundwire.domain.access import Principal
from groundwire.domain.grants import EVERY, CollectionGrant, KeyKind
from groundwire.domain.scopes import Scope


@dataclass(frozen=True, slots=True)
class Caller:
    """An admitted call: the key it came with and the principal it speaks for.

    Attributes:
        kid: public part of the key.
        collections: what the key may reach.
        top_n: passages per answer. toolset: name of the tools that the key's agent sees.
        expand_tokens: how much of the text around it each passage brings, in tokens; 0: none.
    """

    principal: Principal
    kid: str
    kind: KeyKind
    scopes: frozenset[Scope]
    collections: CollectionGrant
    top_n: int
    toolset: str
    expand_tokens: int = 0

    def reaches(self, collection: str) -> bool:
        """Whether the key was made for this collection, too."""
        return self.collections == EVERY or collection in self.collections
