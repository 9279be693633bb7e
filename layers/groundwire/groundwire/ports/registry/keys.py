"""Port of the keys of tenants."""

from typing import Protocol

from groundwire.domain.keys.api_key import Admission, ApiKey, SecretMaker


class Keys(Protocol):
    """Store of API keys; secrets are known only by digest (`domain.keys.forms.key_text.key_digest`)."""

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Add a key.

        Raises:
            Conflict: the kid exists.
        """
        ...

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Check digest, revocation and expiry, and count one call against the key's and the tenant's rate.

        The step is atomic: concurrent calls never exceed the rate, and a denied call is not counted.
        """
        ...

    def admit_page(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call of a page session as `admit` does one of the key; `digest` is the session's.

        No page session is a key, and no key is a page session: neither is admitted in the place of the other.
        """
        ...

    def without_tenant_rate(self) -> "Keys":
        """Return the store for calls that end or narrow rights: they count against the rate of their key alone."""
        ...

    def open_page(self, tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
        """Open a page session of an active key; return its end: `until`, or that of a former secret (`page_end`).

        It also ends with each rotation of the key. A key has `limits.MAX_PAGE_SESSIONS` at most: a further one ends the
        one that would end first.

        Raises:
            NotFound: there is no such key, or it is revoked.
            Conflict: the former secret has just ended, or others change the key at the same moment again and again.
        """
        ...

    def close_page(self, kid: str, digest: bytes, now: float) -> bool:
        """End a page session; return whether it was open: of concurrent calls, one alone gets True."""
        ...

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, also when revoked or expired; None when the tenant has no such kid."""
        ...

    def get_usable(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key as `get` does, but None while the tenant is suspended."""
        ...

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time."""
        ...

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float, maker: SecretMaker) -> None:
        """Make `digest` the current one, made by `maker`; the previous one works until `previous_until`.

        Raises:
            NotFound: there is no such key.
        """
        ...

    def replace_tags(self, key: ApiKey, tags: frozenset[str], max_tags: tuple[str, ...]) -> None:
        """Replace the tags of the key, and those that its calls may send, if they still are those of `key`.

        Raises:
            Conflict: they were changed meanwhile, or there is no such key.
        """
        ...

    def change(self, before: ApiKey, after: ApiKey) -> None:
        """Replace the fields of `domain.keys.api_key.CHANGEABLE_FIELDS` if each still is that of `before`.

        The step is atomic; neither a secret nor a spent rate changes.

        Raises:
            Conflict: one was changed or the key was revoked meanwhile, or there is no such key.
        """
        ...

    def is_revoked(self, tenant: str, kid: str) -> bool:
        """Return whether the key was revoked, or the tenant has no such key; reads no permission of the key.

        The read sees every revocation that ended before it began.
        """
        ...

    def revoke(self, tenant: str, kid: str) -> None:
        """Revoke the key; no later `admit` succeeds.

        Raises:
            NotFound: there is no such key.
        """
        ...
