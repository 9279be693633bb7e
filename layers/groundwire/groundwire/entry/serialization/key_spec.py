"""JSON form of key specifications; members have the names of a key's fields."""

from enum import StrEnum
from typing import Final, TypeVar

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.entry.serialization.stored_members import order_members, read_members
from groundwire.services.keys.admin import NEVER, KeySpec

DEFAULT_NAME: Final = "key"

_EnumT = TypeVar("_EnumT", bound=StrEnum)


def key_spec_to_json(spec: KeySpec) -> dict[str, object]:
    """Return all members of the specification except its tenant."""
    return {
        "name": spec.name,
        "kind": spec.kind.value,
        "user": spec.user,
        "tags": sorted(spec.tags),
        "max_tags": list(spec.max_tags),
        "scopes": sorted(spec.scopes),
        "collections": ALL_COLLECTIONS if spec.collections == ALL_COLLECTIONS else sorted(spec.collections),
        "rate_per_minute": spec.rate_per_minute,
        "burst": spec.burst,
        "expires_in_days": spec.expires_in_days,
        # Members that an earlier release does not know are sent only where they differ: it rejects unknown ones.
        **({"strict_tags": True} if spec.strict_tags else {}),
        **order_members(STORED_OPTIONS, spec.options),
    }


def parse_key_spec(tenant: str, fields: ObjectReader) -> KeySpec:
    """Return the specification of a key for this tenant; kind, scopes and collections have no defaults.

    Raises:
        InvalidInput: a member is missing, of another type or not one of its allowed values.
    """
    return KeySpec(
        tenant=tenant,
        # An empty name is refused later; only a name that is left out has a default.
        name=(fields.optional_text("name") or "") if fields.is_given("name") else DEFAULT_NAME,
        kind=_enum_member(KeyKind, "kind", fields.text("kind")),
        user=fields.optional_text("user"),
        tags=frozenset(fields.texts("tags")),
        max_tags=tuple(fields.texts("max_tags")),
        scopes=frozenset(_enum_member(Scope, "scopes", scope) for scope in fields.texts("scopes")),
        collections=ALL_COLLECTIONS
        if fields.is_literal("collections", ALL_COLLECTIONS)
        else frozenset(fields.texts("collections")),
        options=read_members(STORED_OPTIONS, fields, USUAL_OPTIONS),
        rate_per_minute=fields.integer("rate_per_minute", limits.DEFAULT_RATE_PER_MINUTE),
        burst=fields.integer("burst", limits.DEFAULT_BURST),
        expires_in_days=(
            NEVER
            if fields.is_literal("expires_in_days", NEVER)
            else fields.integer("expires_in_days", limits.DEFAULT_KEY_DAYS)
        ),
        strict_tags=fields.boolean("strict_tags"),
    )


def _enum_member(kind: type[_EnumT], name: str, text: str) -> _EnumT:
    try:
        return kind(text)
    except ValueError:
        raise InvalidInput(f"`{name}` must be of: {', '.join(sorted(kind))}; not {text!r}.") from None
