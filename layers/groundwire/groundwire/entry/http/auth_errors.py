"""Responses to calls that were not admitted: one form per decision, so that all key failures look the same."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from groundwire.domain.keys.auth_decision import AuthDecision, AuthStatus
from groundwire.entry.http.oauth_metadata import CHALLENGE_HEADER, ProtectedResource
from groundwire_mcp.jsonrpc.errors import RETRYABLE_CODE

INVALID_REQUEST_CODE: Final = -32600


class AuthErrorResponse(NamedTuple):
    """The response to a call that was not admitted.

    Attributes:
        status: HTTP status.
        headers: headers beside the content type, by lower-case name.
        code, message: members of the JSON-RPC error.
        header: the request header that was refused, lower case; None where it was the key, or none was.
        data: further members of the error; None: it has none.
    """

    status: int
    headers: Mapping[str, str]
    code: int
    message: str
    header: str | None = None
    data: Mapping[str, object] | None = None


_RESPONSES: Final[Mapping[AuthStatus, tuple[HTTPStatus, str]]] = {
    AuthStatus.UNAUTHENTICATED: (
        HTTPStatus.UNAUTHORIZED,
        "A valid API key is required: send it as `Authorization: Bearer KEY`.",
    ),
    AuthStatus.CONFLICTING_CREDENTIALS: (HTTPStatus.BAD_REQUEST, "Send the API key exactly once."),
    AuthStatus.BAD_IDENTITY_HEADER: (HTTPStatus.BAD_REQUEST, "The identity header is not valid."),
    AuthStatus.IDENTITY_NOT_ALLOWED: (HTTPStatus.FORBIDDEN, "The key may not be used with an identity header."),
    AuthStatus.TAG_NOT_ALLOWED: (HTTPStatus.FORBIDDEN, "The key may not assert one of the tags."),
    AuthStatus.USER_TOKEN_REFUSED: (HTTPStatus.UNAUTHORIZED, "The access token of the user is not valid."),
    AuthStatus.OVER_LIMIT: (HTTPStatus.TOO_MANY_REQUESTS, "Too many calls. Try again after the stated seconds."),
    AuthStatus.UNAVAILABLE: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The call could not be authorized at this moment. Try again after the stated seconds.",
    ),
}
_KEY_OR_SIGN_IN: Final = "A valid API key or access token is required: send it as `Authorization: Bearer KEY_OR_TOKEN`."
_RETRYABLE_DECISIONS: Final = frozenset({AuthStatus.OVER_LIMIT, AuthStatus.UNAVAILABLE})
_DEFAULT_RETRY_SECONDS: Final = 5


def auth_error_response(
    decision: AuthDecision, protected_resource: ProtectedResource | None = None
) -> AuthErrorResponse:
    """Return the response for this decision; `protected_resource` is set where access tokens are accepted.

    Raises:
        KeyError: the decision admits the call.
    """
    status, message = _RESPONSES[decision.status]
    if decision.status is AuthStatus.UNAUTHENTICATED:
        return (
            _key_required(status, message)
            if protected_resource is None
            else _sign_in_required(status, decision, protected_resource)
        )
    if decision.status is AuthStatus.USER_TOKEN_REFUSED:
        # RFC 9110, 15.5.2: every response with 401 has a challenge.
        challenge = "Bearer" if protected_resource is None else protected_resource.challenge(decision.reason)
        headers = {CHALLENGE_HEADER: challenge}
        refused = AuthErrorResponse(status.value, headers, INVALID_REQUEST_CODE, decision.message or message)
        return refused._replace(header=decision.header)
    if decision.status in _RETRYABLE_DECISIONS:
        headers = {"retry-after": str(decision.retry_after_s or _DEFAULT_RETRY_SECONDS)}
        return AuthErrorResponse(status.value, headers, RETRYABLE_CODE, message)
    return AuthErrorResponse(status.value, {}, INVALID_REQUEST_CODE, decision.message or message)


def _key_required(status: HTTPStatus, message: str) -> AuthErrorResponse:
    return AuthErrorResponse(status.value, {CHALLENGE_HEADER: "Bearer"}, INVALID_REQUEST_CODE, message)


def _sign_in_required(
    status: HTTPStatus, decision: AuthDecision, protected_resource: ProtectedResource
) -> AuthErrorResponse:
    headers = {CHALLENGE_HEADER: protected_resource.challenge(decision.reason)}
    data = protected_resource.error_data
    return AuthErrorResponse(status.value, headers, INVALID_REQUEST_CODE, _KEY_OR_SIGN_IN, data=data)
