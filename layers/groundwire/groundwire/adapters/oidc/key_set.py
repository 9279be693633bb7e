"""A provider's public keys, cached for minutes; invalid tokens cannot trigger more fetches."""

import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from groundwire.adapters.oidc.discovery import FetchJson, discovered_address, read_discovery
from groundwire.adapters.oidc.provider_http import RETRY_SECONDS
from groundwire.adapters.oidc.signature_algorithms import ALGORITHMS_BY_KEY_TYPE, is_strong
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty, text_member

MIN_FRESH_SECONDS: Final = 60
DEFAULT_FRESH_SECONDS: Final = 300
MAX_FRESH_SECONDS: Final = 3_600
"""Upper bound of the provider's Cache-Control max-age; `MIN_FRESH_SECONDS` is the lower one."""
STALE_SECONDS: Final = 3_600
"""Time for which expired keys stay usable while the provider does not answer; it exceeds usual outages."""
UNKNOWN_KID_SECONDS: Final = 30
"""Minimum interval between two fetches that tokens with an unknown `kid` trigger."""
MAX_KEYS: Final = 64

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])")
_PRIVATE_MEMBER: Final = "d"
_NEVER: Final = float("-inf")


@dataclass(frozen=True, slots=True)
class _CachedKeys:
    """Keys by `kid`, with the time of their fetch and the end of their freshness, both in epoch seconds."""

    keys: Mapping[str, Mapping[str, object]]
    fetched_at: float
    fresh_until: float

    def is_usable(self, now: float) -> bool:
        return now < self.fresh_until + STALE_SECONDS


class KeySet:
    """A provider's keys, shared by threads: one thread fetches, the others use usable cached keys meanwhile."""

    def __init__(self, provider: IdentityProvider, fetch: FetchJson) -> None:
        self._provider = provider
        self._fetch = fetch
        self._lock = threading.Lock()
        self._cached = _CachedKeys({}, _NEVER, _NEVER)
        self._next_fetch_at = _NEVER
        self._next_unknown_fetch_at = _NEVER

    def find(self, kid: str, algorithm: str, now: float) -> PyJWK | None:
        """Return the key of this `kid` for this algorithm; None when the provider has none.

        Raises:
            Unavailable: no sufficiently recent key can be fetched.
        """
        cached = self._current(now)
        if kid not in cached.keys:
            cached = self._refetch_for_unknown_kid(kid, now)
        return _key(cached.keys.get(kid), algorithm)

    def count(self, now: float) -> int:
        """Return the number of keys that the provider publishes for signatures.

        Raises:
            Unavailable: no sufficiently recent key can be fetched.
        """
        return len(self._current(now).keys)

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
        """Fetch the keys unless they are fresh; the caller holds the lock.

        Raises:
            Unavailable: the fetch failed and the cached keys are too old to be used.
        """
        if now < self._cached.fresh_until:
            return
        error = Unavailable("The identity provider's keys could not be fetched a moment ago.", RETRY_SECONDS)
        if now >= self._next_fetch_at:
            self._next_fetch_at = now + RETRY_SECONDS
            try:
                self._cached = self._fetch_keys(now)
            except Unavailable as failure:
                error = failure
        if not self._cached.is_usable(now):
            raise error

    def _refetch_for_unknown_kid(self, kid: str, now: float) -> _CachedKeys:
        with self._lock:
            cached = self._cached
            if kid not in cached.keys and now > cached.fetched_at and now >= self._next_unknown_fetch_at:
                self._next_unknown_fetch_at = now + UNKNOWN_KID_SECONDS
                # Without an answer, an unknown kid may be a new key or a forgery; the cached keys stay valid.
                with suppress(Unavailable):
                    self._cached = self._fetch_keys(now)
            return self._cached

    def _fetch_keys(self, now: float) -> _CachedKeys:
        document = self._fetch(self._provider.jwks_url or self._discovered_url())
        return _CachedKeys(_by_kid(document.members.get("keys")), now, now + _fresh_seconds(document.cache_control))

    def _discovered_url(self) -> str:
        issuer = self._provider.issuer
        return discovered_address(read_discovery(issuer, self._fetch), "jwks_uri", issuer)


def _by_kid(value: object) -> dict[str, Mapping[str, object]]:
    found: dict[str, Mapping[str, object]] = {}
    for members in map(mapping_or_empty, list_or_empty(value)[:MAX_KEYS]):
        kid = text_member(members, "kid")
        # A private key that was published is known to anybody, so it proves nothing.
        if kid is not None and members.get("use", "sig") == "sig" and _PRIVATE_MEMBER not in members:
            found[kid] = members
    return found


def _key(members: Mapping[str, object] | None, algorithm: str) -> PyJWK | None:
    """Return the key bound to the algorithm; None when it is weak, or was not published for that algorithm."""
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
    max_age = _MAX_AGE.search(cache_control)
    return DEFAULT_FRESH_SECONDS if max_age is None else min(max(int(max_age[1]), MIN_FRESH_SECONDS), MAX_FRESH_SECONDS)
