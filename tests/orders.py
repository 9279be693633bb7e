"""Keys as tests order them."""

from groundwire.domain.grants import EVERY, KeyKind
from groundwire.domain.scopes import Scope
from groundwire.services.keys import KeyOrder


def agents_key(tenant: str) -> KeyOrder:
    """A key that acts for anybody of the tenant, whatever their tags, and reads everything that they may."""
    return KeyOrder(
        tenant=tenant,
        name="agent",
        kind=KeyKind.ACT_AS,
        user=None,
        tags=frozenset(),
        max_tags=("*",),
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
        collections=EVERY,
    )
