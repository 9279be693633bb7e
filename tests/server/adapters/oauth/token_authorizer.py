"""A tenant's keys that lets people in by the tokens of a provider of the tests."""

import secrets
from dataclasses import replace
from typing import Any

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.services.keys.admin import KeyAdmin, KeySpec
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from groundwire.services.keys.token_authorizer import TokenAuthorizer
from tests.support.registry.in_memory import NOW, PEPPER, TENANT, TenantKeys
from tests.support.registry.key_specs import CHOICES
from tests.support.registry.token_issuer import Issuer, verifier_of

SOUTH = "t_south"
TOKENS = KeySpec(
    tenant=TENANT,
    name="our people",
    kind=KeyKind.OAUTH,
    user=None,
    tags=frozenset(),
    max_tags=("department:*", "board"),
    scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
    collections=ALL_COLLECTIONS,
    options=USUAL_OPTIONS,
    burst=1_000,
)
GRANT = "openid groundwire:search groundwire:verify"


class TenantTokens(TenantKeys):
    """Two tenants, neither of which admits any caller yet."""

    def __init__(self, issuer: Issuer, **provider: Any) -> None:
        super().__init__()
        self.issuer = issuer
        self.tenants.add(Tenant(SOUTH, "South", 6_000, 600, NOW))
        self.tokens = verifier_of(issuer.provider)
        self.configure(replace(issuer.provider, **provider))

    def configure(self, provider: IdentityProvider) -> None:
        """Starts anew with this provider, over the same registry."""
        clock = lambda: self.now  # noqa: E731 - as short as its use
        make = secrets.token_bytes
        self.admin = KeyAdmin(self.keys, self.tenants, CHOICES, lambda: PEPPER, "local", make, clock, lambda: provider)
        token = TokenAuthorizer(
            self.keys, self.users, lambda: self.tokens, provider, PEPPER, clock, self.groups.read, lambda _: None
        )
        self.token = token
        self.authorize = RequestAuthorizer(self.keys, self.users, PEPPER, lambda: self.now, token)

    def admit(self, **changes: Any) -> ApiKey:
        """The key under which the tenant's people come in."""
        return self.admin.create_token_key(replace(TOKENS, **changes))

    def bearer(self, **claims: object) -> str:
        """A good token that makes these claims."""
        full: dict[str, Any] = {"scope": GRANT, "exp": self.now + 300, "iat": self.now, **claims}
        return self.issuer.token(**full)

    def decide(self, headers: dict[str, str] | None = None, **claims: object) -> AuthDecision:
        """About a call with a good token that makes these claims."""
        return self.authorize({"authorization": f"Bearer {self.bearer(**claims)}", **(headers or {})})
