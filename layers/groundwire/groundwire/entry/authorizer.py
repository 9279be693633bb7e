"""The API Gateway authorizer: decides about every call and lets every call through with the decision.

HTTP API, REQUEST type, payload 2.0, simple response, no identity source, no cache. The gateway's own
refusals have fixed bodies, so the handler behind it makes every 400, 401, 403, 429 and 503.
"""

import logging
import traceback
from collections.abc import Callable, Mapping
from typing import Final, cast

from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.authorizer_context import to_context

AuthorizeCall = Callable[[Mapping[str, str]], AuthDecision]
"""Request headers to verdict, such as `services.keys.request_authorizer.RequestAuthorizer`."""

Handler = Callable[[Mapping[str, object], object], dict[str, object]]

INTERNAL_ERROR_RETRY_SECONDS: Final = 5

_log = logging.getLogger(__name__)


def build_handler(authorize: AuthorizeCall) -> Handler:
    """A Lambda handler that puts what `authorize` decides into the gateway's context; it never raises."""

    def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
        # Nothing may leave as an exception: the gateway would answer it with a body of its own.
        try:
            return _allow(authorize(_headers(event)))
        except Exception as problem:  # noqa: BLE001
            # Where, but not the exception's own text: it may quote what was presented as a key.
            frames = "".join(traceback.format_tb(problem.__traceback__))
            _log.error("authorization failed: %s\n%s", type(problem).__name__, frames)
            return _allow(_INTERNAL_ERROR)

    return handler


_INTERNAL_ERROR: Final = AuthDecision(
    AuthStatus.UNAVAILABLE, AuthReason.INTERNAL_FAULT, retry_after_s=INTERNAL_ERROR_RETRY_SECONDS
)


def _allow(decision: AuthDecision) -> dict[str, object]:
    return {"isAuthorized": True, "context": to_context(decision)}


def _headers(event: Mapping[str, object]) -> Mapping[str, str]:
    headers = event.get("headers")
    if not isinstance(headers, Mapping):
        return {}
    given = cast("Mapping[object, object]", headers)
    return {name: value for name, value in given.items() if isinstance(name, str) and isinstance(value, str)}


def _authorize(headers: Mapping[str, str]) -> AuthDecision:
    # Late, so that a start that fails (a setting, an unreachable store) is answered, not raised at import.
    from groundwire import wiring

    return wiring.request_services().authorize(headers)


handler: Final = build_handler(_authorize)
