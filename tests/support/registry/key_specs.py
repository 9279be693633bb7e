"""Keys as tests order them."""

from typing import Final

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import toolsets
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeySpec
from groundwire.services.keys.choices import KeyChoices

CHOICES: Final = KeyChoices(frozenset(toolsets(DIALECTS)), frozenset(dialect.name for dialect in DIALECTS))
"""The names that a key may have of what the product's dialects declare."""


def agents_key(tenant: str) -> KeySpec:
    """A key that acts for anybody of the tenant, whatever their tags, and reads everything that they may."""
    return KeySpec(
        tenant=tenant,
        name="agent",
        kind=KeyKind.ACT_AS,
        user=None,
        tags=frozenset(),
        max_tags=("*",),
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
    )
