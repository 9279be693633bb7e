"""Bodies of requests for knowledge sources."""

import re
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from groundwire.domain.limits import (
    MAX_NAME_CHARACTERS,
    MAX_SOURCE_NAME_CHARACTERS,
    MAX_SOURCE_URL_CHARACTERS,
    MAX_SOURCES,
    MAX_TAGS_PER_POLICY,
    MAX_USERS_PER_POLICY,
)
from groundwire.domain.sources.source import SourceAuthType, SourceKind
from groundwire_egress.mcp_client.limits import MAX_SOURCE_TOOLS

INDEXED_LABEL: Final = "indexed-sources-mcp-server"
"""Label that the reference gives a collection without one."""
_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,63}")
# A key in one of these would change the transport, or the meaning of the message.
_FIXED_HEADERS: Final = re.compile(
    r"(?:host|accept|connection|cookie|te|upgrade|via|forwarded|user-agent|content-.*|transfer-.*|proxy-.*|mcp-.*|x-forwarded-.*)",
    re.IGNORECASE,
)


_URL: Final = re.compile(r"https?://[^\x00-\x20\x7f-\U0010ffff/?#@\\]+(?:[/?][^\x00-\x20\x7f-\U0010ffff#\\]*)?")
"""Absolute URL without user and fragment, in printable ASCII."""


def _header_name(text: str) -> str:
    if not _HEADER.fullmatch(text) or _FIXED_HEADERS.fullmatch(text):
        raise ValueError("cannot be the header of a key: use x-api-key or authorization")
    return text


def _url(text: str) -> str:
    if not _URL.fullmatch(text) or not _has_host(text):
        raise ValueError("must be the absolute URL of an MCP server, such as https://server.example.com/mcp")
    return text


def _has_host(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


_Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=MAX_SOURCE_NAME_CHARACTERS)]
_Short: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARACTERS)]
_Secret: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=8_192, pattern=r"^[\x21-\x7e ]+$")]
_Url: TypeAlias = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_SOURCE_URL_CHARACTERS), AfterValidator(_url)
]


class _Members(BaseModel):
    # An error must not repeat its input, which may be a secret.
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RemoteMcpParameters(_Members):
    """Server of the kind `remote_mcp`."""

    server_url: _Url
    server_label: _Short | None = None


class IndexedSourcesParameters(_Members):
    """Collection of the kind `indexed_sources_mcp`."""

    server_url: _Url
    indexed_source_ref: _Short
    server_label: _Short = INDEXED_LABEL


class ApiKeyParameters(_Members):
    """Credential of the type `api_key`."""

    # A log or a traceback that shows the object must not show the key.
    api_key: _Secret = Field(repr=False)
    header: Annotated[str, AfterValidator(_header_name)] = "x-api-key"


class ClientCredentialsParameters(_Members):
    """Credential of the type `oauth_client_credentials`."""

    token_url: _Url
    client_id: _Short
    client_secret: _Secret = Field(repr=False)
    scope: _Short | None = None


class TokenExchangeParameters(_Members):
    """Credential of the type `microsoft_entra_id`: the client that exchanges users' tokens."""

    client_id: _Short
    client_secret: _Secret = Field(repr=False)
    scope: _Short | None = None
    grant: Literal["on_behalf_of", "token_exchange"] = "on_behalf_of"


class PolicyMembers(_Members):
    """Policy; empty admits nobody."""

    public: StrictBool = False
    users: Annotated[list[str], Field(max_length=MAX_USERS_PER_POLICY)] = []
    any_tags: Annotated[list[str], Field(max_length=MAX_TAGS_PER_POLICY)] = []
    all_tags: Annotated[list[str], Field(max_length=MAX_TAGS_PER_POLICY)] = []


class ToolMembers(_Members):
    """Tool that is offered, with a policy of its own."""

    name: _Short
    policy: PolicyMembers | None = None


class CollectionMappingMembers(_Members):
    """Search tool whose passages join the answers over a collection."""

    collection: _Short
    tool: _Short
    query_argument: _Short = "query"


class _SourceMembers(_Members):
    """Members that creation and change share."""

    description: Annotated[str, StringConstraints(max_length=4_000)] | None = None
    created_by: _Name | None = None
    remote_mcp_parameters: RemoteMcpParameters | None = None
    indexed_sources_parameters: IndexedSourcesParameters | None = None
    api_key_parameters: ApiKeyParameters | None = None
    oauth_client_credentials_parameters: ClientCredentialsParameters | None = None
    microsoft_entra_id_parameters: TokenExchangeParameters | None = None
    policy: PolicyMembers | None = None
    tools: Annotated[list[ToolMembers | _Short], Field(max_length=MAX_SOURCE_TOOLS)] | None = None
    collection_mapping: CollectionMappingMembers | None = None
    # Accepts a tag that nobody has although it resembles one in use, as in bodies of `/v1`.
    new_tags: StrictBool = False

    @property
    def policy_tags(self) -> frozenset[str]:
        """Tags of the policies of the source and of its tools."""
        of_tools = [each.policy for each in self.tools or [] if isinstance(each, ToolMembers)]
        policies = [each for each in (self.policy, *of_tools) if each is not None]
        return frozenset(tag for each in policies for tag in (*each.any_tags, *each.all_tags))


class NewKnowledgeSource(_SourceMembers):
    """Body of `POST`."""

    name: _Name
    kind: SourceKind
    # The reference has this default.
    auth_type: SourceAuthType = SourceAuthType.MICROSOFT_ENTRA_ID


class KnowledgeSourceChange(_SourceMembers):
    """Body of `PATCH`: members that are missing keep their values."""

    name: _Name | None = None
    kind: SourceKind | None = None
    auth_type: SourceAuthType | None = None
    accept_tools: Annotated[dict[str, str], Field(max_length=MAX_SOURCE_TOOLS)] = {}


class BatchDeletion(_Members):
    """Body of `POST /batch-delete`."""

    ks_ids: Annotated[list[UUID], Field(max_length=MAX_SOURCES)]
