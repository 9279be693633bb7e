"""Links to documents: what is sealed inside one is a claim that is checked when it is opened, never a right.

The block of a short link is `handle of the grant (6 bytes) | number of the document (8) | zeros and variant (2)`. The
number is that of an id that ingestion made. An id of the owner's choice has no number: its digest takes the place, and
the id itself follows the code. So no link has a state of its own, and none opens another document than its own.

A keyed permutation makes a code of 22 characters of the block. A random code passes the zeros once in 2^13, then names
a live grant, one of `G`, and then a document of its tenant, one of `D`. So it opens something with the probability
`G * D / 2^125`: for a million of each, once in 2^85 attempts. Before an id it needs the digest of that id, so it opens
with `G / 2^125`. What it opens is then decided as for any link.

A document with a URL of its own is linked there: the URL is cleaned to printable ASCII that is no markup in Markdown
or HTML.
"""

import hashlib
import json
import math
import re
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self, cast
from urllib.parse import quote

from groundwire.domain.access.policy import Principal, Readers
from groundwire.domain.documents.ids import is_doc_id, made_id, made_id_number
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import LINK_STEP_SECONDS, MAX_SOURCE_URL_CHARACTERS

CODE_PURPOSE: Final = "short link"
"""Purpose of the codes; the grants have one of their own."""
GRANT_PURPOSE: Final = "link grant"
MAX_HANDLES: Final = 3
"""Handles that a grant may have: with a million live grants, all are taken once in 2^84 grants."""

_HANDLE_BYTES: Final = 6
_NUMBER_BYTES: Final = 8
_VARIANT_BYTES: Final = 2
_VARIANTS: Final = 8
_BLOCK_BYTES: Final = _HANDLE_BYTES + _NUMBER_BYTES + _VARIANT_BYTES
_CODE_CHARACTERS: Final = 22
_ID_MARK: Final = "."
"""Between the code and an id of the owner's choice; no code has it."""
_TOKEN: Final = re.compile(r"[0-9]{1,3}|[A-Z]*[a-z]+|[A-Z]+|[_-]")
"""Part of a code that a tokenizer never joins with the next: models read the fewer tokens, the fewer parts it has."""


class LinkNumbers(NamedTuple):
    """Numbers in a short link: the handle of its grant (48 bits), and that of the document's id (64 bits).

    Attributes:
        is_digest: the owner chose the id, and `document` is its digest.
    """

    handle: int
    document: int
    is_digest: bool = False

    @classmethod
    def of(cls, handle: int, doc_id: str) -> "LinkNumbers":
        """Return the numbers of a grant and a document."""
        number = made_id_number(doc_id)
        return cls(handle, _digest(doc_id), is_digest=True) if number is None else cls(handle, number)

    def blocks(self) -> Iterator[bytes]:
        """Yield the blocks that mean these numbers."""
        start = self.handle.to_bytes(_HANDLE_BYTES) + self.document.to_bytes(_NUMBER_BYTES)
        first = _VARIANTS if self.is_digest else 0
        for variant in range(first, first + _VARIANTS):
            yield start + variant.to_bytes(_VARIANT_BYTES)

    def doc_id(self, chosen: str | None) -> str | None:
        """Return the id of the document; `chosen` is the id after the code, None without one.

        None where the two do not belong together.
        """
        if not self.is_digest:
            return made_id(self.document) if chosen is None else None
        return chosen if chosen is not None and is_doc_id(chosen) and _digest(chosen) == self.document else None

    @classmethod
    def from_block(cls, block: bytes) -> "LinkNumbers | None":
        """Return the numbers in a block of 16 bytes; None for one that `blocks` does not yield."""
        document_at, variant_at = _HANDLE_BYTES, _BLOCK_BYTES - _VARIANT_BYTES
        variant = int.from_bytes(block[variant_at:])
        if len(block) != _BLOCK_BYTES or variant >= 2 * _VARIANTS:
            return None
        handle, document = int.from_bytes(block[:document_at]), int.from_bytes(block[document_at:variant_at])
        return cls(handle, document, is_digest=variant >= _VARIANTS)


def code_with_id(code: str, doc_id: str) -> str:
    """Return the code of a link to a document, which ends with an id of the owner's choice."""
    return code if made_id_number(doc_id) is not None else f"{code}{_ID_MARK}{doc_id}"


def code_and_id(text: str) -> tuple[str, str | None]:
    """Return the code of a link and the id after it, None without one; `code_with_id` joined them."""
    code, rest = text[:_CODE_CHARACTERS], text[_CODE_CHARACTERS:]
    return (code, rest[1:]) if rest.startswith(_ID_MARK) else (text, None)


def _digest(doc_id: str) -> int:
    return int.from_bytes(hashlib.sha256(doc_id.encode()).digest()[:_NUMBER_BYTES])


def grant_handles(sealed: str) -> Iterator[int]:
    """Yield the handles that a sealed grant may have, the first one first; another grant may have one already.

    They are digests of the sealed text. So the handle of an ended grant, which old links name, is another grant's once
    in 2^48 pairs.
    """
    for attempt in range(MAX_HANDLES):
        digest = hashlib.sha256(f"{attempt} {sealed}".encode()).digest()
        yield int.from_bytes(digest[:_HANDLE_BYTES])


def count_code_parts(code: str) -> int:
    """Return how many parts a tokenizer splits the code into at least."""
    return len(_TOKEN.findall(code))


# Possessive, so that an address without a host is refused in linear time.
_FORM: Final = re.compile(r"(https?)://([^/?#]*+)(.*+)", re.IGNORECASE | re.DOTALL)
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9._])?(?::[0-9]{1,5})?")
_NOT_ENCODED: Final = "/?:@!$&*+,;=~"
"""Characters that are not encoded, besides letters, digits, `-`, `.` and `_`; `%` and `#` have rules of their own."""
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def clean_url(url: str) -> str:
    """Return the URL with characters that could be markup percent-encoded; cleaning twice changes nothing.

    Raises:
        InvalidInput: it is not an http or https URL of a host, or is too long; the message says what to change.
    """
    # A right-to-left override, for example, shows another address than the one that opens.
    if any(unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029" for letter in url):
        raise InvalidInput("The address of a document contains an invisible character: type it again.")
    parts = _FORM.fullmatch(url.strip())
    if parts is None:
        raise InvalidInput(
            "The address of a document must start with http:// or https://, such as https://wiki.example/leave."
        )
    scheme, host, rest = parts[1].lower(), parts[2], parts[3]
    if _HOST.fullmatch(host) is None:
        raise InvalidInput(
            "The host in the address of a document may have only letters, digits, '.' and '-', without "
            "user or password. Write a host with other letters as xn--…"
        )
    cleaned = f"{scheme}://{host}{_encoded(rest)}"
    if len(cleaned) > MAX_SOURCE_URL_CHARACTERS:
        raise InvalidInput(f"The address of a document can have at most {MAX_SOURCE_URL_CHARACTERS} characters.")
    return cleaned


def safe_url_or_none(url: str | None) -> str | None:
    """Return a stored URL, cleaned; None if it is missing, or where it cannot be cleaned."""
    try:
        return clean_url(url) if url else None
    except InvalidInput:
        return None


def _encoded(path_and_query: str) -> str:
    """Encode path, query and fragment; reserved characters are not encoded."""
    # `%25` is a valid escape, so cleaning twice changes nothing.
    path, separator, fragment = _STRAY_PERCENT.sub("%25", path_and_query).partition("#")
    return quote(path, safe=_NOT_ENCODED + "%") + separator + quote(fragment, safe=_NOT_ENCODED + "%")


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
