"""Authorization of a call from its headers alone: its key, its principal, and the rate limit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from groundwire.domain.access.call_headers import AUTHORIZATION_HEADER, USER_TOKEN_HEADER, lower_case_headers
from groundwire.domain.access.user_blocks import NO_USER_STATE
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.identity import (
    check_user_named,
    extract_credential,
    ignored_tags,
    is_access_token,
    principal_for,
    read_identity_headers,
    tag_source,
)
from groundwire.domain.keys.key_text import ParsedKey, Secret, key_digest, parse_key
from groundwire.services.keys.denials import decision_for_blocked_user, decision_for_denial, decision_for_outage

if TYPE_CHECKING:
    # Its types import most of the domain, which the authorizer does not need at its start.
    from groundwire.ports import Clock, Keys, Users


class AccessTokens(Protocol):
    """Decisions on access tokens, such as `services.keys.token_authorizer.TokenAuthorizer`."""

    def __call__(self, token: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call whose credential is a token; headers by lower-case name."""
        ...

    def decide_beside(self, key: ApiKey, token: Secret) -> AuthDecision:
        """Return the decision on a call with an admitted key that acts for the user of a token."""
        ...


class RequestAuthorizer:
    """Authorizer of a call: it reads no store before the checksum is valid, then makes one atomic admission.

    A second read gives the stored tags and the block of the user, where the call has one.

    Args:
        authorize_token: decides on calls with an access token; without it none is accepted.
    """

    def __init__(
        self,
        keys: "Keys",
        users: "Users",
        pepper: bytes,
        clock: "Clock",
        authorize_token: AccessTokens | None = None,
    ) -> None:
        self._keys = keys
        self._users = users
        self._pepper = pepper
        self._clock = clock
        self._authorize_token = authorize_token

    def __call__(self, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call with these headers, in any letter case; never raises Unavailable."""
        received = lower_case_headers(headers)
        credential = extract_credential(received)
        if credential is None:
            return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL)
        if isinstance(credential, IdentityDenial):
            return AuthDecision.deny(credential, kid=None, tenant=None)
        if (
            self._authorize_token is not None
            # In any other header such a text is no token, but a malformed key.
            and AUTHORIZATION_HEADER in received
            and is_access_token(credential.reveal())
        ):
            return self._authorize_token(credential, received)
        parsed = parse_key(credential.reveal())
        if parsed is None:
            return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.MALFORMED_KEY)
        return self._admit(parsed, received)

    def _admit(self, parsed: ParsedKey, headers: Mapping[str, str]) -> AuthDecision:
        try:
            admission = self._keys.admit(parsed.kid, key_digest(self._pepper, parsed.text.reveal()), self._clock())
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE)
        if isinstance(admission, AdmissionDenied):
            return decision_for_denial(admission)
        if admission.key.kind is KeyKind.OAUTH:
            # Such a key has no secret, so the text presented as one is wrong.
            return decision_for_denial(
                AdmissionDenied(AdmissionDenialReason.WRONG_SECRET, admission.key.kid, admission.key.tenant, None)
            )
        return self._identify(admission.key, headers)

    def _identify(self, key: ApiKey, headers: Mapping[str, str]) -> AuthDecision:
        asserted = read_identity_headers(key, headers)
        if isinstance(asserted, IdentityDenial):
            return AuthDecision.deny(asserted, key.kid, key.tenant)
        if USER_TOKEN_HEADER in headers:
            return self._identify_by_token(key, Secret(headers[USER_TOKEN_HEADER]))
        denial = check_user_named(key, asserted)
        if denial is not None:
            return AuthDecision.deny(denial, key.kid, key.tenant)
        user = asserted.user if key.user is None else key.user
        try:
            state = NO_USER_STATE if user is None else self._users.state(key.tenant, user)
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE, key.kid, key.tenant)
        if state.is_blocked:
            return decision_for_blocked_user(key)
        principal = principal_for(key, asserted, state.tags)
        source = tag_source(key, asserted)
        ignored = ignored_tags(key, asserted, state.tags)
        return AuthDecision.admit(Caller.from_key(key, principal, key.scopes, source, ignored, now=self._clock()))

    def _identify_by_token(self, key: ApiKey, token: Secret) -> AuthDecision:
        if self._authorize_token is None:
            return AuthDecision.refuse_user_token(AuthReason.NO_PROVIDER, USER_TOKEN_HEADER, key.kid, key.tenant)
        return self._authorize_token.decide_beside(key, token)
