"""Access tokens of a company's identity provider: verified claims, the user they name, and the key that limits it.

A token identifies the user. A key of the kind `oauth`, one per tenant and without a secret, limits the rights of such
callers. Its kid derives from the tenant, its digest from the provider as well. Tokens are therefore admitted, counted
and revoked like keys, and a key for another provider admits nobody.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple, cast

from groundwire.domain.access.groups import GroupTags
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.tags import parse_user
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.key_text import base62_kid, key_digest

Claims = Mapping[str, object]
"""Claims of a token whose signature, issuer and audience are valid."""

TOKEN_SCOPES: Final[Mapping[str, Scope]] = {
    "groundwire:search": Scope.SEARCH,
    "groundwire:verify": Scope.VERIFY,
}
"""Scopes that a token can grant, by the names at the identity provider; all other rights need an API key."""
SCOPE_CLAIM_NAMES: Final[Mapping[Scope, str]] = {scope: name for name, scope in TOKEN_SCOPES.items()}

CLOCK_LEEWAY_SECONDS: Final = 60
"""Accepted difference between two clocks."""
_MAX_TENANT_CHARACTERS: Final = 64
_EMAIL: Final = "email"
"""Standard claim that users may have entered themselves; it is accepted unless `email_verified` denies it."""
_SPACE_SEPARATED_CLAIMS: Final = ("scope", "scp")
"""Claims whose text holds several values (RFC 6749, 3.3, and several providers); the text of another is one value."""


class TokenDenialReason(StrEnum):
    """Reason for a refused token; for the audit line, never for the caller."""

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
    """Issuer whose tokens are accepted, and the names of their claims.

    Attributes:
        issuer, audience: compared exactly.
        jwks_url: URL of its keys; None: the URL in its discovery document.
        tenant: the one tenant of all users with a token; else None, and `tenant_claim` names a claim that holds the
            tenant's id. Exactly one of the two is set.
        tags_claim: None: tokens give no tags.
        groups: tags by group, from the file of the settings; entries of a tenant take precedence.
        client_id: of the page at the provider; None: nobody signs in to the page by the provider.
        client_scopes: scopes that the page asks for.
    """

    issuer: str
    audience: str
    jwks_url: str | None
    tenant: str | None
    tenant_claim: str | None
    user_claim: str
    tags_claim: str | None
    groups: GroupTags = field(default_factory=dict[str, frozenset[str]])
    client_id: str | None = None
    client_scopes: str = ""


@dataclass(frozen=True, slots=True)
class TokenIdentity:
    """Identity in a token, before a key limits it.

    Attributes:
        user: NFC.
        groups: texts of the tags claim, as the token has them; a mapping and a key decide which tags they give.
        scopes: scopes that the token grants, possibly none.
        expires_at: end of the token, epoch seconds.
    """

    tenant: str
    user: str
    groups: tuple[str, ...]
    scopes: frozenset[Scope]
    expires_at: float


class ClaimDefect(NamedTuple):
    """Claim that makes a token unusable, and the rule that it breaks."""

    claim: str
    rule: str


def check_validity_period(claims: Claims, now: float) -> TokenDenialReason | None:
    """Return why a token with these claims is not valid at `now`, epoch seconds; None when it is valid."""
    expiry = _numeric_date(claims.get("exp"))
    if expiry is None:
        return TokenDenialReason.CLAIMS
    # NaN fails these comparisons, so it never counts as a valid time.
    if not expiry > now - CLOCK_LEEWAY_SECONDS:
        return TokenDenialReason.EXPIRED
    # RFC 7519 asks this of `nbf` alone; a token from the future is no more trustworthy.
    for name in ("nbf", "iat"):
        valid_from = _numeric_date(claims.get(name, now))
        if valid_from is None:
            return TokenDenialReason.CLAIMS
        if not valid_from <= now + CLOCK_LEEWAY_SECONDS:
            return TokenDenialReason.NOT_YET_VALID
    return None


def read_claims(claims: Claims, provider: IdentityProvider) -> TokenIdentity | ClaimDefect:
    """Return the identity that the claims name, or the claim that prevents it."""
    tenant = provider.tenant if provider.tenant_claim is None else claims.get(provider.tenant_claim)
    if not isinstance(tenant, str) or not _is_tenant_form(tenant):
        return ClaimDefect(provider.tenant_claim or "", "it must be the id of a tenant")
    user = _user(claims.get(provider.user_claim))
    if user is None:
        return ClaimDefect(provider.user_claim, "it must be a text that names a user")
    if provider.user_claim == _EMAIL and not _is_email_verified(claims.get("email_verified", True)):
        return ClaimDefect("email_verified", "the provider does not vouch for the address")
    return _granted(claims, provider, tenant, user)


def _granted(claims: Claims, provider: IdentityProvider, tenant: str, user: str) -> TokenIdentity | ClaimDefect:
    """Return the identity of a user, with what the token grants and until when."""
    groups = [] if provider.tags_claim is None else _groups(claims, provider.tags_claim)
    if groups is None:
        return ClaimDefect(provider.tags_claim or "", "it must be a list of texts, or one text")
    scopes = _scopes(claims)
    if scopes is None:
        return ClaimDefect("scope", "`scope` and `scp` must be lists of texts, or one text each")
    expiry = _numeric_date(claims.get("exp"))
    if expiry is None:
        return ClaimDefect("exp", "it must be a number")
    return TokenIdentity(tenant, user, tuple(dict.fromkeys(groups)), scopes, expiry)


def oauth_kid(tenant: str, number: int) -> str:
    """Return the kid of a tenant's `number`-th key of the kind `oauth`, counted from 0."""
    return base62_kid(sha256(_canonical("oauth", tenant, str(number)).encode()).digest())


