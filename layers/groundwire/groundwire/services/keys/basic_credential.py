"""Authorization of a call whose key comes by HTTP Basic (RFC 7617), on routes of systems whose clients send no other.

The user name is `key`, and the password is a personal key. Such clients let a model set further headers, so a key that
acts for others is refused here whatever its headers name.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Final

from groundwire.domain.access.call_headers import AUTHORIZATION_HEADER, lower_case_headers
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.grants import KeyKind

_USER: Final = "key"
_MAX_CHARACTERS: Final = 1_024

AuthorizeCall = Callable[[Mapping[str, str]], AuthDecision]
"""Maps request headers to a decision, such as `services.keys.request_authorizer.RequestAuthorizer`."""


def authorize_basic(authorize: AuthorizeCall, headers: Mapping[str, str]) -> AuthDecision:
    """Return the decision on a call with a Basic credential.

    Args:
        authorize: decides on the same call with the key as a bearer.
        headers: in any letter case, with a Basic credential in `Authorization`.
    """
    received = lower_case_headers(headers)
    value = received[AUTHORIZATION_HEADER]
    if "," in value:
        # The header was sent twice, which is decided as for every other credential.
        return authorize(received)
    text = _password(value.partition(" ")[2].strip())
    if text is None:
        return AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.MALFORMED_KEY)
    decision = authorize({**received, AUTHORIZATION_HEADER: f"Bearer {text}"})
    if decision.caller is None or decision.caller.kind is KeyKind.PERSONAL:
        return decision
    message = "authorization: Basic accepts only a personal key. Send a delegated key or a token as Bearer."
    denial = IdentityDenial(AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.BASIC_CREDENTIAL, AUTHORIZATION_HEADER, message)
    return AuthDecision.deny(denial, decision.kid, decision.tenant)


def _password(encoded: str) -> str | None:
    """Return the password of a pair of user name and password; None where the pair is malformed or of another user."""
    if len(encoded) > _MAX_CHARACTERS:
        return None
    try:
        # RFC 7617, 2: the encoding is not defined, but compatible with ASCII, which keys are.
        pair = base64.b64decode(encoded, validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return None
    user, colon, password = pair.partition(":")
    # A bearer's text has no blank around it, and a password is compared as it is.
    return password if user == _USER and colon and password and password == password.strip() else None
