"""How a client that has no key learns where people sign in (RFC 9728 and RFC 6750)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from groundwire.domain.keys.auth_decision import AuthReason

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings

CHALLENGE_HEADER: Final = "www-authenticate"
WELL_KNOWN_PATH: Final = "/.well-known/oauth-protected-resource"
RESOURCE_PATH: Final = "/mcp"
_NO_CREDENTIAL_REASONS: Final = frozenset({AuthReason.NO_CREDENTIAL, AuthReason.NO_CONTEXT})


class ProtectedResource(NamedTuple):
    """Where people of this server sign in.

    Attributes:
        public_url: of this server, without a slash at its end.
    """

    public_url: str
    issuer: str

    @classmethod
    def from_settings(cls, settings: "Settings") -> Self | None:
        """As these settings say; None where only keys are accepted."""
        provider = settings.identity_provider
        return None if provider is None else cls(settings.public_url, provider.issuer)

    def metadata(self) -> dict[str, object]:
        """Protected resource metadata, RFC 9728 section 2."""
        from groundwire.domain.keys.oauth import TOKEN_SCOPES

        return {
            "resource": f"{self.public_url}{RESOURCE_PATH}",
            "resource_name": "Groundwire",
            "authorization_servers": [self.issuer],
            "scopes_supported": list(TOKEN_SCOPES),
            "bearer_methods_supported": ["header"],
        }

    def challenge(self, reason: AuthReason) -> str:
        """What a 401 says; nothing about what was presented but that something was."""
        error = "" if reason in _NO_CREDENTIAL_REASONS else 'error="invalid_token", '
        return f"Bearer {error}{self._metadata_link}"

    def with_metadata_link(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Headers whose challenge, if there is one, also names the metadata."""
        if CHALLENGE_HEADER not in headers:
            return headers
        return {**headers, CHALLENGE_HEADER: f"{headers[CHALLENGE_HEADER]}, {self._metadata_link}"}

    @property
    def _metadata_link(self) -> str:
        return f'resource_metadata="{self.public_url}{WELL_KNOWN_PATH}{RESOURCE_PATH}"'