def oauth_digest(pepper: bytes, tenant: str, provider: IdentityProvider) -> bytes:
    """Return the digest of a tenant's key for this provider's tokens; no API key can have the same one."""
    return key_digest(pepper, _canonical("oauth", tenant, provider.issuer, provider.audience))


def _canonical(*parts: str) -> str:
    return json.dumps(parts)


def _numeric_date(value: object) -> float | None:
    """Return a NumericDate; an integer too large for a float is still comparable."""
    # RFC 7519, 2: it is a number, and `bool` is a kind of `int` in Python.
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def _is_tenant_form(text: str) -> bool:
    return 0 < len(text) <= _MAX_TENANT_CHARACTERS and text.isascii() and text.isprintable()


def _is_email_verified(value: object) -> bool:
    """Return whether the provider verified the address; some providers send text (OpenID Connect Core 1.0, 5.1)."""
    return value is True or value == "true"


def _user(value: object) -> str | None:
    try:
        return parse_user(value) if isinstance(value, str) else None
    except InvalidInput:
        return None


def _scopes(claims: Claims) -> frozenset[Scope] | None:
    """Return the scopes of `scope` (RFC 9068) and `scp` (used by several providers); None when one is malformed."""
    claimed = [_texts(claims.get(name, "")) for name in _SPACE_SEPARATED_CLAIMS]
    names = [name for texts in claimed if texts is not None for name in texts]
    if None in claimed:
        return None
    return frozenset(TOKEN_SCOPES[name] for name in names if name in TOKEN_SCOPES)


def _groups(claims: Claims, claim: str) -> list[str] | None:
    value = claims.get(claim, "")
    # A group's name may have spaces: split, "Finance Team" or "x level:board" would give tags of other groups.
    if isinstance(value, str) and claim not in _SPACE_SEPARATED_CLAIMS:
        return [value] if value else []
    return _texts(value)


def _texts(value: object) -> list[str] | None:
    if isinstance(value, str):
        return value.split()
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    texts = [item for item in items if isinstance(item, str)]
    return texts if len(texts) == len(items) else None
