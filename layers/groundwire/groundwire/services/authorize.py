"""Decide about one call from its headers alone: who calls, for whom, and whether the rate allows it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from groundwire.domain.caller import Caller
from groundwire.domain.credentials import ApiKey, Refusal, Refused
from groundwire.domain.errors import Unavailable
from groundwire.domain.grants import KeyKind
from groundwire.domain.identity import (
    AUTHORIZATION_HEADER,
    Asserted,
    assert_identity,
    by_lower_name,
    credential,
    is_token,
    needs_user_entry,
    principal_for,
    tag_source,
)
from groundwire.domain.keys import ParsedKey, Secret, digest, parse
from groundwire.domain.verdict import EdgeDecision, EdgeReason, IdentityFault, Verdict
from groundwire.services.verdicts import refused, unavailable

if TYPE_CHECKING:
    # Its types reach most of the domain, none of which the authorizer needs to start.
    from groundwire.ports import Clock, Keys, Users

DecideToken = Callable[[Secret, Mapping[str, str]], Verdict]
"""Access token and headers by lower-case name to verdict, such as `services.authorize_token.AuthorizeToken`."""


class Authorize:
    """Headers in, verdict out: nothing is read before the checksum holds, then one atomic admission.

    Only a key that acts for others, with a user but without tags, costs a second read.

    Args:
        token: decides about calls with an access token; without it none is accepted.
    """

    def __init__(
        self, keys: "Keys", users: "Users", pepper: bytes, clock: "Clock", token: DecideToken | None = None
    ) -> None:
        self._keys = keys
        self._users = users
        self._pepper = pepper
        self._clock = clock
        self._token = token

    def __call__(self, headers: Mapping[str, str]) -> Verdict:
        """The decision about a call with these headers, however their names are spelled; never raises Unavailable."""
        received = by_lower_name(headers)
        presented = credential(received)
        if presented is None:
            return Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason.NO_CREDENTIAL)
        if isinstance(presented, IdentityFault):
            return Verdict.fault(presented, kid=None, tenant=None)
        if self._token is not None and AUTHORIZATION_HEADER in received and is_token(presented.reveal()):
            return self._token(presented, received)
        parsed = parse(presented.reveal())
        if parsed is None:
            return Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason.MALFORMED_KEY)
        return self._admit(parsed, received)

    def _admit(self, parsed: ParsedKey, headers: Mapping[str, str]) -> Verdict:
        try:
            admission = self._keys.admit(parsed.kid, digest(self._pepper, parsed.text.reveal()), self._clock())
        except Unavailable as problem:
            return unavailable(problem, EdgeReason.STORE_UNAVAILABLE)
        if isinstance(admission, Refused):
            return refused(admission)
        if admission.key.kind is KeyKind.OAUTH:
            # It has no secret: whatever was taken for one is not.
            return refused(Refused(Refusal.WRONG_SECRET, admission.key.kid, admission.key.tenant, None))
        return self._identify(admission.key, headers)

    def _identify(self, key: ApiKey, headers: Mapping[str, str]) -> Verdict:
        asserted = assert_identity(key, headers)
        if isinstance(asserted, IdentityFault):
            return Verdict.fault(asserted, key.kid, key.tenant)
        try:
            entry = self._user_entry(key, asserted)
        except Unavailable as problem:
            return unavailable(problem, EdgeReason.STORE_UNAVAILABLE, key.kid, key.tenant)
        principal = principal_for(key, asserted, entry)
        source = tag_source(key, asserted)
        return Verdict.admit(Caller.of(key, principal, key.scopes, source, asserted.tags_ignored))

    def _user_entry(self, key: ApiKey, asserted: Asserted) -> frozenset[str] | None:
        if asserted.user is None or not needs_user_entry(key, asserted):
            return None
        return self._users.tags(key.tenant, asserted.user)
