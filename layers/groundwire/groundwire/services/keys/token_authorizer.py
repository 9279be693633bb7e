"""Authorization of a call with an access token: the token's user, within the key of the tenant."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.call_headers import USER_TOKEN_HEADER
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, AdmissionGranted, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.identity import principal_for_token, read_identity_headers
from groundwire.domain.keys.key_text import Secret
from groundwire.domain.keys.oauth import (
    IdentityProvider,
    TokenDenialReason,
    TokenIdentity,
    identity_from_claims,
    oauth_digest,
    oauth_kid,
)
from groundwire.services.keys.denials import decision_for_blocked_user, decision_for_denial, decision_for_outage

if TYPE_CHECKING:
    from groundwire.ports import Clock, Keys, Users
    from groundwire.ports.system import TokenVerifier

_ENDED: Final = frozenset({AdmissionDenialReason.REVOKED, AdmissionDenialReason.EXPIRED})


class TokenAuthorizer:
    """Authorizer of a call with a token: it reads no registry before the signature is valid, then makes one admission.

    Then it reads the block of the user. Each earlier key of the tenant that was revoked or has expired costs one more
    admission.

    Args:
        load_verifier: called when the first token comes.
    """

    def __init__(
        self,
        keys: "Keys",
        users: "Users",
        load_verifier: Callable[[], "TokenVerifier"],
        provider: IdentityProvider,
        pepper: bytes,
        clock: "Clock",
    ) -> None:
        self._keys = keys
        self._users = users
        self._load_verifier = load_verifier
        self._provider = provider
        self._pepper = pepper
        self._clock = clock

    def __call__(self, token: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call with this token and headers by lower-case name; never raises Unavailable."""
        try:
            identity = self._identity_of(token)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.PROVIDER_UNAVAILABLE)
        if isinstance(identity, TokenDenialReason):
            return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason(identity.value))
        try:
            admission = self._admit(identity.tenant)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE)
        return (
            decision_for_denial(admission)
            if isinstance(admission, AdmissionDenied)
            else self._identify(admission.key, identity, headers)
        )

    def decide_beside(self, key: ApiKey, token: Secret) -> AuthDecision:
        """Return the decision on a call with an admitted key that acts for the token's user; never raises Unavailable.

        The key stays the bound: its `max_tags`, its collections, and of its scopes those that the token grants.
        """
        try:
            identity = self._identity_of(token)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.PROVIDER_UNAVAILABLE, key.kid, key.tenant)
        if isinstance(identity, TokenDenialReason):
            reason = AuthReason(identity.value)
            return AuthDecision.refuse_user_token(reason, USER_TOKEN_HEADER, key.kid, key.tenant)
        # A token of another tenant must not name a user of this one.
        if identity.tenant != key.tenant:
            return AuthDecision.refuse_user_token(AuthReason.TOKEN_TENANT, USER_TOKEN_HEADER, key.kid, key.tenant)
        return self._admit_user(key, identity)

    def _identify(self, key: ApiKey, identity: TokenIdentity, headers: Mapping[str, str]) -> AuthDecision:
        asserted = read_identity_headers(key, headers)
        if isinstance(asserted, IdentityDenial):
            return AuthDecision.deny(asserted, key.kid, key.tenant)
        return self._admit_user(key, identity)

    def _admit_user(self, key: ApiKey, identity: TokenIdentity) -> AuthDecision:
        principal = principal_for_token(key, identity)
        if isinstance(principal, IdentityDenial):
            return AuthDecision.deny(principal, key.kid, key.tenant)
        try:
            state = self._users.state(key.tenant, identity.user)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE, key.kid, key.tenant)
        if state.is_blocked:
            return decision_for_blocked_user(key)
        return AuthDecision.admit(Caller.from_key(key, principal, identity.scopes, TagSource.TOKEN, now=self._clock()))

    def _identity_of(self, token: Secret) -> TokenIdentity | TokenDenialReason:
        claims = self._load_verifier().verify(token.reveal(), self._clock())
        return claims if isinstance(claims, TokenDenialReason) else identity_from_claims(claims, self._provider)

    def _admit(self, tenant: str) -> Admission:
        """Admit by the tenant's newest key; a kid is never reused, so revoked keys keep their numbers."""
        number, previous = 0, None
        key_digest = oauth_digest(self._pepper, tenant, self._provider)
        while True:
            admission = self._keys.admit(oauth_kid(tenant, number), key_digest, self._clock())
            if isinstance(admission, AdmissionGranted):
                # A kid is derived, not random: a key of another kind under this kid is not for tokens.
                is_for_tokens = admission.key.kind is KeyKind.OAUTH and admission.key.tenant == tenant
                return (
                    admission if is_for_tokens else AdmissionDenied(AdmissionDenialReason.UNKNOWN_KEY, None, None, None)
                )
            if admission.reason is AdmissionDenialReason.UNKNOWN_KEY:
                return previous or admission
            if admission.reason not in _ENDED:
                return admission
            number, previous = number + 1, admission
