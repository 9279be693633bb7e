"""Calls to the servers of sources: target with credential, tool, listing, answer, and the errors of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.key_text import Secret
from groundwire.domain.sources.pinned_tool import Declaration


class ApiKeyCredential(NamedTuple):
    """Value of a header, with every request."""

    header: str
    value: Secret


class ClientCredential(NamedTuple):
    """OAuth client of the tenant, whose token goes with every request (RFC 6749, 4.4).

    Attributes:
        scope: None: the token endpoint's default.
    """

    token_url: str
    client_id: str
    client_secret: Secret
    scope: str | None


class ExchangeCredential(NamedTuple):
    """Exchange of the user's token at the configured issuer for a token of the source's server.

    Attributes:
        scope: None: none is requested; the server's URL is the requested resource.
        grant: `on_behalf_of` (Microsoft's, RFC 7523) or `token_exchange` (RFC 8693).
        user_token: token by which the caller signed in; it goes to the issuer's token endpoint and nowhere else.
    """

    client_id: str
    client_secret: Secret
    scope: str | None
    grant: str
    user_token: Secret | None


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

    declarations: Sequence[Declaration]
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


class SourceUnavailable(Unavailable):
    """Error when a source's server does not answer as an MCP server; the text names nothing of it."""


class SourceDenied(Unavailable):
    """Error when a source's server answers and refuses the credential, or the user behind it."""


class SourceToolChanged(Unavailable):
    """Error when a source's server declares a tool differently than accepted, or no more."""


class SignInRequired(Unavailable):
    """Error when a source exchanges the user's token, and the caller did not sign in with one."""
