"""Sign-in to the page by the identity provider: `gws.<tenant>.<attempt: 12>.<secret: 43><checksum: 6>`, in a cookie.

A browser begins an attempt, and comes back from the provider with a code. A valid token opens the one session of this
attempt. The store keeps what the token states of its user. Each call of the page enters the same admission with it as
a call with the token itself, so blocks, groups, keys and tenants count at that moment.
"""

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Final, Self

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.key_text import (
    CHECKSUM_CHARACTERS,
    KID_CHARACTERS,
    SECRET_CHARACTERS,
    RandomBytes,
    Secret,
    base62_kid,
    base62_secret,
    has_checksum,
    key_digest,
    with_checksum,
)
from groundwire.domain.keys.forms.oauth import IdentityProvider, TokenIdentity
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import MOMENT, TEXT, TEXTS, enum_set
from groundwire.stored.stored_type import StoredType

REDIRECT_PATH: Final = "/console/signed-in"
"""Path to which the provider leads a browser back."""
ATTEMPT_SECONDS: Final = 600
"""Time that a person has at the provider."""
PREFIX: Final = "gws."
_PATTERN: Final = re.compile(
    rf"gws\.(?P<tenant>[-0-9A-Za-z_]{{1,64}})\.(?P<attempt>[0-9A-Za-z]{{{KID_CHARACTERS}}})"
    rf"\.[0-9A-Za-z]{{{SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}}"
)
_TEXTS: Final = ("attempt", "state", "verifier", "screen")
_RANDOM_BYTES: Final = 32
"""Entropy of a state and of a verifier; as Base64, the latter has the 43 characters that RFC 7636, 4.1, demands."""


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """Attempt of one browser to sign in, which its cookie keeps sealed.

    Attributes:
        attempt: public id; one attempt opens one session at most.
        state: text that the provider must return. verifier: proof that this server began the attempt (RFC 7636).
        screen: part of the page to which the person returns; empty: its first screen.
        expires_at: epoch seconds.
    """

    attempt: str
    state: str
    verifier: str
    screen: str
    expires_at: float

    @classmethod
    def start(cls, screen: str, now: float, random_bytes: RandomBytes) -> Self:
        """Return a new attempt, which nobody can guess."""
        return cls(
            base62_kid(random_bytes(16)),
            _base64url(random_bytes(_RANDOM_BYTES)),
            _base64url(random_bytes(_RANDOM_BYTES)),
            screen,
            now + ATTEMPT_SECONDS,
        )

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Return the attempt of `to_bytes`."""
        members = mapping_or_empty(json.loads(payload))
        attempt, state, verifier, screen = (str(members[name]) for name in _TEXTS)
        return cls(attempt, state, verifier, screen, float(str(members["expires_at"])))

    @property
    def challenge(self) -> str:
        """Digest of the verifier, which the provider gets first (RFC 7636, `S256`)."""
        return _base64url(hashlib.sha256(self.verifier.encode()).digest())

    def to_bytes(self) -> bytes:
        """Return the attempt as JSON."""
        return json.dumps({name: getattr(self, name) for name in (*_TEXTS, "expires_at")}).encode()


@dataclass(frozen=True, slots=True)
class ProviderSession:
    """Text in the form of a sign-in by the provider, which need not have been opened.

    Attributes:
        text: the whole credential, for `session_digest`.
    """

    tenant: str
    attempt: str
    text: Secret


def mint_provider_session(tenant: str, attempt: str, random_bytes: RandomBytes) -> ProviderSession:
    """Create the credential of a sign-in."""
    text = with_checksum(f"{PREFIX}{tenant}.{attempt}.{base62_secret(random_bytes)}")
    return ProviderSession(tenant, attempt, Secret(text))


def is_provider_session(text: str) -> bool:
    """Return whether the text is of this kind of credential, whatever else is wrong with it."""
    return text.startswith(PREFIX)


def parse_provider_session(text: str) -> ProviderSession | None:
    """Return the sign-in in `text`, or None when form or checksum is wrong; reads no store."""
    match = _PATTERN.fullmatch(text)
    if match is None or not has_checksum(text):
        return None
    return ProviderSession(match["tenant"], match["attempt"], Secret(text))


def session_digest(pepper: bytes, text: Secret, provider: IdentityProvider) -> bytes:
    """Return the digest that a store keeps of a sign-in.

    It covers the settings that decided what the token meant: once one of them changes, a token would be read otherwise,
    so each earlier sign-in ends.
    """
    meaning = (provider.issuer, provider.audience, provider.client_id, provider.tenant, provider.tenant_claim)
    return key_digest(pepper, json.dumps([text.reveal(), *meaning, provider.user_claim, provider.tags_claim]))


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """Row of a sign-in.

    Attributes:
        identity: of the token; it expires with the session.
        digest: of the credential.
        kept_until: epoch seconds until which the attempt must open no other session.
    """

    identity: TokenIdentity
    attempt: str
    digest: bytes
    kept_until: float


STORED_TOKEN_IDENTITY: Final = StoredType(
    TokenIdentity,
    field("tenant", TEXT, absent=REQUIRED),
    field("user", TEXT, absent=REQUIRED),
    field("groups", TEXTS, absent=REQUIRED),
    field("scopes", enum_set(Scope), absent=REQUIRED),
    field("expires_at", MOMENT, absent=REQUIRED, item_as="ends_at"),
)
"""Fields of a sign-in's identity; a store keeps them beside the digest."""


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")
