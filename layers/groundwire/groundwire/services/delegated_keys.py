"""Keys in the hands of a key: an administrator's key makes others, within its own tenant and no further than itself."""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.caller import Caller
from groundwire.domain.credentials import ApiKey
from groundwire.domain.errors import Denied, NotFound
from groundwire.domain.grants import EVERY, CollectionGrant, KeyKind
from groundwire.domain.keys import Secret
from groundwire.services.keys import KeyCare, KeyOrder

_TOO_FAR: Final = "The key may not make, renew or revoke a key that reaches a collection beyond its own."


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
        _check_reach(caller, order.collections)
        if order.tenant != caller.principal.tenant:
            raise Denied("A key makes keys of its own tenant only.")
        if order.kind is KeyKind.OAUTH:
            return Delegated(self._care.admit_tokens(order), None)
        issued = self._care.create(order)
        return Delegated(issued.key, issued.text)

    def rotate(self, caller: Caller, kid: str, overlap_hours: int) -> Delegated:
        """Another secret for a key: whoever is shown it has all that the key may; Raises Denied, NotFound, Conflict."""
        _check_reach(caller, self._find(caller, kid).collections)
        issued = self._care.rotate(caller.principal.tenant, kid, overlap_hours)
        return Delegated(issued.key, issued.text)

    def revoke(self, caller: Caller, kid: str) -> ApiKey:
        """No later call with the key is admitted, its own included; Raises Denied, NotFound."""
        _check_reach(caller, self._find(caller, kid).collections)
        return self._care.revoke(caller.principal.tenant, kid)

    def all(self, caller: Caller) -> list[ApiKey]:
        """Every key of the tenant, by creation time."""
        return self._care.all(caller.principal.tenant)

    def _find(self, caller: Caller, kid: str) -> ApiKey:
        for key in self.all(caller):
            if key.kid == kid:
                return key
        raise NotFound(f"There is no key {kid!r}: `groundwire key list` names them.")


def _check_reach(caller: Caller, asked: CollectionGrant) -> None:
    """An administrator of some collections cannot get at the others by way of another key, nor lock their own out."""
    if caller.collections != EVERY and (asked == EVERY or not asked <= caller.collections):
        raise Denied(_TOO_FAR)
