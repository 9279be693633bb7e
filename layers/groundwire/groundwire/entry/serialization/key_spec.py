"""JSON form of key specifications; members have the names of a key's fields."""

from enum import StrEnum
from typing import Final, Literal, TypeVar

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS
from groundwire.entry.serialization.entities import key_to_json
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.entry.serialization.stored_members import order_members, read_members
from groundwire.services.keys.admin import NEVER, ChangedKey, KeySpec
from groundwire.services.keys.key_spec import KeyChange

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
        name=fields.text_or_empty("name") if fields.is_given("name") else DEFAULT_NAME,
        kind=_enum_member(KeyKind, "kind", fields.text("kind")),
        user=fields.optional_text("user"),
        tags=frozenset(fields.texts("tags")),
        max_tags=tuple(fields.texts("max_tags")),
        scopes=_scopes(fields),
        collections=_collections(fields),
        options=read_members(STORED_OPTIONS, fields, USUAL_OPTIONS),
        rate_per_minute=fields.integer("rate_per_minute", limits.DEFAULT_RATE_PER_MINUTE),
        burst=fields.integer("burst", limits.DEFAULT_BURST),
        expires_in_days=_expiry(fields),
        strict_tags=fields.boolean("strict_tags"),
    )


def _enum_member(kind: type[_EnumT], name: str, text: str) -> _EnumT:
    try:
        return kind(text)
    except ValueError:
        raise InvalidInput(f"`{name}` must be of: {', '.join(sorted(kind))}; not {text!r}.") from None


def parse_key_change(fields: ObjectReader) -> KeyChange:
    """Return the change of a key; a member that is null or missing keeps that of the key.

    Raises:
        InvalidInput: a member is of another type or not one of its allowed values.
    """
    given = fields.is_given
    collections = None if not given("collections") else _collections(fields)
    return KeyChange(
        name=fields.text_or_empty("name") if given("name") else None,
        tags=frozenset(fields.texts("tags")) if given("tags") else None,
        max_tags=tuple(fields.texts("max_tags")) if given("max_tags") else None,
        scopes=_scopes(fields) if given("scopes") else None,
        collections=collections,
        rate_per_minute=fields.integer("rate_per_minute", 0) if given("rate_per_minute") else None,
        burst=fields.integer("burst", 0) if given("burst") else None,
        expires_in_days=_expiry(fields) if given("expires_in_days") else None,
    )


def key_change_to_json(change: KeyChange) -> dict[str, object]:
    """Return the members that change."""
    collections = change.collections
    members: dict[str, object] = {
        "name": change.name,
        "tags": None if change.tags is None else sorted(change.tags),
        "max_tags": None if change.max_tags is None else list(change.max_tags),
        "scopes": None if change.scopes is None else sorted(change.scopes),
        "collections": sorted(collections) if isinstance(collections, frozenset) else collections,
        "rate_per_minute": change.rate_per_minute,
        "burst": change.burst,
        "expires_in_days": change.expires_in_days,
    }
    return {name: value for name, value in members.items() if value is not None}


def changed_key_facts(changed: ChangedKey) -> AuditFacts:
    """Return the members of an audit line that name what a change of a key replaced."""
    before, after = key_to_json(changed.before), key_to_json(changed.after)
    names = [name for name, value in after.items() if before.get(name) != value]
    return {
        "key": changed.after.kid,
        "key_before": {name: before.get(name) for name in names},
        "key_after": {name: after[name] for name in names},
    }


def _scopes(fields: ObjectReader) -> frozenset[Scope]:
    return frozenset(_enum_member(Scope, "scopes", scope) for scope in fields.texts("scopes"))


def _collections(fields: ObjectReader) -> CollectionGrant:
    if fields.is_literal("collections", ALL_COLLECTIONS):
        return ALL_COLLECTIONS
    return frozenset(fields.texts("collections"))


def _expiry(fields: ObjectReader) -> int | Literal["never"]:
    if fields.is_literal("expires_in_days", NEVER):
        return NEVER
    return fields.integer("expires_in_days", limits.DEFAULT_KEY_DAYS)
