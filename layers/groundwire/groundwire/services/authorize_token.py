"""Decide about a call that brings an access token: who the token names, within the key of that tenant."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.caller import Caller
from groundwire.domain.credentials import Admission, Admitted, ApiKey, Refusal, Refused
from groundwire.domain.errors import Unavailable
from groundwire.domain.grants import KeyKind, TagSource
from groundwire.domain.identity import assert_identity, principal_of_token
from groundwire.domain.keys import Secret
from groundwire.domain.oauth import IdentityProvider, TokenPerson, TokenRefusal, oauth_digest, oauth_kid, person
from groundwire.domain.verdict import EdgeDecision, EdgeReason, IdentityFault, Verdict
from groundwire.services.verdicts import refused, unavailable

if TYPE_CHECKING:
    from groundwire.ports import Clock, Keys
    from groundwire.ports.tokens import Tokens

_OVER: Final = frozenset({Refusal.REVOKED, Refusal.EXPIRED})


class AuthorizeToken:
    """A token in, verdict out: nothing is asked of the registry before the signature holds, then one admission.

    Each key of the tenant that was revoked or has expired before the present one costs one more.

    Args:
        tokens: asked for when the first token comes.
    """

    def __init__(
        self,
        keys: "Keys",
        tokens: Callable[[], "Tokens"],
        provider: IdentityProvider,
        pepper: bytes,
        clock: "Clock",
    ) -> None:
        self._keys = keys
        self._tokens = tokens
        self._provider = provider
        self._pepper = pepper
        self._clock = clock

    def __call__(self, token: Secret, headers: Mapping[str, str]) -> Verdict:
        """The decision about a call with this token and these headers by lower-case name; never raises Unavailable."""
        try:
            named = self._named(token)
        except Unavailable as problem:
            return unavailable(problem, EdgeReason.PROVIDER_UNAVAILABLE)
        if isinstance(named, TokenRefusal):
            return Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason(named.value))
        try:
            admission = self._admit(named.tenant)
        except Unavailable as problem:
            return unavailable(problem, EdgeReason.STORE_UNAVAILABLE)
        return refused(admission) if isinstance(admission, Refused) else _identify(admission.key, named, headers)

    def _named(self, token: Secret) -> TokenPerson | TokenRefusal:
        claims = self._tokens().verify(token.reveal(), self._clock())
        return claims if isinstance(claims, TokenRefusal) else person(claims, self._provider)

    def _admit(self, tenant: str) -> Admission:
        """By the tenant's newest key: a kid is never used twice, so one that was revoked stays where it is."""
        number, before = 0, None
        key_digest = oauth_digest(self._pepper, tenant, self._provider)
        while True:
            admission = self._keys.admit(oauth_kid(tenant, number), key_digest, self._clock())
            if isinstance(admission, Admitted):
                # A kid is derived, not drawn: what else could be found under it is not for tokens.
                is_for_tokens = admission.key.kind is KeyKind.OAUTH and admission.key.tenant == tenant
                return admission if is_for_tokens else Refused(Refusal.UNKNOWN_KEY, None, None, None)
            if admission.refusal is Refusal.UNKNOWN_KEY:
                return before or admission
            if admission.refusal not in _OVER:
                return admission
            number, before = number + 1, admission


def _identify(key: ApiKey, named: TokenPerson, headers: Mapping[str, str]) -> Verdict:
    asserted = assert_identity(key, headers)
    principal = asserted if isinstance(asserted, IdentityFault) else principal_of_token(key, named)
    if isinstance(principal, IdentityFault):
        return Verdict.fault(principal, key.kid, key.tenant)
    return Verdict.admit(Caller.of(key, principal, named.scopes, TagSource.TOKEN))
