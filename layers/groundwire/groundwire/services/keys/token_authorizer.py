"""Authorization of a call with an access token: the token's user, within the key of the tenant."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from groundwire.domain.access.call_headers import USER_TOKEN_HEADER
from groundwire.domain.access.groups import NO_GROUPS, GroupMapping, GroupTags, TokenTags, decide_groups
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, AdmissionGranted, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.forms.oauth import (
    ClaimDefect,
    IdentityProvider,
    TokenDenialReason,
    TokenIdentity,
    oauth_digest,
    oauth_kid,
    read_claims,
)
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.identity import principal_for_token, read_identity_headers
from groundwire.services.keys.denials import decision_for_blocked_user, decision_for_denial, decision_for_outage

if TYPE_CHECKING:
    from groundwire.ports import Clock, Keys, Users
    from groundwire.ports.system import TokenVerifier

_ENDED: Final = frozenset({AdmissionDenialReason.REVOKED, AdmissionDenialReason.EXPIRED})


class TokenDecision(NamedTuple):
    """Decision on a call with a token, and what it was made from.

    Attributes:
        identity: None where the token was refused.
        tags: decisions about the groups of the token; None where no key admitted the call.
        max_tags: bound of the key; empty where no key admitted the call.
        defect: claim for which the token names nobody.
    """

    decision: AuthDecision
    identity: TokenIdentity | None = None
    tags: TokenTags | None = None
    max_tags: tuple[str, ...] = ()
    defect: ClaimDefect | None = None


class TokenAuthorizer:
    """Authorizer of a call with a token: it reads no registry before the signature is valid, then makes one admission.

    Then it reads the block of the user. Each earlier key of the tenant that was revoked or has expired costs one more
    admission. A token with groups costs one read of the tenant's mapping of groups.

    Args:
        load_verifier: called when the first token comes.
        read_groups: returns the tags that a tenant's mapping gives its groups.
        find_user: returns the identity of a sign-in to the page, by its cookie; None for one that is not open.
    """

    def __init__(
        self,
        keys: "Keys",
        users: "Users",
        load_verifier: Callable[[], "TokenVerifier"],
        provider: IdentityProvider,
        pepper: bytes,
        clock: "Clock",
        read_groups: Callable[[str], GroupTags],
        find_user: Callable[[Secret], TokenIdentity | None],
    ) -> None:
        self._keys = keys
        self._users = users
        self._load_verifier = load_verifier
        self._provider = provider
        self._pepper = pepper
        self._clock = clock
        self._read_groups = read_groups
        self._find_user = find_user

    def __call__(self, token: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call with this token and headers by lower-case name; never raises Unavailable."""
        return self._decide(token, headers, None).decision

    def without_tenant_rate(self) -> Self:
        """Return the authorizer of calls that end or narrow rights, which no other call of the tenant delays."""
        authorizer = copy(self)
        authorizer._keys = self._keys.without_tenant_rate()  # noqa: SLF001 - a copy of this object
        return authorizer

    def explain(self, token: Secret, tenant: str | None) -> TokenDecision:
        """Return the decision on a call with this token, and what it was made from; the call counts like any other.

        Args:
            token: text of the access token.
            tenant: the only tenant whose tokens are explained; None for the operator, who may see each.
        """
        return self._decide(token, {}, tenant)

    def decide_beside(self, key: ApiKey, token: Secret) -> AuthDecision:
        """Return the decision on a call with an admitted key that acts for the token's user; never raises Unavailable.

        The key stays the bound: its `max_tags`, its collections, and of its scopes those that the token grants.
        """
        try:
            identity = self._identity_of(token)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.PROVIDER_UNAVAILABLE, key.kid, key.tenant)
        if isinstance(identity, TokenDecision):
            return AuthDecision.refuse_user_token(identity.decision.reason, USER_TOKEN_HEADER, key.kid, key.tenant)
        # A token of another tenant must not name a user of this one.
        if identity.tenant != key.tenant:
            return AuthDecision.refuse_user_token(AuthReason.TOKEN_TENANT, USER_TOKEN_HEADER, key.kid, key.tenant)
        return self._admit_token_user(key, identity).decision

    def authorize_user(self, cookie: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call of somebody who signed in to the page; never raises Unavailable.

        It is that on a call with the token of the sign-in, by the key, the groups and the blocks of this moment.
        """
        try:
            identity = self._find_user(cookie)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE)
        if identity is None:
            return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.WRONG_SECRET)
        return self._decide_by_key(identity, headers).decision

    def _decide(self, token: Secret, headers: Mapping[str, str], only_tenant: str | None) -> TokenDecision:
        try:
            identity = self._identity_of(token)
        except Unavailable as error:
            return TokenDecision(decision_for_outage(error, AuthReason.PROVIDER_UNAVAILABLE))
        if isinstance(identity, TokenDecision):
            return identity
        if only_tenant not in {None, identity.tenant}:
            return _refused(AuthReason.TOKEN_TENANT)
        return self._decide_by_key(identity, headers)

    def _decide_by_key(self, identity: TokenIdentity, headers: Mapping[str, str]) -> TokenDecision:
        try:
            admission = self._admit(identity.tenant)
        except Unavailable as error:
            return TokenDecision(decision_for_outage(error, AuthReason.STORE_UNAVAILABLE), identity)
        if isinstance(admission, AdmissionDenied):
            return TokenDecision(decision_for_denial(admission), identity)
        key = admission.key
        asserted = read_identity_headers(key, headers)
        if isinstance(asserted, IdentityDenial):
            return TokenDecision(AuthDecision.deny(asserted, key.kid, key.tenant), identity)
        return self._admit_token_user(key, identity)

    def _identity_of(self, token: Secret) -> TokenIdentity | TokenDecision:
        claims = self._load_verifier().verify(token.reveal(), self._clock())
        if isinstance(claims, TokenDenialReason):
            return _refused(AuthReason(claims.value))
        identity = read_claims(claims, self._provider)
        if isinstance(identity, ClaimDefect):
            return _refused(AuthReason.TOKEN_CLAIMS)._replace(defect=identity)
        return identity

    def _admit_token_user(self, key: ApiKey, identity: TokenIdentity) -> TokenDecision:
        try:
            # A token without groups needs no mapping, so its call costs no read.
            stored = self._read_groups(key.tenant) if identity.groups else NO_GROUPS
            is_blocked = self._users.state(key.tenant, identity.user).is_blocked
        except Unavailable as error:
            outage = decision_for_outage(error, AuthReason.STORE_UNAVAILABLE, key.kid, key.tenant)
            return TokenDecision(outage, identity)
        tags = decide_groups(identity.groups, GroupMapping(stored, self._provider.groups), key.max_tags)
        principal = principal_for_token(key, identity.user, tags.kept)
        if isinstance(principal, IdentityDenial):
            decision = AuthDecision.deny(principal, key.kid, key.tenant)
        elif is_blocked:
            decision = decision_for_blocked_user(key)
        else:
            source, now = TagSource.TOKEN, self._clock()
            caller = Caller.from_key(key, principal, identity.scopes, source, tags.ignored, now=now)
            decision = AuthDecision.admit(caller)
        return TokenDecision(decision, identity, tags, key.max_tags)

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


def _refused(reason: AuthReason) -> TokenDecision:
    return TokenDecision(AuthDecision(AuthStatus.UNAUTHENTICATED, reason))
