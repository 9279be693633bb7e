"""Keys in the hands of a key: an administrator's key makes others, within its own tenant and no further than itself."""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.caller import Caller
from groundwire.domain.credentials import ApiKey
from groundwire.domain.errors import Denied, NotFound
from groundwire.domain.grants import EVERY, CollectionGrant, KeyKind
from groundwire.domain.keys import Secret
from groundwire.services.keys import KeyCare, KeyOrder

_TOO_FAR: Final = "The key may not make one that reaches a collection beyond its own."


@dataclass(frozen=True, slots=True)
class Delegated:
    """A key that was made; `text` is its secret, None for a key for tokens, which has none."""

    key: ApiKey
    text: Secret | None


class DelegatedKeys:
    """`KeyCare` for a caller.

    The scope `admin` covers every right in its tenant, so what bounds it is the tenant, and its collections.
    """

    def __init__(self, care: KeyCare) -> None:
        self._care = care

    def create(self, caller: Caller, order: KeyOrder) -> Delegated:
        """A new key of the caller's tenant; Raises Denied, and as `KeyCare` does."""
        if not _is_within(caller, order.collections):
            raise Denied(_TOO_FAR)
        if order.tenant != caller.principal.tenant:
            raise Denied("A key makes keys of its own tenant only.")
        if order.kind is KeyKind.OAUTH:
            return Delegated(self._care.admit_tokens(order), None)
        issued = self._care.create(order)
        return Delegated(issued.key, issued.text)

    def rotate(self, caller: Caller, kid: str, overlap_hours: int) -> Delegated:
        """Another secret for a key: whoever is shown it has all that the key may; Raises NotFound, Conflict."""
        self._check(caller, kid)
        issued = self._care.rotate(caller.principal.tenant, kid, overlap_hours)
        return Delegated(issued.key, issued.text)

    def revoke(self, caller: Caller, kid: str) -> ApiKey:
        """No later call with the key is admitted, its own included; Raises NotFound."""
        self._check(caller, kid)
        return self._care.revoke(caller.principal.tenant, kid)

    def all(self, caller: Caller) -> list[ApiKey]:
        """Keys of the tenant that reach no further than the caller, by creation time: the others name collections."""
        return [key for key in self._care.all(caller.principal.tenant) if _is_within(caller, key.collections)]

    def _check(self, caller: Caller, kid: str) -> None:
        """Returns for a key that the caller may see; Raises NotFound, in the same words for one that is beyond it."""
        if all(key.kid != kid for key in self.all(caller)):
            raise NotFound(f"There is no key {kid!r}.", "key")


def _is_within(caller: Caller, asked: CollectionGrant) -> bool:
    """An administrator of some collections cannot get at the others by way of another key, nor lock their own out."""
    return caller.collections == EVERY or (asked != EVERY and asked <= caller.collections)
