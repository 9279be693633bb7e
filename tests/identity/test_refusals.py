"""Each decision has one answer: a status, what to do, and when to come back."""

import pytest

from groundwire.domain.verdict import EdgeDecision, EdgeReason, Verdict
from groundwire.entry.refusals import refusal
from tests.identity.registry import Desk, bearer

STATUSES = {
    EdgeDecision.UNAUTHENTICATED: (401, -32600),
    EdgeDecision.CONFLICTING_CREDENTIALS: (400, -32600),
    EdgeDecision.BAD_IDENTITY_HEADER: (400, -32600),
    EdgeDecision.IDENTITY_NOT_ALLOWED: (403, -32600),
    EdgeDecision.TAG_NOT_ALLOWED: (403, -32600),
    EdgeDecision.OVER_LIMIT: (429, -32000),
    EdgeDecision.UNAVAILABLE: (503, -32000),
}


@pytest.mark.parametrize("decision", [one for one in EdgeDecision if one is not EdgeDecision.ADMITTED])
def test_every_refusing_decision_has_an_answer(decision: EdgeDecision) -> None:
    status, headers, code, message = refusal(Verdict(decision, EdgeReason.NO_CONTEXT, retry_after_s=9))
    assert (status, code) == STATUSES[decision]
    assert message
    assert headers == {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "9"}, 503: {"retry-after": "9"}}.get(
        status, {}
    )


@pytest.mark.parametrize("reason", list(EdgeReason))
def test_a_401_never_says_why(reason: EdgeReason) -> None:
    bare = refusal(Verdict(EdgeDecision.UNAUTHENTICATED, EdgeReason.NO_CREDENTIAL))
    talkative = Verdict(EdgeDecision.UNAUTHENTICATED, reason, header="x", message="revoked", kid="k", tenant="t")
    assert refusal(talkative) == bare


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("x-session-tags", "[", 400),
        ("x-session-tags", '["board"]', 403),
        ("x-user-id", "a,b", 400),
        ("x-tenant", "t", 400),
        ("x-api-key", "y", 400),
    ],
)
def test_a_refusal_for_a_header_names_the_header(header: str, value: str, status: int) -> None:
    desk = Desk()
    answer = refusal(desk.authorize({**bearer(desk.acting("dept:*", strict=True)), header: value}))
    assert answer.status == status
    assert header in answer.message


@pytest.mark.parametrize("decision", [EdgeDecision.OVER_LIMIT, EdgeDecision.UNAVAILABLE])
def test_a_retryable_refusal_always_says_when(decision: EdgeDecision) -> None:
    assert int(refusal(Verdict(decision, EdgeReason.KEY_RATE)).headers["retry-after"]) >= 1


def test_an_admitted_call_has_no_refusal() -> None:
    desk = Desk()
    with pytest.raises(KeyError):
        refusal(desk.authorize(bearer(desk.personal())))
