"""Authorization of calls: all that the authorizer function needs."""

from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.domain.access.groups import GroupTags
    from groundwire.ports.system import TokenVerifier
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.keys.token_authorizer import TokenAuthorizer
    from groundwire.settings.environment import Settings
    from groundwire.wiring.backends import Backends


class AccessUseCases:
    """Use cases that decide about a call."""

    def __init__(self, backends: "Backends") -> None:
        self._backends = backends

    @property
    def known_dialects(self) -> "Sequence[Dialect]":
        """Dialects of the server, and those of other packages that the settings name."""
        return known_dialects(self._backends.settings)

    @Lazy
    def authorize(self) -> "RequestAuthorizer":
        """Authorization of calls by key."""
        from groundwire.services.keys.request_authorizer import RequestAuthorizer

        stores = self._backends.stores
        clock = self._backends.clock
        return RequestAuthorizer(stores.keys, stores.users, stores.secrets.pepper, clock, self.authorize_token)

    @Lazy
    def authorize_token(self) -> "TokenAuthorizer | None":
        """Authorization of calls by access token; None where none is accepted."""
        provider = self._backends.settings.identity_provider
        if provider is None:
            return None
        from groundwire.services.keys.token_authorizer import TokenAuthorizer

        stores, clock = self._backends.stores, self._backends.clock
        return TokenAuthorizer(
            stores.keys,
            stores.users,
            # Late: a call with a key never pays for cryptography.
            lambda: self.token_verifier,
            provider,
            stores.secrets.pepper,
            clock,
            self._read_groups,
        )

    def _read_groups(self, tenant: str) -> "GroupTags":
        return self._backends.stores.groups.read(tenant)

    @Lazy
    def token_verifier(self) -> "TokenVerifier":
        """Verification of access tokens of the identity provider.

        Raises:
            InvalidInput: no provider is set.
        """
        from groundwire.wiring.external_backends import build_token_verifier

        provider = self._backends.settings.identity_provider
        if provider is None:
            raise InvalidInput("This server accepts no access tokens.", remedy="set_identity_provider")
        return build_token_verifier(provider, self._backends.settings.egress)


def known_dialects(settings: "Settings") -> "Sequence[Dialect]":
    """Return the dialects of the server, and those of other packages that the settings name."""
    from groundwire import dialects

    return dialects.known_dialects(settings.dialects)
