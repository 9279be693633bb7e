"""Content sealed inside a link to a stored original: a claim that is checked when the link is opened, never a right."""

import json
import math
import zlib
from dataclasses import dataclass, replace
from typing import Final, Self, cast

from groundwire.domain.access.policy import Principal, Readers
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import LINK_STEP_SECONDS

SEAL_PURPOSE: Final = "open"
MAX_GRANT_BYTES: Final = 5_400
"""Size limit of a bounded grant: a link of about 7,300 characters, which browsers and API Gateway accept."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Encoder of every link: `json.dumps` makes one for each call that has options."""
_COMPRESSION_LEVEL: Final = 1
# zlib can expand a thousandfold, so a link of a few kB could fill many MB.
_MAX_DECOMPRESSED_BYTES: Final = 1 << 20


def expiry_at_least(now: float, seconds: int) -> int:
    """Return the first full hour (epoch seconds) at which a link made now has lived for `seconds`."""
    return math.ceil((now + seconds) / LINK_STEP_SECONDS) * LINK_STEP_SECONDS


def expiry_at_most(now: float, seconds: int) -> int:
    """Return an expiry (epoch seconds) within `seconds` from now, which a link must not outlive.

    It is the same for every call within a third of that time, so a link lives for two thirds of it at least.
    """
    step = max(1, seconds // 3)
    return (int(now) + seconds) // step * step


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """Key of the call in which the link was made, and the source of that call's tags."""

    kid: str
    tag_source: TagSource

    def to_bytes(self) -> bytes:
        """Encode as a JSON object; `from_bytes` ignores members that it does not know."""
        return _json({"kid": self.kid, "tags": self.tag_source.value})

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Decode the output of `to_bytes`."""
        members = cast("dict[str, str]", json.loads(payload))
        return cls(members["kid"], TagSource(members["tags"]))


@dataclass(frozen=True, slots=True)
class LinkGrant:
    """Claim of a link: the document, the principal to whom it was shown, and the expiry in epoch seconds.

    Attributes:
        origin: None in a link of an earlier release, which names no key.
    """

    principal: Principal
    doc_id: str
    expires_at: int
    origin: LinkOrigin | None

    def to_bytes(self) -> bytes:
        """Encode for sealing: a JSON array compressed with zlib, followed by the origin.

        The previous release reads the stream alone and ignores the bytes after it, so it opens these links, too.
        """
        principal = self.principal
        # Sorted, since equal grants must give one text and a set has no order.
        members = [principal.tenant, self.doc_id, principal.user, sorted(principal.tags), self.expires_at]
        compressed = zlib.compress(_json(members), _COMPRESSION_LEVEL)
        return compressed if self.origin is None else compressed + self.origin.to_bytes()

    def to_bounded_bytes(self, readers: Readers) -> bytes:
        """Encode within `MAX_GRANT_BYTES`, with as many of the tags as fit.

        The grant keeps all tags; else those that the document's readers may need; else none. In the second case the
        link opens while the readers need no other tag, in the third by user or public access only. No rule denies by
        tag, so fewer tags never show more. A link that lacks a required tag is refused like any invalid link.
        """
        complete = self.to_bytes()
        if len(complete) <= MAX_GRANT_BYTES:
            return complete
        reduced = self._with(self.principal.tags & readers.tags).to_bytes()
        return reduced if len(reduced) <= MAX_GRANT_BYTES else self._with(frozenset()).to_bytes()

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Decode an unsealed payload, which `to_bytes` of this release or the previous one wrote."""
        array, origin_bytes = _decompress(payload)
        members = cast("tuple[str, str, str | None, list[str], int]", tuple(json.loads(array)))
        tenant, doc_id, user, tags, expires_at = members
        origin = LinkOrigin.from_bytes(origin_bytes) if origin_bytes else None
        return cls(Principal(tenant, user, frozenset(tags)), doc_id, expires_at, origin)

    def _with(self, tags: frozenset[str]) -> Self:
        return replace(self, principal=replace(self.principal, tags=tags))


def _decompress(payload: bytes) -> tuple[bytes, bytes]:
    """Return the JSON array and the bytes after its zlib stream.

    Raises:
        ValueError: the zlib stream is cut short.
    """
    # The previous release left short arrays uncompressed: they begin with a bracket, which no zlib stream does.
    if payload.startswith(b"["):
        return payload, b""
    stream = zlib.decompressobj()
    array = stream.decompress(payload, _MAX_DECOMPRESSED_BYTES)
    if not stream.eof:
        # The origin after a stream that is cut short is unknown, so this must not count as a link without a key.
        raise ValueError("The grant is incomplete.")
    return array, stream.unused_data


def _json(value: object) -> bytes:
    return _ENCODER.encode(value).encode()
