"""The content sealed inside a link to a stored original: a claim to be checked when it is opened, never a right."""

import json
import zlib
from dataclasses import dataclass, replace
from typing import Final, Self, cast

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.keys.grants import TagSource

SEAL_PURPOSE: Final = "open"
MAX_GRANT_BYTES: Final = 5_400
"""Of a fitted grant: a link of about 7,300 characters, which every browser and API Gateway's head limit let pass."""

_COMPRESSION_LEVEL: Final = 1
_MAX_DECOMPRESSED_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """The key of the call that a link was made in, and where that call's tags came from."""

    kid: str
    tag_source: TagSource

    def to_bytes(self) -> bytes:
        """Encode as a JSON object; `from_bytes` ignores members that it does not know."""
        return _json({"kid": self.kid, "tags": self.tag_source.value})

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Decode what `to_bytes` encoded."""
        members = cast("dict[str, str]", json.loads(payload))
        return cls(members["kid"], TagSource(members["tags"]))


@dataclass(frozen=True, slots=True)
class LinkGrant:
    """Who was shown which document, and until when the link is good (epoch seconds).

    Attributes:
        origin: None in a link of an earlier release, which names no key.
    """

    principal: Principal
    doc_id: str
    expires_at: int
    origin: LinkOrigin | None

    def to_bytes(self) -> bytes:
        """The form that is sealed: a JSON array, packed with zlib, and behind that stream the origin.

        The release before reads the stream alone and ignores what follows it, so it opens these links, too.
        """
        principal = self.principal
        members = [principal.tenant, self.doc_id, principal.user, sorted(principal.tags), self.expires_at]
        packed = zlib.compress(_json(members), _COMPRESSION_LEVEL)
        return packed if self.origin is None else packed + self.origin.to_bytes()

    def to_bounded_bytes(self, policy: Policy) -> bytes:
        """`to_bytes` within `MAX_BYTES`, with as many of the tags as a link has room for.

        All of them; or those that the document's policy names, so that the link opens as long as the policy
        asks for no other; or none, so that it opens by user or for everyone. No rule denies by a tag, hence
        having fewer never shows more: what no longer fits is refused, like any link that is not good.
        """
        whole = self.to_bytes()
        if len(whole) <= MAX_GRANT_BYTES:
            return whole
        named = self._with(self.principal.tags & (policy.any_tags | policy.all_tags)).to_bytes()
        return named if len(named) <= MAX_GRANT_BYTES else self._with(frozenset()).to_bytes()

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """The grant of a payload that was unsealed, hence written by `to_bytes` of this release or the one before."""
        plain, rest = _decompress(payload)
        members = cast("tuple[str, str, str | None, list[str], int]", tuple(json.loads(plain)))
        tenant, doc_id, user, tags, expires_at = members
        origin = LinkOrigin.from_bytes(rest) if rest else None
        return cls(Principal(tenant, user, frozenset(tags)), doc_id, expires_at, origin)

    def _with(self, tags: frozenset[str]) -> Self:
        return replace(self, principal=replace(self.principal, tags=tags))


def _decompress(payload: bytes) -> tuple[bytes, bytes]:
    """The JSON array, and what follows its zlib stream."""
    # The release before left short arrays unpacked: they begin with a bracket, which no zlib stream does.
    if payload.startswith(b"["):
        return payload, b""
    stream = zlib.decompressobj()
    plain = stream.decompress(payload, _MAX_DECOMPRESSED_BYTES)
    if not stream.eof:
        # What follows a stream that is cut short is unknown, so it must not count as a link without a key.
        raise ValueError("The grant is not whole.")
    return plain, stream.unused_data


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
