"""Parties that share a server: a tenant, a key of it, and a user of the key."""

from collections.abc import Callable
from threading import Lock
from typing import Final, NamedTuple

from groundwire.domain.access.user_blocks import block_key

NEW_USERS: Final = ""
"""Share of all users of a key that are not known."""
KNOWN_AFTER_SECONDS: Final = 86_400.0
"""Age at which a name counts as a user: one that is invented for a call gains nothing."""
_FORGOTTEN_AFTER_SECONDS: Final = 7 * 86_400.0
MAX_NAMES_PER_KEY: Final = 500
"""Names of one key whose age a process keeps; further ones stay in the share of new users."""
_MAX_KEYS: Final = 1_000
_DIRECTORY_SECONDS: Final = 60.0
"""Time for which an answer of the directory counts."""


class Party(NamedTuple):
    """Tenant, key and user whose work waits.

    Attributes:
        tenant: id; empty for callers without an admitted key.
        key: public part of the key; the address of a caller without one.
        user: share of the user within the key.
    """

    tenant: str
    key: str
    user: str


class _Sighting(NamedTuple):
    """Times at which a name was seen, and whether the directory had it at the time `checked`."""

    first: float
    last: float
    checked: float
    is_listed: bool


class KnownUsers:
    """Memory of the users of each key, in one process: which of them have a share of their own.

    Args:
        is_listed: returns whether a tenant's directory has the user.
        clock: epoch seconds.
    """

    def __init__(self, is_listed: Callable[[str, str], bool], clock: Callable[[], float]) -> None:
        self._is_listed = is_listed
        self._clock = clock
        self._names: dict[tuple[str, str], dict[str, _Sighting]] = {}
        self._lock = Lock()

    def last_share_of(self, tenant: str, key: str, user: str) -> str:
        """Return the share that a user has by what is known already, for a call that is not checked yet."""
        name, now = block_key(user), self._clock()
        with self._lock:
            seen = self._names.get((tenant, key), {}).get(name)
        return name if seen is not None and _has_share(seen, now) else NEW_USERS

    def share_of(self, tenant: str, key: str, user: str | None) -> str:
        """Return the share of a user that an agent named: the user's own, or that of all new users of the key."""
        if user is None:
            return NEW_USERS
        # Spellings of one name are one user, as for blocks: another spelling is no further share.
        name, now = block_key(user), self._clock()
        with self._lock:
            seen = self._seen(tenant, key, name, now)
        if seen is not None and _has_share(seen, now):
            return name
        if seen is not None and now < seen.checked + _DIRECTORY_SECONDS:
            return NEW_USERS
        is_listed = self._is_listed(tenant, user)
        with self._lock:
            names = self._names.get((tenant, key), {})
            if name in names:
                names[name] = names[name]._replace(checked=now, is_listed=is_listed)
        return name if is_listed else NEW_USERS

    def _seen(self, tenant: str, key: str, name: str, now: float) -> _Sighting | None:
        """Note the name and return what was known of it; None for one that was not seen before."""
        names = self._names.setdefault((tenant, key), {})
        if len(self._names) > _MAX_KEYS:
            del self._names[next(iter(self._names))]
        seen = names.get(name)
        if seen is None and len(names) >= MAX_NAMES_PER_KEY:
            # Old names make room; among new ones the first keep theirs, so that inventing more removes nobody.
            for each in [each for each, known in names.items() if now - known.last > _FORGOTTEN_AFTER_SECONDS]:
                del names[each]
        if seen is not None:
            seen = names[name] = seen._replace(last=now)
        elif len(names) < MAX_NAMES_PER_KEY:
            names[name] = _Sighting(now, now, -_DIRECTORY_SECONDS, is_listed=False)
        return seen


def _has_share(seen: _Sighting, now: float) -> bool:
    # An entry of the directory counts for a while, because it may be deleted.
    is_listed = seen.is_listed and now < seen.checked + _DIRECTORY_SECONDS
    return is_listed or now - seen.first >= KNOWN_AFTER_SECONDS
