"""Each denial has its HTTP status, an advice and, where it is temporary, a time to retry."""

import pytest

from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.auth_errors import auth_error_response
from tests.support.registry.in_memory import TenantKeys, bearer

STATUSES = {
    AuthStatus.UNAUTHENTICATED: (401, -32600),
    AuthStatus.CONFLICTING_CREDENTIALS: (400, -32600),
    AuthStatus.BAD_IDENTITY_HEADER: (400, -32600),
    AuthStatus.IDENTITY_NOT_ALLOWED: (403, -32600),
    AuthStatus.TAG_NOT_ALLOWED: (403, -32600),
    AuthStatus.USER_TOKEN_REFUSED: (401, -32600),
    AuthStatus.OVER_LIMIT: (429, -32000),
    AuthStatus.UNAVAILABLE: (503, -32000),
}


@pytest.mark.parametrize("decision", [one for one in AuthStatus if one is not AuthStatus.ADMITTED])
def test_every_refusing_decision_has_an_answer(decision: AuthStatus) -> None:
    given = AuthDecision(decision, AuthReason.NO_CONTEXT, retry_after_s=9)
    status, headers, code, message, _refused, _data = auth_error_response(given)
    assert (status, code) == STATUSES[decision]
    assert message
    assert headers == {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "9"}, 503: {"retry-after": "9"}}.get(
        status, {}
    )


@pytest.mark.parametrize("reason", list(AuthReason))
def test_a_401_never_states_why(reason: AuthReason) -> None:
    bare = auth_error_response(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL))
    talkative = AuthDecision(AuthStatus.UNAUTHENTICATED, reason, header="x", message="revoked", kid="k", tenant="t")
    assert auth_error_response(talkative) == bare


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
    tenant_keys = TenantKeys()
    answer = auth_error_response(
        tenant_keys.authorize({**bearer(tenant_keys.acting("dept:*", strict=True)), header: value})
    )
    assert answer.status == status
    assert header in answer.message


@pytest.mark.parametrize("decision", [AuthStatus.OVER_LIMIT, AuthStatus.UNAVAILABLE])
def test_a_retryable_refusal_always_states_when(decision: AuthStatus) -> None:
    assert int(auth_error_response(AuthDecision(decision, AuthReason.KEY_RATE)).headers["retry-after"]) >= 1


def test_an_admitted_call_has_no_refusal() -> None:
    tenant_keys = TenantKeys()
    with pytest.raises(KeyError):
        auth_error_response(tenant_keys.authorize(bearer(tenant_keys.personal())))
