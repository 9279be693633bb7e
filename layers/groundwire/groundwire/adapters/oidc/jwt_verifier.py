"""Signed access tokens (JWS compact form, RFC 7519 and RFC 9068), verified with the keys of their provider."""

from typing import TYPE_CHECKING, Final, cast

import jwt
from jwt import exceptions

from groundwire.adapters.oidc.key_set import FetchJson, KeySet
from groundwire.adapters.oidc.provider_http import fetch_json
from groundwire.adapters.oidc.signature_algorithms import ACCEPTED_ALGORITHMS
from groundwire.domain.keys.oauth import Claims, IdentityProvider, TokenDenialReason, check_validity_period
from groundwire.domain.limits import MAX_TOKEN_CHARACTERS

if TYPE_CHECKING:
    from jwt.types import Options

_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_REASONS: Final[tuple[tuple[type[exceptions.PyJWTError], TokenDenialReason], ...]] = (
    (exceptions.InvalidSignatureError, TokenDenialReason.SIGNATURE),
    (exceptions.InvalidAlgorithmError, TokenDenialReason.ALGORITHM),
    (exceptions.InvalidIssuerError, TokenDenialReason.ISSUER),
    (exceptions.InvalidAudienceError, TokenDenialReason.AUDIENCE),
    (exceptions.MissingRequiredClaimError, TokenDenialReason.CLAIMS),
    (exceptions.InvalidSubjectError, TokenDenialReason.CLAIMS),
    (exceptions.InvalidJTIError, TokenDenialReason.CLAIMS),
)
_OPTIONS: Final["Options"] = {
    "require": ["iss", "aud", "exp"],
    # Times are compared with the caller's clock, by `timely`.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
}


class JwtVerifier:
    """The tokens of one provider."""

    def __init__(self, provider: IdentityProvider, fetch: FetchJson = fetch_json) -> None:
        self._provider = provider
        self._keys = KeySet(provider, fetch)

    def verify(self, text: str, now: float) -> Claims | TokenDenialReason:
        """See `ports.tokens.TokenVerifier`."""
        if len(text) > MAX_TOKEN_CHARACTERS:
            return TokenDenialReason.TOO_LARGE
        header = _header(text)
        if isinstance(header, TokenDenialReason):
            return header
        kid, algorithm = header
        key = self._keys.find(kid, algorithm, now)
        if key is None:
            return TokenDenialReason.UNKNOWN_SIGNER
        claims = self._claims(text, key, algorithm)
        return claims if isinstance(claims, TokenDenialReason) else check_validity_period(claims, now) or claims

    def _claims(self, text: str, key: jwt.PyJWK, algorithm: str) -> Claims | TokenDenialReason:
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
            return next((reason for kind, reason in _REASONS if isinstance(problem, kind)), TokenDenialReason.MALFORMED)
        except RecursionError:
            return TokenDenialReason.MALFORMED


def _header(text: str) -> tuple[str, str] | TokenDenialReason:
    """Kid and algorithm; of all else that a header may say nothing is followed, and PyJWT refuses what must be."""
    try:
        header = cast("dict[str, object]", jwt.get_unverified_header(text))
    except (exceptions.PyJWTError, ValueError):
        return TokenDenialReason.MALFORMED
    kid, algorithm, kind = header.get("kid"), header.get("alg"), header.get("typ", "JWT")
    if not isinstance(algorithm, str) or algorithm not in ACCEPTED_ALGORITHMS:
        return TokenDenialReason.ALGORITHM
    if not isinstance(kind, str) or kind.lower() not in _TYPES:
        return TokenDenialReason.MALFORMED
    return (kid, algorithm) if isinstance(kid, str) else TokenDenialReason.UNKNOWN_SIGNER
