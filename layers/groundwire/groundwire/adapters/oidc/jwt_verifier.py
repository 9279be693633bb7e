"""Verification of signed access tokens (JWS compact form, RFC 7519 and RFC 9068) with the provider's keys."""

from typing import TYPE_CHECKING, Final, cast

import jwt
from jwt import exceptions

from groundwire.adapters.oidc.discovery import FetchJson
from groundwire.adapters.oidc.key_set import KeySet
from groundwire.adapters.oidc.signature_algorithms import ACCEPTED_ALGORITHMS
from groundwire.domain.keys.forms.oauth import Claims, IdentityProvider, TokenDenialReason, check_validity_period
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
    # Times are compared with the caller's clock, by `check_validity_period`.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
}


class JwtVerifier:
    """Verifier of one provider's tokens; implements `ports.system.TokenVerifier`.

    Args:
        fetch: returns a JSON document of the provider.
    """

    def __init__(self, provider: IdentityProvider, fetch: FetchJson) -> None:
        self._provider = provider
        self._keys = KeySet(provider, fetch)

    def count_keys(self, now: float) -> int:
        """Return the number of keys that the provider publishes for signatures.

        Raises:
            Unavailable: the provider's keys cannot be fetched.
        """
        return self._keys.count(now)

    def verify(self, text: str, now: float) -> Claims | TokenDenialReason:
        """Return the claims of a valid token, or the reason why it is denied.

        Raises:
            Unavailable: the provider's keys cannot be fetched and no usable copy is cached.
        """
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
                # The one that the key was published for: a token must not choose another.
                algorithms=[algorithm],
                audience=provider.audience,
                issuer=provider.issuer,
                options=_OPTIONS,
            )
        except exceptions.PyJWTError as error:
            return next((reason for kind, reason in _REASONS if isinstance(error, kind)), TokenDenialReason.MALFORMED)
        except RecursionError:
            return TokenDenialReason.MALFORMED


def _header(text: str) -> tuple[str, str] | TokenDenialReason:
    """Return `kid` and `alg` of the token's header, or the reason for a denial.

    Other header members are ignored; PyJWT refuses tokens with critical extensions that it does not support.
    """
    try:
        header = cast("dict[str, object]", jwt.get_unverified_header(text))
    except (exceptions.PyJWTError, ValueError):
        return TokenDenialReason.MALFORMED
    kid, algorithm, token_type = header.get("kid"), header.get("alg"), header.get("typ", "JWT")
    if not isinstance(algorithm, str) or algorithm not in ACCEPTED_ALGORITHMS:
        return TokenDenialReason.ALGORITHM
    if not isinstance(token_type, str) or token_type.lower() not in _TYPES:
        return TokenDenialReason.MALFORMED
    return (kid, algorithm) if isinstance(kid, str) else TokenDenialReason.UNKNOWN_SIGNER
