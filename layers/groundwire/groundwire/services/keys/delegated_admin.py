"""Delegated administration of keys: an administrator's key creates others, within its own tenant and collections."""

from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.key_text import Secret
from groundwire.domain.keys.sharing import is_within_collections, is_within_dialects, may_see_key
from groundwire.services.keys.admin import KeyAdmin, KeySpec

_DIALECT_NOT_GRANTED: Final = "The key cannot create a key for a dialect that it may not use itself."
_COLLECTION_NOT_GRANTED: Final = "The key cannot create a key for a collection that it may not use itself."


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """Result of a creation: the key, and its secret; None for a key for tokens, which has none."""

    key: ApiKey
    secret: Secret | None


class DelegatedKeyAdmin:
    """Administration of keys by a caller (`KeyAdmin` with limits).

    The scope `admin` covers all rights in its tenant, so the limits are the tenant and the caller's collections.
    """

    def __init__(self, admin: KeyAdmin) -> None:
        self._admin = admin

    def create(self, caller: Caller, spec: KeySpec) -> CreatedKey:
        """Create a key of the caller's tenant; further errors are those of `KeyAdmin`.

        Raises:
            Forbidden: the key would belong to another tenant, or cover a collection that the caller's key does not.
        """
        if not is_within_collections(caller, spec.collections):
            raise Forbidden(_COLLECTION_NOT_GRANTED)
        if not is_within_dialects(caller, spec.options.dialects):
            raise Forbidden(_DIALECT_NOT_GRANTED)
        if spec.tenant != caller.principal.tenant:
            raise Forbidden("A key can create keys only for its own tenant.")
        # Whoever creates a key knows its secret, so an offboarding must find the keys that a user created.
        spec = replace(spec, created_by=caller.principal.user, created_with=caller.kid)
        if spec.kind is KeyKind.OAUTH:
            return CreatedKey(self._admin.create_token_key(spec), None)
        issued = self._admin.create(spec)
        return CreatedKey(issued.key, issued.secret)

    def rotate(self, caller: Caller, kid: str, overlap_hours: int) -> CreatedKey:
        """Create another secret for a key; its holder has all rights of the key.

        Raises:
            NotFound: there is no such key, or the caller may not see it.
            Conflict: the key is revoked or expired.
        """
        self._check_visible(caller, kid)
        issued = self._admin.rotate(caller.principal.tenant, kid, overlap_hours)
        return CreatedKey(issued.key, issued.secret)

    def revoke(self, caller: Caller, kid: str) -> ApiKey:
        """Revoke a key, possibly the caller's own; no later call with it is admitted.

        Raises:
            NotFound: there is no such key, or the caller may not see it.
        """
        self._check_visible(caller, kid)
        return self._admin.revoke(caller.principal.tenant, kid)

    def all(self, caller: Caller) -> list[ApiKey]:
        """Return the tenant's keys that reach no further than the caller, by creation time.

        Other keys would disclose the names of collections.
        """
        return [key for key in self._admin.all(caller.principal.tenant) if may_see_key(caller, key)]

    def _check_visible(self, caller: Caller, kid: str) -> None:
        """Check that the caller may see the key.

        Raises:
            NotFound: there is no such key, or the caller may not see it; the message is the same.
        """
        if all(key.kid != kid for key in self.all(caller)):
            raise NotFound(f"There is no key {kid!r}.", "key")
