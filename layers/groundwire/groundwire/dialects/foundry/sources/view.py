"""Sources as answers have them: the members of the reference, then the extensions; a secret is in none of them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.sources.source import McpSource, SourceAuthType, SourceKind
from groundwire.services.sources.states import DeclaredTool, tool_status

if TYPE_CHECKING:
    from groundwire.domain.sources.pinned_tool import PinnedTool

_CREDENTIALS = (SourceAuthType.API_KEY, SourceAuthType.OAUTH_CLIENT_CREDENTIALS, SourceAuthType.MICROSOFT_ENTRA_ID)


def source_members(source: McpSource, listing: Mapping[str, DeclaredTool]) -> dict[str, object]:
    """Return the object of a source.

    Args:
        source: as stored.
        listing: tools as its server declared them last.
    """
    is_remote = source.kind is SourceKind.REMOTE_MCP
    server = {"server_url": source.server_url, "server_label": source.server_label}
    indexed = {**server, "indexed_source_ref": source.indexed_collection}
    unlisted = sorted(listing.keys() - source.tools.keys())
    return {
        "id": source.source_id,
        "name": source.name,
        "kind": source.kind.value,
        "auth_type": source.auth_type.value,
        "description": source.description,
        "created_by": source.created_by,
        "remote_mcp_parameters": server if is_remote else None,
        "indexed_sources_parameters": None if is_remote else indexed,
        "validation_status": source.validation_status.value,
        "validation_error": None,
        "validated_at": None if source.validated_at is None else _iso_time(source.validated_at),
        "created_at": _iso_time(source.created_at),
        "updated_at": _iso_time(source.updated_at),
        **{f"{kind}_parameters": _parameters(source, kind) for kind in _CREDENTIALS},
        "policy": policy_to_mapping(source.policy),
        "tools": [_tool_members(source, tool, listing) for tool in source.tools.values()],
        "further_tools": [_further_tool(name, listing[name]) for name in unlisted],
        "collection_mapping": None if source.mapping is None else source.mapping._asdict(),
    }


def _parameters(source: McpSource, kind: SourceAuthType) -> Mapping[str, str] | None:
    return {**source.parameters} if source.auth_type is kind and source.parameters else None


def _tool_members(source: McpSource, tool: "PinnedTool", listing: Mapping[str, DeclaredTool]) -> dict[str, object]:
    listed = listing.get(tool.name)
    return {
        "name": tool.name,
        "agents_call": source.tool_name(tool.name),
        "status": tool_status(tool, listing).value,
        "policy": None if tool.policy is None else policy_to_mapping(tool.policy),
        "description": tool.description,
        "digest": tool.digest,
        "input_schema": tool.input_schema,
        "declared_description": None if listed is None else listed.description,
        "declared_input_schema": None if listed is None else listed.input_schema,
        "declared_digest": None if listed is None else listed.digest,
    }


def _further_tool(name: str, listed: DeclaredTool) -> dict[str, object]:
    return {
        "name": name,
        "description": listed.description,
        "input_schema": listed.input_schema,
        "digest": listed.digest,
    }


def _iso_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
