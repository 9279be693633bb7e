"""Protected resource metadata and challenges, which lead a client without a key to the sign-in (RFC 9728, RFC 6750)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from groundwire.domain.keys.auth_decision import AuthReason

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings

CHALLENGE_HEADER: Final = "www-authenticate"
CHALLENGE_COPY_HEADER: Final = "x-www-authenticate"
"""Header with the same challenge, since API Gateway may rename the first; an integration can map it back."""
WELL_KNOWN_PATH: Final = "/.well-known/oauth-protected-resource"
RESOURCE_PATH: Final = "/mcp"
_NO_CREDENTIAL_REASONS: Final = frozenset({AuthReason.NO_CREDENTIAL, AuthReason.NO_CONTEXT})


class ProtectedResource(NamedTuple):
    """The server as an OAuth protected resource.

    Attributes:
        public_url: URL of this server, without a slash at its end.
        issuer: issuer URL of the identity provider.
    """

    public_url: str
    issuer: str

    @classmethod
    def from_settings(cls, settings: "Settings") -> Self | None:
        """Return the resource of these settings; None where only keys are accepted."""
        provider = settings.identity_provider
        return None if provider is None else cls(settings.public_url, provider.issuer)

    def metadata(self) -> dict[str, object]:
        """Return the protected resource metadata (RFC 9728 section 2)."""
        from groundwire.domain.keys.forms.oauth import TOKEN_SCOPES

        return {
            "resource": f"{self.public_url}{RESOURCE_PATH}",
            "resource_name": "Groundwire",
            "authorization_servers": [self.issuer],
            "scopes_supported": list(TOKEN_SCOPES),
            # Neither in a body nor in a query (RFC 6750, 2.2 and 2.3), where a log would keep the token.
            "bearer_methods_supported": ["header"],
        }

    def challenge(self, reason: AuthReason) -> str:
        """Return the challenge of a 401, with the scopes to ask the provider for (RFC 6750 section 3).

        It only distinguishes a missing from an invalid credential.
        """
        from groundwire.domain.keys.forms.oauth import TOKEN_SCOPES

        error = "" if reason in _NO_CREDENTIAL_REASONS else 'error="invalid_token", '
        return f'Bearer {error}{self._metadata_link}, scope="{" ".join(TOKEN_SCOPES)}"'

    @property
    def error_data(self) -> dict[str, object]:
        """Members of a refusal's body that lead to the metadata, for clients that do not get the challenge."""
        return {"resource_metadata": self._metadata_url}

    def with_metadata_link(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers with the metadata link added to their challenge, if they have one."""
        if CHALLENGE_HEADER not in headers:
            return headers
        return {**headers, CHALLENGE_HEADER: f"{headers[CHALLENGE_HEADER]}, {self._metadata_link}"}

    @property
    def _metadata_link(self) -> str:
        return f'resource_metadata="{self._metadata_url}"'

    @property
    def _metadata_url(self) -> str:
        return f"{self.public_url}{WELL_KNOWN_PATH}{RESOURCE_PATH}"


def with_challenge_copy(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a response with a copy of their challenge, if they have one."""
    challenge = headers.get(CHALLENGE_HEADER)
    return dict(headers) if challenge is None else {**headers, CHALLENGE_COPY_HEADER: challenge}
