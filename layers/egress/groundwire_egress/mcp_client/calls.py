"""Calls to MCP servers: target with credential, tool, listing, answer, and the errors of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from groundwire_egress.messages import EgressError


class SecretText(Protocol):
    """Text that must not be logged: it is read only by `reveal()`."""

    def reveal(self) -> str:
        """Return the text itself."""
        ...


class ApiKeyCredential(NamedTuple):
    """Value of a header, with every request."""

    header: str
    value: SecretText


class ClientCredential(NamedTuple):
    """OAuth client of the tenant, whose token goes with every request (RFC 6749, 4.4).

    Attributes:
        scope: None: the token endpoint's default.
    """

    token_url: str
    client_id: str
    client_secret: SecretText
    scope: str | None


class ExchangeCredential(NamedTuple):
    """Exchange of the user's token at the configured issuer for a token of the source's server.

    Attributes:
        scope: None: none is requested; the server's URL is the requested resource.
        grant: `on_behalf_of` (Microsoft's, RFC 7523) or `token_exchange` (RFC 8693).
        user_token: token by which the caller signed in; it goes to the issuer's token endpoint and nowhere else.
    """

    client_id: str
    client_secret: SecretText
    scope: str | None
    grant: str
    user_token: SecretText | None


SourceCredential: TypeAlias = ApiKeyCredential | ClientCredential | ExchangeCredential | None
"""Credential that a source's server gets; None: none."""


class SourceTarget(NamedTuple):
    """Server of a source."""

    tenant: str
    source_id: str
    url: str
    credential: SourceCredential


class SourceToolCall(NamedTuple):
    """Call of a source's tool.

    Attributes:
        tool: the server's name for it.
        arguments: all that is sent beside the protocol's own members.
        digest: hash of the declaration that was accepted.
        mirrored_arguments: headers that a stateless server wants for arguments, by the arguments' paths.
    """

    tool: str
    arguments: Mapping[str, object]
    digest: str
    mirrored_arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SourceListing:
    """Tools as a source's server declares them, `MAX_SOURCE_TOOLS` at most, and the protocol version that it uses."""

    declarations: Sequence[Mapping[str, object]]
    protocol: str


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """Result of a tool as the source's server sent it: nothing in it is trusted or cleaned.

    Attributes:
        content: content blocks. structured: `structuredContent`; None where there is none.
        is_error: the server reports that the tool failed.
        sent_bytes: size of the requests' bodies. received_bytes: size of the responses' bodies.
    """

    content: Sequence[Mapping[str, object]]
    structured: Mapping[str, object] | None
    is_error: bool
    sent_bytes: int
    received_bytes: int
    protocol: str


class McpUnavailable(EgressError):
    """Error when a server does not answer as an MCP server; the text names nothing of it."""


class McpDenied(EgressError):
    """Error when a server answers and refuses the credential, or the user behind it."""


class McpSignInRequired(EgressError):
    """Error when the user's token is exchanged, and the caller did not sign in with one."""
