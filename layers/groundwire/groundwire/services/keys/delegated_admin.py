"""Keys in the hands of a key: an administrator's key makes others, within its own tenant and no further than itself."""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.key_text import Secret
from groundwire.services.keys.admin import KeyAdmin, KeySpec

_COLLECTION_NOT_GRANTED: Final = "The key may not make one that reaches a collection beyond its own."


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A key that was made; `secret` is its secret, None for a key for tokens, which has none."""

    key: ApiKey
    secret: Secret | None


class DelegatedKeyAdmin:
    """`KeyCare` for a caller.

    The scope `admin` covers every right in its tenant, so what bounds it is the tenant, and its collections.
    """

    def __init__(self, admin: KeyAdmin) -> None:
        self._admin = admin

    def create(self, caller: Caller, spec: KeySpec) -> CreatedKey:
        """A new key of the caller's tenant; Raises Denied, and as `KeyCare` does."""
        if not _is_within(caller, spec.collections):
            raise Forbidden(_COLLECTION_NOT_GRANTED)
        if spec.tenant != caller.principal.tenant:
            raise Forbidden("A key makes keys of its own tenant only.")
        if spec.kind is KeyKind.OAUTH:
            return CreatedKey(self._admin.create_token_key(spec), None)
        issued = self._admin.create(spec)
        return CreatedKey(issued.key, issued.secret)

    def rotate(self, caller: Caller, kid: str, overlap_hours: int) -> CreatedKey:
        """Another secret for a key: whoever is shown it has all that the key may; Raises NotFound, Conflict."""
        self._check_visible(caller, kid)
        issued = self._admin.rotate(caller.principal.tenant, kid, overlap_hours)
        return CreatedKey(issued.key, issued.secret)

    def revoke(self, caller: Caller, kid: str) -> ApiKey:
        """No later call with the key is admitted, its own included; Raises NotFound."""
        self._check_visible(caller, kid)
        return self._admin.revoke(caller.principal.tenant, kid)

    def all(self, caller: Caller) -> list[ApiKey]:
        """Keys of the tenant that reach no further than the caller, by creation time: the others name collections."""
        return [key for key in self._admin.all(caller.principal.tenant) if _is_within(caller, key.collections)]

    def _check_visible(self, caller: Caller, kid: str) -> None:
        """Returns for a key that the caller may see; Raises NotFound, in the same words for one that is beyond it."""
        if all(key.kid != kid for key in self.all(caller)):
            raise NotFound(f"There is no key {kid!r}.", "key")


def _is_within(caller: Caller, requested: CollectionGrant) -> bool:
    """An administrator of some collections cannot get at the others by way of another key, nor lock their own out."""
    return caller.collections == ALL_COLLECTIONS or (requested != ALL_COLLECTIONS and requested <= caller.collections)
