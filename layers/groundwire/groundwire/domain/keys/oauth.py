"""Access tokens of a company's identity provider: whom a verified one names, and which key bounds it.

A token says who somebody is; what such callers may reach is said by a key of the kind `oauth`, one per
tenant, that has no secret. Its kid follows from the tenant, its digest from the provider as well, so a token
is admitted, counted and revoked as every key is, and a key made for another provider admits nobody.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, cast
from urllib.parse import urlsplit

from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.tags import parse_tag, parse_user
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.key_text import base62_kid, key_digest

Claims = Mapping[str, object]
"""The claims of a token whose signature, issuer and audience hold."""

TOKEN_SCOPES: Final[Mapping[str, Scope]] = {
    "groundwire:search": Scope.SEARCH,
    "groundwire:verify": Scope.VERIFY,
}
"""What a token can grant, by the names that the identity provider knows; every other right needs an API key."""
SCOPE_CLAIM_NAMES: Final[Mapping[Scope, str]] = {scope: name for name, scope in TOKEN_SCOPES.items()}

CLOCK_LEEWAY_SECONDS: Final = 60
"""Two clocks differ by so much."""
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_MAX_TENANT_CHARACTERS: Final = 64
_EMAIL: Final = "email"
"""A standard claim that people may have written themselves, where `email_verified` does not say otherwise."""


class TokenDenialReason(StrEnum):
    """Why a token was refused; for the audit line, never for the caller."""

    TOO_LARGE = "token_too_large"
    MALFORMED = "token_malformed"
    ALGORITHM = "token_algorithm"
    UNKNOWN_SIGNER = "token_unknown_signer"
    SIGNATURE = "token_signature"
    ISSUER = "token_issuer"
    AUDIENCE = "token_audience"
    EXPIRED = "token_expired"
    NOT_YET_VALID = "token_not_yet_valid"
    CLAIMS = "token_claims"


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """Whose tokens are accepted, and what their claims are called.

    Attributes:
        issuer, audience: compared exactly.
        jwks_url: where its keys are; None: where its discovery document says.
        tenant: the one tenant of everybody with a token; else None, and `tenant_claim` names a claim that holds
            the tenant's id. Exactly one of the two is set.
        tags_claim: None: tokens bring no tags.
    """

    issuer: str
    audience: str
    jwks_url: str | None
    tenant: str | None
    tenant_claim: str | None
    user_claim: str
    tags_claim: str | None


@dataclass(frozen=True, slots=True)
class TokenIdentity:
    """Whom a token names, before any key bounds it.

    Attributes:
        user, tags: NFC.
        scopes: those that the token grants, possibly none.
    """

    tenant: str
    user: str
    tags: frozenset[str]
    scopes: frozenset[Scope]


def is_secure_url(text: str) -> bool:
    """Whether keys may be fetched from there: https, or http on this machine, with nothing beyond a path."""
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        return False
    if not text.isascii() or not text.isprintable() or " " in text or url.query or url.fragment or "@" in url.netloc:
        return False
    return host is not None and (url.scheme == "https" or (url.scheme == "http" and host in _LOOPBACK))


def check_validity_period(claims: Claims, now: float) -> TokenDenialReason | None:
    """Why a token with these claims is not valid at `now`, epoch seconds; None when it is."""
    expiry = _numeric_date(claims.get("exp"))
    if expiry is None:
        return TokenDenialReason.CLAIMS
    # Comparisons that NaN fails: whatever is no moment must not pass for one.
    if not expiry > now - CLOCK_LEEWAY_SECONDS:
        return TokenDenialReason.EXPIRED
    for name in ("nbf", "iat"):
        begins = _numeric_date(claims.get(name, now))
        if begins is None:
            return TokenDenialReason.CLAIMS
        if not begins <= now + CLOCK_LEEWAY_SECONDS:
            return TokenDenialReason.NOT_YET_VALID
    return None


def identity_from_claims(claims: Claims, provider: IdentityProvider) -> TokenIdentity | TokenDenialReason:
    """Whom the claims name."""
    tenant = provider.tenant if provider.tenant_claim is None else claims.get(provider.tenant_claim)
    user = claims.get(provider.user_claim)
    if not isinstance(tenant, str) or not isinstance(user, str) or not _is_tenant_form(tenant):
        return TokenDenialReason.CLAIMS
    if provider.user_claim == _EMAIL and not _is_email_verified(claims.get("email_verified", True)):
        return TokenDenialReason.CLAIMS
    tags = frozenset[str]() if provider.tags_claim is None else _tags(claims.get(provider.tags_claim, ""))
    scopes = _scopes(claims)
    if tags is None or scopes is None:
        return TokenDenialReason.CLAIMS
    try:
        return TokenIdentity(tenant, parse_user(user), tags, scopes)
    except InvalidInput:
        return TokenDenialReason.CLAIMS


def oauth_kid(tenant: str, number: int) -> str:
    """The kid of a tenant's `number`-th key of the kind `oauth`, counted from 0."""
    return base62_kid(sha256(_canonical("oauth", tenant, str(number)).encode()).digest())


def oauth_digest(pepper: bytes, tenant: str, provider: IdentityProvider) -> bytes:
    """The digest of a tenant's key for this provider's tokens; no text with the form of an API key has it."""
    return key_digest(pepper, _canonical("oauth", tenant, provider.issuer, provider.audience))


def _canonical(*parts: str) -> str:
    return json.dumps(parts)


def _numeric_date(value: object) -> float | None:
    """A NumericDate; a whole number beyond every float compares all the same."""
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def _is_tenant_form(text: str) -> bool:
    return 0 < len(text) <= _MAX_TENANT_CHARACTERS and text.isascii() and text.isprintable()


def _is_email_verified(value: object) -> bool:
    """Whether the provider vouches for the address; some say so in a text (OpenID Connect Core 1.0, 5.1)."""
    return value is True or value == "true"


def _tags(value: object) -> frozenset[str] | None:
    """The tags of a claim; None when it is neither a list of strings nor one string.

    What can be no tag of ours is left out: since no rule denies by a tag, having fewer never shows more.
    """
    texts = _texts(value)
    if texts is None:
        return None
    return frozenset(tag for text in texts if (tag := _tag(text)) is not None)


def _tag(text: str) -> str | None:
    try:
        return parse_tag(text)
    except InvalidInput:
        return None


def _scopes(claims: Claims) -> frozenset[Scope] | None:
    """Scopes of `scope` (RFC 9068) and `scp` (as several providers call it); None when one of them is no such claim."""
    found = [_texts(claims.get(name, "")) for name in ("scope", "scp")]
    names = [name for texts in found if texts is not None for name in texts]
    if None in found:
        return None
    return frozenset(TOKEN_SCOPES[name] for name in names if name in TOKEN_SCOPES)


def _texts(value: object) -> list[str] | None:
    if isinstance(value, str):
        return value.split()
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    texts = [item for item in items if isinstance(item, str)]
    return texts if len(texts) == len(items) else None
