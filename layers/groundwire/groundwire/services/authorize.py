"""Decide about one call from its headers alone: who calls, for whom, and whether the rate allows it."""

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

from groundwire.domain.caller import Caller
from groundwire.domain.credentials import ApiKey, Refusal, Refused
from groundwire.domain.errors import Unavailable
from groundwire.domain.identity import (
    Asserted,
    assert_identity,
    by_lower_name,
    credential,
    needs_user_entry,
    principal_for,
)
from groundwire.domain.keys import ParsedKey, digest, parse
from groundwire.domain.verdict import EdgeDecision, EdgeReason, IdentityFault, Verdict

if TYPE_CHECKING:
    # Its types reach most of the domain, none of which the authorizer needs to start.
    from groundwire.ports import Clock, Keys, Users

_RATE_REFUSALS = frozenset({Refusal.KEY_RATE, Refusal.TENANT_RATE})


class Authorize:
    """Headers in, verdict out: nothing is read before the checksum holds, then one atomic admission.

    Only a key that acts for others, with a user but without tags, costs a second read.
    """

    def __init__(self, keys: "Keys", users: "Users", pepper: bytes, clock: "Clock") -> None:
        self._keys = keys
        self._users = users
        self._pepper = pepper
        self._clock = clock

    def __call__(self, headers: Mapping[str, str]) -> Verdict:
        """The decision about a call with these headers, however their names are spelled; never raises Unavailable."""
        received = by_lower_name(headers)
        presented = credential(received)
        if presented is None:
            return Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason.NO_CREDENTIAL)
        if isinstance(presented, IdentityFault):
            return Verdict.fault(presented, kid=None, tenant=None)
        parsed = parse(presented.reveal())
        if parsed is None:
            return Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason.MALFORMED_KEY)
        return self._admit(parsed, received)

    def _admit(self, parsed: ParsedKey, headers: Mapping[str, str]) -> Verdict:
        try:
            admission = self._keys.admit(parsed.kid, digest(self._pepper, parsed.text.reveal()), self._clock())
        except Unavailable as problem:
            return _unavailable(problem, kid=None, tenant=None)
        if isinstance(admission, Refused):
            return _refused(admission)
        return self._identify(admission.key, headers)

    def _identify(self, key: ApiKey, headers: Mapping[str, str]) -> Verdict:
        asserted = assert_identity(key, headers)
        if isinstance(asserted, IdentityFault):
            return Verdict.fault(asserted, key.kid, key.tenant)
        try:
            entry = self._user_entry(key, asserted)
        except Unavailable as problem:
            return _unavailable(problem, key.kid, key.tenant)
        return Verdict.admit(
            Caller(
                principal=principal_for(key, asserted, entry),
                kid=key.kid,
                kind=key.kind,
                scopes=key.scopes,
                collections=key.collections,
                top_n=key.top_n,
                toolset=key.toolset,
                expand_tokens=key.expand_tokens,
            )
        )

    def _user_entry(self, key: ApiKey, asserted: Asserted) -> frozenset[str] | None:
        if asserted.user is None or not needs_user_entry(key, asserted):
            return None
        return self._users.tags(key.tenant, asserted.user)


def _refused(refused: Refused) -> Verdict:
    reason = EdgeReason(refused.refusal.value)
    if refused.refusal not in _RATE_REFUSALS:
        return Verdict(EdgeDecision.UNAUTHENTICATED, reason, kid=refused.kid, tenant=refused.tenant)
    return Verdict(
        EdgeDecision.OVER_LIMIT,
        reason,
        retry_after_s=max(1, ceil(refused.retry_after_s or 0)),
        kid=refused.kid,
        tenant=refused.tenant,
    )


def _unavailable(problem: Unavailable, kid: str | None, tenant: str | None) -> Verdict:
    return Verdict(
        EdgeDecision.UNAVAILABLE,
        EdgeReason.STORE_UNAVAILABLE,
        retry_after_s=max(1, problem.retry_after_s),
        kid=kid,
        tenant=tenant,
    )
