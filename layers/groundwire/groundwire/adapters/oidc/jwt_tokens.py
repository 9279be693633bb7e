"""Signed access tokens (JWS compact form, RFC 7519 and RFC 9068), verified with the keys of their provider."""

from typing import TYPE_CHECKING, Final, cast

import jwt
from jwt import exceptions

from groundwire.adapters.oidc.algorithms import ACCEPTED
from groundwire.adapters.oidc.fetch import fetch
from groundwire.adapters.oidc.key_set import Fetch, KeySet
from groundwire.domain.limits import MAX_TOKEN_CHARACTERS
from groundwire.domain.oauth import Claims, IdentityProvider, TokenRefusal, timely

if TYPE_CHECKING:
    from jwt.types import Options

_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_REASONS: Final[tuple[tuple[type[exceptions.PyJWTError], TokenRefusal], ...]] = (
    (exceptions.InvalidSignatureError, TokenRefusal.SIGNATURE),
    (exceptions.InvalidAlgorithmError, TokenRefusal.ALGORITHM),
    (exceptions.InvalidIssuerError, TokenRefusal.ISSUER),
    (exceptions.InvalidAudienceError, TokenRefusal.AUDIENCE),
    (exceptions.MissingRequiredClaimError, TokenRefusal.CLAIMS),
    (exceptions.InvalidSubjectError, TokenRefusal.CLAIMS),
    (exceptions.InvalidJTIError, TokenRefusal.CLAIMS),
)
_OPTIONS: Final["Options"] = {
    "require": ["iss", "aud", "exp"],
    # Times are compared with the caller's clock, by `timely`.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
}


class JwtTokens:
    """The tokens of one provider."""

    def __init__(self, provider: IdentityProvider, fetch: Fetch = fetch) -> None:
        self._provider = provider
        self._keys = KeySet(provider, fetch)

    def verify(self, text: str, now: float) -> Claims | TokenRefusal:
        """See `ports.tokens.Tokens`."""
        if len(text) > MAX_TOKEN_CHARACTERS:
            return TokenRefusal.TOO_LARGE
        header = _header(text)
        if isinstance(header, TokenRefusal):
            return header
        kid, algorithm = header
        key = self._keys.find(kid, algorithm, now)
        if key is None:
            return TokenRefusal.UNKNOWN_SIGNER
        claims = self._claims(text, key, algorithm)
        return claims if isinstance(claims, TokenRefusal) else timely(claims, now) or claims

    def _claims(self, text: str, key: jwt.PyJWK, algorithm: str) -> Claims | TokenRefusal:
        provider = self._provider
        try:
            return jwt.decode(
                text,
                key,
                algorithms=[algorithm],
                audience=provider.audience,
                issuer=provider.issuer,
                options=_OPTIONS,
            )
        except exceptions.PyJWTError as problem:
            return next((reason for kind, reason in _REASONS if isinstance(problem, kind)), TokenRefusal.MALFORMED)
        except RecursionError:
            return TokenRefusal.MALFORMED


def _header(text: str) -> tuple[str, str] | TokenRefusal:
    """Kid and algorithm; of all else that a header may say nothing is followed, and PyJWT refuses what must be."""
    try:
        header = cast("dict[str, object]", jwt.get_unverified_header(text))
    except (exceptions.PyJWTError, ValueError):
        return TokenRefusal.MALFORMED
    kid, algorithm, kind = header.get("kid"), header.get("alg"), header.get("typ", "JWT")
    if not isinstance(algorithm, str) or algorithm not in ACCEPTED:
        return TokenRefusal.ALGORITHM
    if not isinstance(kind, str) or kind.lower() not in _TYPES:
        return TokenRefusal.MALFORMED
    return (kid, algorithm) if isinstance(kid, str) else TokenRefusal.UNKNOWN_SIGNER
