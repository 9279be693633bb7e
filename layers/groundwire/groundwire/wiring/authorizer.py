"""Authorization of calls: all that the authorizer function needs."""

import time
from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.ports import KeyPorts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.ports import Clock
    from groundwire.ports.system import TokenVerifier
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.keys.token_authorizer import TokenAuthorizer


class AuthorizerServices(KeyPorts):
    """Use cases that decide about a call."""

    @property
    def clock(self) -> "Clock":
        """Epoch seconds."""
        return time.time

    @property
    def known_dialects(self) -> "Sequence[Dialect]":
        """Dialects of the server, and those of other packages that the settings name."""
        from groundwire import dialects

        return dialects.known_dialects(self.settings.dialects)

    @Lazy
    def authorize(self) -> "RequestAuthorizer":
        """Authorization of calls by key."""
        from groundwire.services.keys.request_authorizer import RequestAuthorizer

        return RequestAuthorizer(self.keys, self.users, self.secrets.pepper, self.clock, self.authorize_token)

    @Lazy
    def authorize_token(self) -> "TokenAuthorizer | None":
        """Authorization of calls by access token; None where none is accepted."""
        provider = self.settings.identity_provider
        if provider is None:
            return None
        from groundwire.services.keys.token_authorizer import TokenAuthorizer

        # Late: a call with a key never pays for cryptography.
        return TokenAuthorizer(self.keys, lambda: self.token_verifier, provider, self.secrets.pepper, self.clock)

    @Lazy
    def token_verifier(self) -> "TokenVerifier":
        """Verification of access tokens of the identity provider.

        Raises:
            InvalidInput: no provider is set.
        """
        from groundwire.wiring.external_backends import build_token_verifier

        provider = self.settings.identity_provider
        if provider is None:
            raise InvalidInput("No identity provider is set (docs/oauth.md).")
        return build_token_verifier(provider, self.settings.egress)
