"""Specification of a source, and of a change of one, as an administrator gives it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire.domain.sources.source import McpSource, ValidationStatus

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Policy
    from groundwire.domain.sources.source import CollectionMapping, SourceAuthType, SourceKind


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """Source as an administrator specifies it.

    Attributes:
        indexed_collection: name in `indexed_source_ref`; None for the kind `remote_mcp`.
        parameters: members of the credential that are no secrets. secrets: those that are, by name.
        tools: the tools that are offered, each with a policy of its own or None.
    """

    name: str
    kind: "SourceKind"
    auth_type: "SourceAuthType"
    description: str | None
    created_by: str | None
    server_url: str
    server_label: str | None
    indexed_collection: str | None
    parameters: Mapping[str, str]
    # Not in the text of the object, which a log could show.
    secrets: Mapping[str, str] = field(repr=False)
    policy: "Policy"
    tools: "Mapping[str, Policy | None]"
    mapping: "CollectionMapping | None"


@dataclass(frozen=True, slots=True)
class SourceChange:
    """Change of a source: the specification that it shall have.

    Attributes:
        spec: with the stored values where nothing is changed; empty `secrets` keep the stored ones.
        accepted: digests of changed tools that the administrator has seen and accepts, by name.
    """

    spec: SourceSpec
    accepted: Mapping[str, str] = field(default_factory=dict[str, str])


def new_source(spec: SourceSpec, source_id: str, prefix: str, now: float) -> McpSource:
    """Return the source of a specification, without tools and not validated."""
    return McpSource(
        source_id=source_id,
        name=spec.name,
        kind=spec.kind,
        auth_type=spec.auth_type,
        description=spec.description,
        created_by=spec.created_by,
        server_url=spec.server_url,
        server_label=spec.server_label,
        tool_prefix=prefix,
        indexed_collection=spec.indexed_collection,
        parameters=spec.parameters,
        policy=spec.policy,
        tools={},
        mapping=spec.mapping,
        validation_status=ValidationStatus.UNKNOWN,
        validated_at=None,
        created_at=now,
        updated_at=now,
    )


def needs_server(stored: McpSource, change: SourceChange) -> bool:
    """Return whether a change is about the server, its credential, or tools that were not accepted yet."""
    spec = change.spec
    is_same_server = (spec.server_url, spec.auth_type, spec.parameters, spec.indexed_collection) == (
        stored.server_url,
        stored.auth_type,
        stored.parameters,
        stored.indexed_collection,
    )
    has_new_tools = not spec.tools.keys() <= stored.tools.keys()
    return not is_same_server or has_new_tools or bool(change.accepted) or bool(spec.secrets)
