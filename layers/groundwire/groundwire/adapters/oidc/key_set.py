"""The public keys of a provider, kept for minutes: nobody who sends a token decides how often they are fetched."""

import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from groundwire.adapters.oidc.algorithms import ALGORITHMS_OF, is_strong
from groundwire.adapters.oidc.fetch import RETRY_S, Fetched
from groundwire.domain.errors import Unavailable
from groundwire.domain.oauth import IdentityProvider, is_secure_url

MIN_FRESH_S: Final = 60
DEFAULT_FRESH_S: Final = 300
MAX_FRESH_S: Final = 3_600
"""What the provider's Cache-Control asks for counts between these."""
STALE_S: Final = 3_600
"""So long after that the keys are used when the provider does not answer: outages are shorter, thefts are not."""
UNKNOWN_KID_S: Final = 30
"""A token of an unknown signer has the keys fetched at most once in this time."""
MAX_KEYS: Final = 64

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])")
_PRIVATE: Final = "d"
_NEVER: Final = float("-inf")

Fetch = Callable[[str], Fetched]


@dataclass(frozen=True, slots=True)
class _Held:
    """The keys by kid, fetched at one moment, fresh until another and usable until a third, epoch seconds."""

    keys: Mapping[str, Mapping[str, object]]
    fetched_at: float
    fresh_until: float

    def usable(self, now: float) -> bool:
        return now < self.fresh_until + STALE_S


class KeySet:
    """A provider's keys. Threads share it: one fetches, the others go on with what is held while it can be used."""

    def __init__(self, provider: IdentityProvider, fetch: Fetch) -> None:
        self._provider = provider
        self._fetch = fetch
        self._lock = threading.Lock()
        self._held = _Held({}, _NEVER, _NEVER)
        self._next_try = _NEVER
        self._next_unknown = _NEVER

    def find(self, kid: str, algorithm: str, now: float) -> PyJWK | None:
        """The key of this kid for this algorithm; None when the provider has none.

        Raises:
            Unavailable: no key can be had that is recent enough.
        """
        held = self._current(now)
        if kid not in held.keys:
            held = self._after_unknown_kid(kid, now)
        return _key(held.keys.get(kid), algorithm)

    def _current(self, now: float) -> _Held:
        if now < self._held.fresh_until:
            return self._held
        if self._lock.acquire(blocking=not self._held.usable(now)):
            try:
                self._renew(now)
            finally:
                self._lock.release()
        return self._held

    def _renew(self, now: float) -> None:
        """Under the lock: what is held can be used afterwards, or this raises Unavailable."""
        if now < self._held.fresh_until:
            return
        problem = Unavailable("The identity provider's keys could not be had a moment ago.", RETRY_S)
        if now >= self._next_try:
            self._next_try = now + RETRY_S
            try:
                self._held = self._fetched(now)
            except Unavailable as failed:
                problem = failed
        if not self._held.usable(now):
            raise problem

    def _after_unknown_kid(self, kid: str, now: float) -> _Held:
        with self._lock:
            held = self._held
            if kid not in held.keys and now > held.fetched_at and now >= self._next_unknown:
                self._next_unknown = now + UNKNOWN_KID_S
                # Whether the signer is new or nobody cannot be known without an answer; what is held still counts.
                with suppress(Unavailable):
                    self._held = self._fetched(now)
            return self._held

    def _fetched(self, now: float) -> _Held:
        document = self._fetch(self._provider.jwks_url or self._discovered())
        return _Held(_by_kid(document.members.get("keys")), now, now + _fresh_s(document.cache_control))

    def _discovered(self) -> str:
        """Where the issuer says that its keys are; nobody else is believed (OpenID Connect Discovery 1.0, 4.3)."""
        issuer = self._provider.issuer
        members = self._fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration").members
        if members.get("issuer") != issuer:
            raise Unavailable("The discovery document is of another issuer than GROUNDWIRE_OAUTH_ISSUER.", RETRY_S)
        url = members.get("jwks_uri")
        # Only a provider on this machine may keep its keys on it.
        if isinstance(url, str) and is_secure_url(url) and (issuer.startswith("http:") or url.startswith("https:")):
            return url
        raise Unavailable("The discovery document names no https address of keys.", RETRY_S)


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
    if algorithm not in ALGORITHMS_OF.get((members.get("kty"), members.get("crv")), ()):
        return None
    try:
        key = PyJWK(dict(members), algorithm)
    except (PyJWTError, ValueError, TypeError):
        return None
    return key if is_strong(key.key) else None


def _fresh_s(cache_control: str) -> int:
    if "no-store" in cache_control or "no-cache" in cache_control:
        return MIN_FRESH_S
    said = _MAX_AGE.search(cache_control)
    return DEFAULT_FRESH_S if said is None else min(max(int(said[1]), MIN_FRESH_S), MAX_FRESH_S)
