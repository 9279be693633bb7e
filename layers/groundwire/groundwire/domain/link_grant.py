"""What is sealed inside a link to a stored original: a claim to be checked when it is opened, never a right."""

import json
import zlib
from dataclasses import dataclass, replace
from typing import Final, Self, cast

from groundwire.domain.access import Policy, Principal

SEAL_PURPOSE: Final = "open"
MAX_BYTES: Final = 5_400
"""Of a fitted grant: a link of about 7,300 characters, which every browser and API Gateway's head limit let pass."""

_WORTH_PACKING: Final = 500
_FASTEST: Final = 1
_MAX_UNPACKED: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class LinkGrant:
    """Who was shown which document, and until when the link is good (epoch seconds)."""

    principal: Principal
    doc_id: str
    expires_at: int

    def to_bytes(self) -> bytes:
        """The form that is sealed: a JSON array, packed with zlib where it is long."""
        principal = self.principal
        members = [principal.tenant, self.doc_id, principal.user, sorted(principal.tags), self.expires_at]
        plain = json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()
        return plain if len(plain) <= _WORTH_PACKING else zlib.compress(plain, _FASTEST)

    def fitted(self, policy: Policy) -> bytes:
        """`to_bytes` within `MAX_BYTES`, with as many of the tags as a link has room for.

        All of them; or those that the document's policy names, so that the link opens as long as the policy
        asks for no other; or none, so that it opens by user or for everyone. No rule denies by a tag, hence
        having fewer never shows more: what no longer fits is refused, like any link that is not good.
        """
        whole = self.to_bytes()
        if len(whole) <= MAX_BYTES:
            return whole
        named = self._with(self.principal.tags & (policy.any_tags | policy.all_tags)).to_bytes()
        return named if len(named) <= MAX_BYTES else self._with(frozenset()).to_bytes()

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """The grant of a payload that was unsealed, hence written by `to_bytes`."""
        # A JSON array begins with a bracket, a zlib stream never does.
        plain = payload if payload.startswith(b"[") else zlib.decompressobj().decompress(payload, _MAX_UNPACKED)
        members = cast("tuple[str, str, str | None, list[str], int]", tuple(json.loads(plain)))
        tenant, doc_id, user, tags, expires_at = members
        return cls(Principal(tenant, user, frozenset(tags)), doc_id, expires_at)

    def _with(self, tags: frozenset[str]) -> Self:
        return replace(self, principal=replace(self.principal, tags=tags))
