"""Decisions on calls that a store denied or could not decide, the same for keys and tokens."""

from math import ceil
from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus

_RATE_DENIALS: Final = frozenset({AdmissionDenialReason.KEY_RATE, AdmissionDenialReason.TENANT_RATE})


def decision_for_denial(denial: AdmissionDenied) -> AuthDecision:
    """Return the decision for a denied admission."""
    reason = AuthReason(denial.reason.value)
    if denial.reason not in _RATE_DENIALS:
        return AuthDecision(AuthStatus.UNAUTHENTICATED, reason, kid=denial.kid, tenant=denial.tenant)
    return AuthDecision(
        AuthStatus.OVER_LIMIT,
        reason,
        # RFC 9110, 10.2.3: `Retry-After` has whole seconds, and 0 would invite a repeat at once.
        retry_after_s=max(1, ceil(denial.retry_after_s or 0)),
        kid=denial.kid,
        tenant=denial.tenant,
        toolset=denial.toolset,
    )


# An answer of its own would tell which ids are blocked, and invite another spelling.
def decision_for_blocked_user(key: ApiKey) -> AuthDecision:
    """Return the decision on a call of a blocked user, which looks like one with an unknown key."""
    return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.BLOCKED_USER, kid=key.kid, tenant=key.tenant)


def decision_for_outage(
    error: Unavailable, reason: AuthReason, kid: str | None = None, tenant: str | None = None
) -> AuthDecision:
    """Return the decision for a service that does not respond."""
    retry_after_s = max(1, error.retry_after_s)
    return AuthDecision(AuthStatus.UNAVAILABLE, reason, retry_after_s=retry_after_s, kid=kid, tenant=tenant)
