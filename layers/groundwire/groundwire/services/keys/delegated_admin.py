"""Delegated administration of keys: an administrator's key creates others, within its own tenant and collections."""

from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.api_key import ApiKey, SecretMaker
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.sharing import (
    is_within_collections,
    is_within_dialects,
    is_within_originals,
    is_within_search_as,
    may_see_key,
)
from groundwire.services.keys.admin import ChangedKey, KeyAdmin, KeySpec
from groundwire.services.keys.key_spec import KeyChange

_DIALECT_NOT_GRANTED: Final = "The key cannot create a key for a dialect that it may not use itself."
_COLLECTION_NOT_GRANTED: Final = "The key cannot create a key for a collection that it may not use itself."
_ORIGINALS_NOT_GRANTED: Final = (
    "The key gives no original files, so it cannot create, change or rotate a key that gives them."
)
_SEARCH_AS_NOT_GRANTED: Final = (
    "The key may not search as another person, so it cannot create, change or rotate a key that may."
)


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """Result of a creation: the key, and its secret; None for a key for tokens, which has none."""

    key: ApiKey
    secret: Secret | None


class DelegatedKeyAdmin:
    """Administration of keys by a caller (`KeyAdmin` with limits).

    The scope `admin` covers all rights in its tenant. So the limits are the tenant, and the collections, the dialects,
    the original files and the searches as another person that the caller's key covers.
    """

    def __init__(self, admin: KeyAdmin) -> None:
        self._admin = admin

    def create(self, caller: Caller, spec: KeySpec) -> CreatedKey:
        """Create a key of the caller's tenant; further errors are those of `KeyAdmin`.

        Raises:
            Forbidden: the key would belong to another tenant, or cover a collection, a dialect, original files or
                searches as another person that the caller's key does not.
        """
        _check_grant(caller, spec)
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
            Forbidden: the key gives original files or searches as another person, and the caller's does not.
            Conflict: the key is revoked or expired.
        """
        key = self._visible(caller, kid)
        if not is_within_originals(caller, gives_originals=not key.options.no_originals):
            raise Forbidden(_ORIGINALS_NOT_GRANTED)
        if not is_within_search_as(caller, may_search_as=key.options.may_search_as):
            raise Forbidden(_SEARCH_AS_NOT_GRANTED)
        # As for a creation: whoever rotates a key knows its secret.
        maker = SecretMaker(caller.principal.user or "", caller.kid)
        issued = self._admin.rotate(caller.principal.tenant, kid, overlap_hours, maker)
        return CreatedKey(issued.key, issued.secret)

    def change(self, caller: Caller, kid: str, change: KeyChange) -> ChangedKey:
        """Change a key to one that the caller could create; further errors are those of `KeyAdmin`.

        Raises:
            NotFound: there is no such key, or the caller may not see it.
            Forbidden: the changed key would have more than the caller could give by creating one.
        """
        key = self._visible(caller, kid)
        _check_grant(caller, change.spec_for(key))
        # The write holds only for the key that was checked.
        return self._admin.change_read(key, change)

    def revoke(self, caller: Caller, kid: str) -> ApiKey:
        """Revoke a key, possibly the caller's own; no later call with it is admitted.

        Raises:
            NotFound: there is no such key, or the caller may not see it.
        """
        self._visible(caller, kid)
        return self._admin.revoke(caller.principal.tenant, kid)

    def all(self, caller: Caller) -> list[ApiKey]:
        """Return the tenant's keys that reach no further than the caller, by creation time.

        Other keys would disclose the names of collections.
        """
        return [key for key in self._admin.all(caller.principal.tenant) if may_see_key(caller, key)]

    def _visible(self, caller: Caller, kid: str) -> ApiKey:
        """Return the key if the caller may see it.

        Raises:
            NotFound: there is no such key, or the caller may not see it; the message is the same.
        """
        for key in self.all(caller):
            if key.kid == kid:
                return key
        raise NotFound(f"There is no key {kid!r}.", "key")


def _check_grant(caller: Caller, spec: KeySpec) -> None:
    """Check that the caller may give somebody a key of this specification.

    Raises:
        Forbidden: the key would be of another tenant, or have more than the caller's own.
    """
    if not is_within_collections(caller, spec.collections):
        raise Forbidden(_COLLECTION_NOT_GRANTED)
    if not is_within_dialects(caller, spec.options.dialects):
        raise Forbidden(_DIALECT_NOT_GRANTED)
    if spec.tenant != caller.principal.tenant:
        raise Forbidden("A key can create keys only for its own tenant.")
    if not is_within_originals(caller, gives_originals=not spec.options.no_originals):
        raise Forbidden(_ORIGINALS_NOT_GRANTED)
    if not is_within_search_as(caller, may_search_as=spec.options.may_search_as):
        raise Forbidden(_SEARCH_AS_NOT_GRANTED)
