"""Definitions as JSON of a version: all members for an administrator, the readable part for other keys."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from groundwire.dialects.azure.definitions.entity_tags import entity_tag
from groundwire.dialects.azure.definitions.members import DEFINITIONS, INDEX_PARAMETERS, SOURCES, TARGET_INDEXES
from groundwire.dialects.azure.definitions.models import SECRET
from groundwire.dialects.azure.definitions.source_entries import SourceOrigin, index_view
from groundwire.dialects.azure.definitions.stored_definitions import NamedSource, source_collection
from groundwire.dialects.azure.requests.members import ObjectType, VersionedMember
from groundwire.dialects.azure.requests.resource_paths import ResourceKind
from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX

if TYPE_CHECKING:
    from groundwire.dialects.azure.versions import ApiVersion
    from groundwire.services.definitions.admin import Definition
    from groundwire.services.definitions.body import JsonBody

ETAG: Final = "@odata.etag"
_DATA_SELECT: Final = "sourceDataSelect"

JsonObject = dict[str, object]


def built_in_body(kind: ResourceKind, name: str) -> "JsonBody":
    """Return the definition of a collection: an agent, a knowledge base or a knowledge source of its name."""
    if kind is ResourceKind.KNOWLEDGE_SOURCE:
        return {"name": name, "kind": SEARCH_INDEX, INDEX_PARAMETERS: {"searchIndexName": name}}
    return {"name": name, SOURCES: [{"name": name, "origin": SourceOrigin.INDEX.value}]}


def readable_body(
    kind: ResourceKind, body: "JsonBody", sources: Sequence[NamedSource], existing: Collection[str]
) -> "JsonBody":
    """Return what a key without the admin scope may know of a definition.

    Args:
        kind: of the definition.
        body: as stored.
        sources: of an agent or a knowledge base.
        existing: collections that exist for the caller.
    """
    known: JsonBody = {"name": body["name"], "description": body.get("description")}
    if kind is ResourceKind.KNOWLEDGE_SOURCE:
        collection = source_collection(body)
        parameters: JsonBody | None = {"searchIndexName": collection} if collection in existing else None
        return {**known, "kind": body["kind"], INDEX_PARAMETERS: parameters}
    # The name of a source must not reveal a collection that is hidden from the caller.
    shown = [each.name for each in sources if each.collection in existing]
    return {**known, SOURCES: [{"name": name} for name in shown]}


def definition_view(
    kind: ResourceKind, body: "JsonBody", version: "ApiVersion", sources: Sequence[NamedSource]
) -> JsonObject:
    """Return a body with the members of the version; those that are not set are null, lists are empty.

    Args:
        kind: of the definition.
        body: as stored, or a part of it.
        version: of the call.
        sources: those of the body, for a version whose agents name indexes.
    """
    members: Mapping[str, object] = body
    if kind is ResourceKind.AGENT:
        collections = {each.name: each.collection for each in sources}
        entries = [(str(entry["name"]), entry) for entry in cast("list[JsonBody]", body[SOURCES])]
        indexes = [index_view(entry, collections.get(name, name)) for name, entry in entries]
        members = {**members, TARGET_INDEXES: indexes}
    return _object_view(members, DEFINITIONS[kind], version)


def with_tag(view: JsonObject, definition: "Definition | None") -> JsonObject:
    """Return a view with the entity tag before it; a built-in definition has none."""
    return view if definition is None else {ETAG: entity_tag(definition.tag), **view}


def _object_view(members: Mapping[str, object], expected: ObjectType, version: "ApiVersion") -> JsonObject:
    return {each.name: _member_view(members, each, version) for each in expected.members if version in each.versions}


def _member_view(members: Mapping[str, object], member: VersionedMember, version: "ApiVersion") -> object:
    value = _value(members, member)
    # The service returns no key; JavaScript 12.3.0-beta.1 fails without `models: []`.
    if value is None or member.name == SECRET:
        return [] if member.is_list else None
    if not isinstance(member.type, ObjectType):
        return value
    if member.is_list:
        return [_object_view(each, member.type, version) for each in cast("Sequence[Mapping[str, object]]", value)]
    return _object_view(cast("Mapping[str, object]", value), member.type, version)


def _value(members: Mapping[str, object], member: VersionedMember) -> object:
    fields = members.get("sourceDataFields")
    if member.name == _DATA_SELECT and fields:
        return ",".join(str(each["name"]) for each in cast("Sequence[Mapping[str, object]]", fields))
    return members.get(member.name)
