"""The public keys of a provider, kept for minutes: nobody who sends a token decides how often they are fetched."""

import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from groundwire.adapters.oidc.provider_http import RETRY_SECONDS, JsonDocument
from groundwire.adapters.oidc.signature_algorithms import ALGORITHMS_BY_KEY_TYPE, is_strong
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.oauth import IdentityProvider, is_secure_url

MIN_FRESH_SECONDS: Final = 60
DEFAULT_FRESH_SECONDS: Final = 300
MAX_FRESH_SECONDS: Final = 3_600
"""What the provider's Cache-Control asks for counts between these."""
STALE_SECONDS: Final = 3_600
"""So long after that the keys are used when the provider does not answer: outages are shorter, thefts are not."""
UNKNOWN_KID_SECONDS: Final = 30
"""A token of an unknown signer has the keys fetched at most once in this time."""
MAX_KEYS: Final = 64

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])")
_PRIVATE: Final = "d"
_NEVER: Final = float("-inf")

FetchJson = Callable[[str], JsonDocument]


@dataclass(frozen=True, slots=True)
class _CachedKeys:
    """The keys by kid, fetched at one moment, fresh until another and usable until a third, epoch seconds."""

    keys: Mapping[str, Mapping[str, object]]
    fetched_at: float
    fresh_until: float

    def is_usable(self, now: float) -> bool:
        return now < self.fresh_until + STALE_SECONDS


class KeySet:
    """A provider's keys. Threads share it: one fetches, the others go on with what is held while it can be used."""

    def __init__(self, provider: IdentityProvider, fetch: FetchJson) -> None:
        self._provider = provider
        self._fetch = fetch
        self._lock = threading.Lock()
        self._cached = _CachedKeys({}, _NEVER, _NEVER)
        self._next_try = _NEVER
        self._next_unknown = _NEVER

    def find(self, kid: str, algorithm: str, now: float) -> PyJWK | None:
        """The key of this kid for this algorithm; None when the provider has none.

        Raises:
            Unavailable: no key can be had that is recent enough.
        """
        held = self._current(now)
        if kid not in held.keys:
            held = self._refetch_for_unknown_kid(kid, now)
        return _key(held.keys.get(kid), algorithm)

    def _current(self, now: float) -> _CachedKeys:
        if now < self._cached.fresh_until:
            return self._cached
        if self._lock.acquire(blocking=not self._cached.is_usable(now)):
            try:
                self._renew(now)
            finally:
                self._lock.release()
        return self._cached

    def _renew(self, now: float) -> None:
        """Under the lock: what is held can be used afterwards, or this raises Unavailable."""
        if now < self._cached.fresh_until:
            return
        problem = Unavailable("The identity provider's keys could not be had a moment ago.", RETRY_SECONDS)
        if now >= self._next_try:
            self._next_try = now + RETRY_SECONDS
            try:
                self._cached = self._fetch_keys(now)
            except Unavailable as failed:
                problem = failed
        if not self._cached.is_usable(now):
            raise problem

    def _refetch_for_unknown_kid(self, kid: str, now: float) -> _CachedKeys:
        with self._lock:
            held = self._cached
            if kid not in held.keys and now > held.fetched_at and now >= self._next_unknown:
                self._next_unknown = now + UNKNOWN_KID_SECONDS
                # Whether the signer is new or nobody cannot be known without an answer; what is held still counts.
                with suppress(Unavailable):
                    self._cached = self._fetch_keys(now)
            return self._cached

    def _fetch_keys(self, now: float) -> _CachedKeys:
        document = self._fetch(self._provider.jwks_url or self._discover_jwks_url())
        return _CachedKeys(_by_kid(document.members.get("keys")), now, now + _fresh_seconds(document.cache_control))

    def _discover_jwks_url(self) -> str:
        """Where the issuer says that its keys are; nobody else is believed (OpenID Connect Discovery 1.0, 4.3)."""
        issuer = self._provider.issuer
        members = self._fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration").members
        if members.get("issuer") != issuer:
            raise Unavailable(
                "The discovery document is of another issuer than GROUNDWIRE_OAUTH_ISSUER.", RETRY_SECONDS
            )
        url = members.get("jwks_uri")
        # Only a provider on this machine may keep its keys on it.
        if isinstance(url, str) and is_secure_url(url) and (issuer.startswith("http:") or url.startswith("https:")):
            return url
        raise Unavailable("The discovery document names no https address of keys.", RETRY_SECONDS)


def _by_kid(value: object) -> dict[str, Mapping[str, object]]:
    keys = cast("list[object]", value) if isinstance(value, list) else []
    found: dict[str, Mapping[str, object]] = {}
    for key in keys[:MAX_KEYS]:
        if isinstance(key, dict):
            members = cast("dict[str, object]", key)
            kid = members.get("kid")
            if isinstance(kid, str) and members.get("use", "sig") == "sig" and _PRIVATE not in members:
                found[kid] = members
    return found


def _key(members: Mapping[str, object] | None, algorithm: str) -> PyJWK | None:
    """Bound to the algorithm: a key is never used in a way that the provider did not make it for."""
    if members is None or members.get("alg", algorithm) != algorithm:
        return None
    if algorithm not in ALGORITHMS_BY_KEY_TYPE.get((members.get("kty"), members.get("crv")), ()):
        return None
    try:
        key = PyJWK(dict(members), algorithm)
    except (PyJWTError, ValueError, TypeError):
        return None
    return key if is_strong(key.key) else None


def _fresh_seconds(cache_control: str) -> int:
    if "no-store" in cache_control or "no-cache" in cache_control:
        return MIN_FRESH_SECONDS
    said = _MAX_AGE.search(cache_control)
    return DEFAULT_FRESH_SECONDS if said is None else min(max(int(said[1]), MIN_FRESH_SECONDS), MAX_FRESH_SECONDS)
