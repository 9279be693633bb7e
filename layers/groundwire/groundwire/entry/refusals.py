"""How a refused call is answered: one form per decision, so that no two failures of a key can be told apart."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from groundwire.domain.verdict import EdgeDecision, Verdict
from groundwire.entry.sign_in import CHALLENGE_HEADER, SignIn

INVALID_REQUEST: Final = -32600
RETRYABLE: Final = -32000


class RefusedCall(NamedTuple):
    """The answer to a call that the edge did not admit.

    Attributes:
        status: HTTP status. headers: beside the content type, lower case.
        code, message: members of the JSON-RPC error.
    """

    status: int
    headers: Mapping[str, str]
    code: int
    message: str


_FORMS: Final[Mapping[EdgeDecision, tuple[HTTPStatus, str]]] = {
    EdgeDecision.UNAUTHENTICATED: (
        HTTPStatus.UNAUTHORIZED,
        "A valid API key is required: send it as `Authorization: Bearer KEY`.",
    ),
    EdgeDecision.CONFLICTING_CREDENTIALS: (HTTPStatus.BAD_REQUEST, "Send the API key exactly once."),
    EdgeDecision.BAD_IDENTITY_HEADER: (HTTPStatus.BAD_REQUEST, "An identity header is malformed."),
    EdgeDecision.IDENTITY_NOT_ALLOWED: (HTTPStatus.FORBIDDEN, "The key may not be used with an identity header."),
    EdgeDecision.TAG_NOT_ALLOWED: (HTTPStatus.FORBIDDEN, "The key may not assert one of the tags."),
    EdgeDecision.OVER_LIMIT: (HTTPStatus.TOO_MANY_REQUESTS, "Too many calls; try again after the stated seconds."),
    EdgeDecision.UNAVAILABLE: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The call could not be authorised just now; try again after the stated seconds.",
    ),
}
_KEY_OR_SIGN_IN: Final = "A valid API key or access token is required: send it as `Authorization: Bearer KEY_OR_TOKEN`."
_RETRYABLE: Final = frozenset({EdgeDecision.OVER_LIMIT, EdgeDecision.UNAVAILABLE})
_DEFAULT_RETRY_S: Final = 5


def refusal(verdict: Verdict, sign_in: SignIn | None = None) -> RefusedCall:
    """The answer to a call with this verdict; `sign_in` where people may also come with a token.

    Raises:
        KeyError: the verdict admits the call.
    """
    status, message = _FORMS[verdict.decision]
    if verdict.decision is EdgeDecision.UNAUTHENTICATED:
        return _stranger(status, message) if sign_in is None else _to_sign_in(status, verdict, sign_in)
    if verdict.decision in _RETRYABLE:
        headers = {"retry-after": str(verdict.retry_after_s or _DEFAULT_RETRY_S)}
        return RefusedCall(status.value, headers, RETRYABLE, message)
    return RefusedCall(status.value, {}, INVALID_REQUEST, verdict.message or message)


def _stranger(status: HTTPStatus, message: str) -> RefusedCall:
    return RefusedCall(status.value, {CHALLENGE_HEADER: "Bearer"}, INVALID_REQUEST, message)


def _to_sign_in(status: HTTPStatus, verdict: Verdict, sign_in: SignIn) -> RefusedCall:
    headers = {CHALLENGE_HEADER: sign_in.challenge(verdict.reason)}
    return RefusedCall(status.value, headers, INVALID_REQUEST, _KEY_OR_SIGN_IN)
