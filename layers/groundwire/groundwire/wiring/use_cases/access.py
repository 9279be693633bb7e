"""Authorization of calls: all that the authorizer function needs."""

from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.domain.access.groups import GroupTags
    from groundwire.domain.keys.forms.key_text import Secret
    from groundwire.domain.keys.forms.oauth import TokenIdentity
    from groundwire.ports.system import TokenVerifier
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.keys.sign_in.code_flow import CodeFlow
    from groundwire.services.keys.sign_in.signed_in_users import SignedInUsers
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
            self._find_user,
        )

    def _read_groups(self, tenant: str) -> "GroupTags":
        return self._backends.stores.groups.read(tenant)

    def _find_user(self, cookie: "Secret") -> "TokenIdentity | None":
        users = self.signed_in_users
        return None if users is None else users.find(cookie)

    @Lazy
    def signed_in_users(self) -> "SignedInUsers | None":
        """People who are signed in to the page by the identity provider; None where nobody can."""
        import secrets

        from groundwire.services.keys.sign_in.signed_in_users import SignedInUsers

        provider, stores = self._backends.settings.identity_provider, self._backends.stores
        if provider is None or provider.client_id is None:
            return None
        return SignedInUsers(
            stores.provider_sessions, provider, stores.secrets.pepper, self._backends.clock, secrets.token_bytes
        )

    @Lazy
    def code_flow(self) -> "CodeFlow | None":
        """Sign-in to the page by the identity provider; None where nobody can."""
        import secrets

        from groundwire.services.keys.sign_in.code_flow import CodeFlow
        from groundwire.wiring.external_backends import build_authorization_server

        settings, clock = self._backends.settings, self._backends.clock
        provider, users, authorizer = settings.identity_provider, self.signed_in_users, self.authorize_token
        if provider is None or provider.client_id is None or users is None or authorizer is None:
            return None
        server = build_authorization_server(provider, provider.client_id, settings, clock)
        return CodeFlow(server, self._backends.stores.seal, authorizer.explain, users, clock, secrets.token_bytes)

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
