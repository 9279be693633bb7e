"""Authorization of a call from its headers alone: its key, its principal, and the rate limit."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from groundwire.domain.access.call_headers import (
    AUTHORIZATION_HEADER,
    CREDENTIAL_HEADERS,
    IDENTITY_HEADERS,
    USER_TOKEN_HEADER,
    lower_case_headers,
)
from groundwire.domain.access.user_blocks import NO_USER_STATE
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import ParsedKey, Secret, key_digest, parse_key
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
from groundwire.services.keys.denials import decision_for_blocked_user, decision_for_denial, decision_for_outage

if TYPE_CHECKING:
    # Its types import most of the domain, which the authorizer does not need at its start.
    from groundwire.domain.keys.forms.page_session import PageSession
    from groundwire.ports import Clock, Keys, Users


class AccessTokens(Protocol):
    """Decisions on access tokens, such as `services.keys.token_authorizer.TokenAuthorizer`."""

    def __call__(self, token: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call whose credential is a token; headers by lower-case name."""
        ...

    def decide_beside(self, key: ApiKey, token: Secret) -> AuthDecision:
        """Return the decision on a call with an admitted key that acts for the user of a token."""
        ...

    def authorize_user(self, cookie: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call of somebody whom the identity provider signed in to the page."""
        ...

    def without_tenant_rate(self) -> "AccessTokens":
        """Return the decisions on calls that end or narrow rights."""
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
        return self._admit(parsed, received, self._keys.admit)

    def without_tenant_rate(self) -> "RequestAuthorizer":
        """Return the authorizer of calls that end or narrow rights, which no other call of the tenant delays."""
        tokens = None if self._authorize_token is None else self._authorize_token.without_tenant_rate()
        return RequestAuthorizer(self._keys.without_tenant_rate(), self._users, self._pepper, self._clock, tokens)

    def authorize_page(self, cookie: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on a call of the page, whose cookie is its only credential; never raises Unavailable.

        Its principal is that of the sign-in, within what the key may assert today.

        Args:
            cookie: text of the page session.
            headers: of the call, by lower-case name.
        """
        from groundwire.domain.keys.forms.provider_session import is_provider_session

        if self._authorize_token is not None and is_provider_session(cookie.reveal()):
            return _decision_beside(headers) or self._authorize_token.authorize_user(cookie, headers)
        page = self._presented_page(cookie, headers, is_ticket=False)
        if isinstance(page, AuthDecision):
            return page
        return self._admit(page, {**headers, **page.identity}, self._keys.admit_page)

    def authorize_ticket(self, ticket: Secret, headers: Mapping[str, str]) -> AuthDecision:
        """Return the decision on the sign-in with a one-time address, whose ticket then is used up; see above."""
        page = self._presented_page(ticket, headers, is_ticket=True)
        if isinstance(page, AuthDecision):
            return page
        decision = self._admit(page, {**headers, **page.identity}, self._keys.admit_page)
        try:
            # Of two sign-ins at once, one alone ends the ticket.
            is_used = decision.caller is not None and not self._keys.close_page(
                page.kid, key_digest(self._pepper, page.text.reveal()), self._clock()
            )
        except Unavailable as error:
            return decision_for_outage(error, AuthReason.STORE_UNAVAILABLE, decision.kid, decision.tenant)
        return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.WRONG_SECRET) if is_used else decision

    @staticmethod
    def _presented_page(
        presented: Secret, headers: Mapping[str, str], *, is_ticket: bool
    ) -> "PageSession | AuthDecision":
        # Not before: nearly no call comes from the page.
        from groundwire.domain.keys.forms.page_session import parse_page_session

        if (beside := _decision_beside(headers)) is not None:
            return beside
        page = parse_page_session(presented.reveal())
        if page is None or page.is_ticket is not is_ticket:
            return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.MALFORMED_KEY)
        return page

    def _admit(
        self,
        presented: "ParsedKey | PageSession",
        headers: Mapping[str, str],
        admit: Callable[[str, bytes, float], Admission],
    ) -> AuthDecision:
        try:
            admission = admit(presented.kid, key_digest(self._pepper, presented.text.reveal()), self._clock())
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


def _decision_beside(headers: Mapping[str, str]) -> AuthDecision | None:
    """Return the denial of a call of the page that has another credential or identity; None where it has none."""
    names = (*CREDENTIAL_HEADERS, *IDENTITY_HEADERS, USER_TOKEN_HEADER)
    header = next((name for name in names if name in headers), None)
    if header is None:
        return None
    message = f"{header}: The sign-in of the page has a user of its own. Leave the header out, or sign out."
    denial = IdentityDenial(AuthStatus.CONFLICTING_CREDENTIALS, AuthReason.SEVERAL_CREDENTIALS, header, message)
    return AuthDecision.deny(denial, kid=None, tenant=None)
