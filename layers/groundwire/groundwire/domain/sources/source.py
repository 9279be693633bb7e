"""MCP source as its administrator registers it: address, credential, policy, allowed tools, mapped collection."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count
from typing import Final, NamedTuple

from groundwire.domain.access.policy import AccessDecision, Policy, Principal, decide, single_policy
from groundwire.domain.sources.pinned_tool import PinnedTool

LABEL_SEPARATOR: Final = "__"
SOURCE_DOCUMENT_PREFIX: Final = "source:"
"""Beginning of the ids of documents that are a source's."""
_PREFIX: Final = re.compile(r"[A-Za-z0-9-]{1,31}")
_NOT_PREFIX: Final = re.compile(r"[^A-Za-z0-9]+")
_MAX_PREFIX_CHARACTERS: Final = 31
_FALLBACK_PREFIX: Final = "source"


class SourceKind(StrEnum):
    """Kind of a source: an MCP server of another system, or a collection of this server; the values are stored."""

    REMOTE_MCP = "remote_mcp"
    INDEXED_SOURCES_MCP = "indexed_sources_mcp"


class SourceAuthType(StrEnum):
    """Credential that a source's server gets; the values are stored.

    `MICROSOFT_ENTRA_ID` exchanges the user's token at the configured issuer for one of the source's server.
    """

    UNAUTHENTICATED = "unauthenticated"
    API_KEY = "api_key"
    OAUTH_CLIENT_CREDENTIALS = "oauth_client_credentials"
    MICROSOFT_ENTRA_ID = "microsoft_entra_id"


class ValidationStatus(StrEnum):
    """Result of the last attempt to reach a source's server as an MCP server; the values are stored."""

    UNKNOWN = "unknown"
    ACTIVE = "active"
    FAILED = "failed"


class CollectionMapping(NamedTuple):
    """Search tool whose passages join the answers over a collection.

    Attributes:
        collection: name of the collection.
        tool: name of the source's tool.
        query_argument: its argument that gets the text searched for.
    """

    collection: str
    tool: str
    query_argument: str


@dataclass(frozen=True, slots=True)
class McpSource:
    """Source as stored; its secrets are opened for a call to its server alone.

    Attributes:
        source_id: UUID. name: unique within the tenant, 1 to `MAX_SOURCE_NAME_CHARACTERS` characters.
        server_url: as registered. server_label: as registered; None: it has none.
        tool_prefix: label before its tools' names; unique within the tenant.
        indexed_collection: the collection that it is; None: it is a server of another system.
        parameters: members of the credential that are no secrets, such as the name of a header.
        policy: who sees it. tools: tools that are offered, by name.
        mapping: None: no answer gets passages of it.
        created_at, updated_at, validated_at: epoch seconds; `validated_at` None: never validated.
    """

    source_id: str
    name: str
    kind: SourceKind
    auth_type: SourceAuthType
    description: str | None
    created_by: str | None
    server_url: str
    server_label: str | None
    tool_prefix: str
    indexed_collection: str | None
    parameters: Mapping[str, str]
    policy: Policy
    tools: Mapping[str, PinnedTool]
    mapping: CollectionMapping | None
    validation_status: ValidationStatus
    validated_at: float | None
    created_at: float
    updated_at: float

    @property
    def collections(self) -> frozenset[str]:
        """Names of the collections that it is, or whose answers it joins."""
        mapped = None if self.mapping is None else self.mapping.collection
        return frozenset(name for name in (self.indexed_collection, mapped) if name is not None)

    def admits(self, principal: Principal) -> AccessDecision:
        """Decide whether the principal sees the source, by its policy."""
        return decide(principal, single_policy(self.policy))

    def admits_tool(self, principal: Principal, tool: PinnedTool) -> AccessDecision:
        """Decide whether the principal may call a tool: both the source's policy and the tool's own must admit it."""
        admitted = self.admits(principal)
        return decide(principal, single_policy(tool.policy)) if admitted and tool.policy is not None else admitted

    def tool_name(self, tool: str) -> str:
        """Return the name under which agents see a tool of the source."""
        return f"{self.tool_prefix}{LABEL_SEPARATOR}{tool}"


def unused_prefix(text: str, used: Collection[str]) -> str:
    """Return a prefix made of a label or a name: letters, digits and single hyphens, and none of those in use.

    A prefix has no double underscore, so that a tool's name is split in one way.
    """
    words = _NOT_PREFIX.sub("-", text).strip("-")[:_MAX_PREFIX_CHARACTERS].strip("-") or _FALLBACK_PREFIX
    # Room for a hyphen and two digits, as a tenant has at most `MAX_SOURCES` sources.
    numbered = (f"{words[: _MAX_PREFIX_CHARACTERS - 3].strip('-')}-{number}" for number in count(2))
    return next(each for each in chain((words,), numbered) if each not in used)


def is_source_document(doc_id: str) -> bool:
    """Return whether the document of a passage is a source's: no document of this server can have such an id."""
    return doc_id.startswith(SOURCE_DOCUMENT_PREFIX)


def split_tool_name(name: str) -> tuple[str, str] | None:
    """Return prefix and tool of a name that a source's tool can have; None for every other name."""
    prefix, separator, tool = name.partition(LABEL_SEPARATOR)
    return (prefix, tool) if separator and tool and _PREFIX.fullmatch(prefix) else None
