"""Verdicts about calls that a store did not let through, the same for keys and tokens."""

from math import ceil
from typing import Final

from groundwire.domain.credentials import Refusal, Refused
from groundwire.domain.errors import Unavailable
from groundwire.domain.verdict import EdgeDecision, EdgeReason, Verdict

_RATE_REFUSALS: Final = frozenset({Refusal.KEY_RATE, Refusal.TENANT_RATE})


def refused(admission: Refused) -> Verdict:
    """The call ends because its key was not admitted."""
    reason = EdgeReason(admission.refusal.value)
    if admission.refusal not in _RATE_REFUSALS:
        return Verdict(EdgeDecision.UNAUTHENTICATED, reason, kid=admission.kid, tenant=admission.tenant)
    return Verdict(
        EdgeDecision.OVER_LIMIT,
        reason,
        retry_after_s=max(1, ceil(admission.retry_after_s or 0)),
        kid=admission.kid,
        tenant=admission.tenant,
    )


def unavailable(problem: Unavailable, reason: EdgeReason, kid: str | None = None, tenant: str | None = None) -> Verdict:
    """The call ends because what decides about it does not answer."""
    retry_after_s = max(1, problem.retry_after_s)
    return Verdict(EdgeDecision.UNAVAILABLE, reason, retry_after_s=retry_after_s, kid=kid, tenant=tenant)
