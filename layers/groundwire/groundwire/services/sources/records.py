"""Stored form of sources: the body of a definition, whose secrets the store of definitions seals."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.sources.pinned_tool import PinnedTool
from groundwire.domain.sources.source import (
    CollectionMapping,
    McpSource,
    SourceAuthType,
    SourceKind,
    ValidationStatus,
)

if TYPE_CHECKING:
    from groundwire.services.definitions.admin import Definition
    from groundwire.services.definitions.body import JsonBody, JsonValue

SECRET_MEMBERS: Final = ("secrets",)
"""Member of the stored body that is sealed as a whole."""


class SourceRecord(NamedTuple):
    """Source with the definition that stores it."""

    source: McpSource
    definition: "Definition"


def record_from_definition(definition: "Definition") -> SourceRecord:
    """Return the source of a definition; members that a later release added are ignored."""
    members = cast("Mapping[str, Any]", definition.body)
    mapping = members["mapping"]
    tools = [_tool(each) for each in members["tools"]]
    source = McpSource(
        source_id=members["id"],
        name=members["name"],
        kind=SourceKind(members["kind"]),
        auth_type=SourceAuthType(members["auth_type"]),
        description=members["description"],
        created_by=members["created_by"],
        server_url=members["server_url"],
        server_label=members["server_label"],
        tool_prefix=members["tool_prefix"],
        indexed_collection=members["indexed_collection"],
        parameters=members["parameters"],
        policy=_policy(members["policy"]),
        tools={tool.name: tool for tool in tools},
        mapping=None if mapping is None else CollectionMapping(*mapping),
        validation_status=ValidationStatus(members["validation_status"]),
        validated_at=members["validated_at"],
        created_at=members["created_at"],
        updated_at=definition.updated_at,
    )
    return SourceRecord(source, definition)


def to_body(source: McpSource, secrets: Mapping[str, str]) -> "JsonBody":
    """Return the stored body."""
    return {
        "id": source.source_id,
        "name": source.name,
        "kind": source.kind.value,
        "auth_type": source.auth_type.value,
        "description": source.description,
        "created_by": source.created_by,
        "server_url": source.server_url,
        "server_label": source.server_label,
        "tool_prefix": source.tool_prefix,
        "indexed_collection": source.indexed_collection,
        "parameters": {**source.parameters},
        "policy": cast("JsonValue", policy_to_mapping(source.policy)),
        "tools": [_tool_members(tool) for tool in source.tools.values()],
        "mapping": None if source.mapping is None else list(source.mapping),
        "validation_status": source.validation_status.value,
        "validated_at": source.validated_at,
        "created_at": source.created_at,
        # None where there are no secrets, since every other value is sealed.
        "secrets": {**secrets} or None,
    }


def _tool(members: Mapping[str, Any]) -> PinnedTool:
    policy = members["policy"]
    return PinnedTool(
        name=members["name"],
        digest=members["digest"],
        description=members["description"],
        input_schema=members["input_schema"],
        mirrored_arguments=members["mirrored_arguments"],
        policy=None if policy is None else _policy(policy),
    )


def _tool_members(tool: PinnedTool) -> "JsonValue":
    return {
        "name": tool.name,
        "digest": tool.digest,
        "description": tool.description,
        "input_schema": cast("JsonValue", tool.input_schema),
        "mirrored_arguments": {**tool.mirrored_arguments},
        "policy": None if tool.policy is None else cast("JsonValue", policy_to_mapping(tool.policy)),
    }


def _policy(members: Mapping[str, Any]) -> Policy:
    def names(member: str) -> frozenset[str]:
        return frozenset(cast("Sequence[str]", members[member]))

    return Policy(
        public=members["public"], users=names("users"), any_tags=names("any_tags"), all_tags=names("all_tags")
    )
