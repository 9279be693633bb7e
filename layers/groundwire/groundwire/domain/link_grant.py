"""What is sealed inside a link to a stored original: a claim to be checked when it is opened, never a right."""

import json
from dataclasses import dataclass
from typing import Final, Self, cast

from groundwire.domain.access import Principal

SEAL_PURPOSE: Final = "open"


@dataclass(frozen=True, slots=True)
class LinkGrant:
    """Who was shown which document, and until when the link is good (epoch seconds)."""

    principal: Principal
    doc_id: str
    expires_at: int

    def to_bytes(self) -> bytes:
        """The form that is sealed."""
        principal = self.principal
        members = [principal.tenant, self.doc_id, principal.user, sorted(principal.tags), self.expires_at]
        return json.dumps(members, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """The grant of a payload that was unsealed, hence written by `to_bytes`."""
        members = cast("tuple[str, str, str | None, list[str], int]", tuple(json.loads(payload)))
        tenant, doc_id, user, tags, expires_at = members
        return cls(Principal(tenant, user, frozenset(tags)), doc_id, expires_at)
