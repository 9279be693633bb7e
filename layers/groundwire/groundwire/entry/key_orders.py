"""Orders of keys as they travel in JSON, in the names of a key's row."""

from enum import StrEnum
from typing import Final, TypeVar

from groundwire.domain import limits
from groundwire.domain.errors import Invalid
from groundwire.domain.grants import EVERY, KeyKind
from groundwire.domain.scopes import Scope
from groundwire.domain.toolsets import DEFAULT_TOOLSET
from groundwire.entry.fields import Fields
from groundwire.services.keys import NEVER, KeyOrder

DEFAULT_NAME: Final = "key"

_Word = TypeVar("_Word", bound=StrEnum)


def order_members(order: KeyOrder) -> dict[str, object]:
    """All of the order but its tenant."""
    return {
        "name": order.name,
        "kind": order.kind.value,
        "user": order.user,
        "tags": sorted(order.tags),
        "max_tags": list(order.max_tags),
        "scopes": sorted(order.scopes),
        "collections": EVERY if order.collections == EVERY else sorted(order.collections),
        "top_n": order.top_n,
        "expand_tokens": order.expand_tokens,
        "toolset": order.toolset,
        "rate_per_minute": order.rate_per_minute,
        "burst": order.burst,
        "expires_in_days": order.expires_in_days,
        # Sent only where it is asked for: a server of an earlier release refuses a member that it does not know.
        **({"strict_tags": True} if order.strict_tags else {}),
    }


def order_from(tenant: str, fields: Fields) -> KeyOrder:
    """The order for a key of this tenant; kind, scopes and collections are said, never assumed; Raises Invalid."""
    return KeyOrder(
        tenant=tenant,
        name=fields.optional_text("name") or DEFAULT_NAME,
        kind=_word(KeyKind, "kind", fields.text("kind")),
        user=fields.optional_text("user"),
        tags=frozenset(fields.texts("tags")),
        max_tags=tuple(fields.texts("max_tags")),
        scopes=frozenset(_word(Scope, "scopes", scope) for scope in fields.texts("scopes")),
        collections=EVERY if fields.says("collections", EVERY) else frozenset(fields.texts("collections")),
        top_n=fields.whole("top_n", limits.DEFAULT_TOP_N),
        expand_tokens=fields.whole("expand_tokens", 0),
        toolset=fields.optional_text("toolset") or DEFAULT_TOOLSET,
        rate_per_minute=fields.whole("rate_per_minute", limits.DEFAULT_RATE_PER_MINUTE),
        burst=fields.whole("burst", limits.DEFAULT_BURST),
        expires_in_days=(
            NEVER if fields.says("expires_in_days", NEVER) else fields.whole("expires_in_days", limits.DEFAULT_KEY_DAYS)
        ),
        strict_tags=fields.flag("strict_tags"),
    )


def _word(kind: type[_Word], name: str, text: str) -> _Word:
    try:
        return kind(text)
    except ValueError:
        raise Invalid(f"`{name}` must be of: {', '.join(sorted(kind))}; not {text!r}.") from None
