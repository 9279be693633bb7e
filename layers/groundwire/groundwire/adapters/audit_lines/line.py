"""The form of a line, so that its bytes alone prove it.

    {<members of the record>,"prev":"<hash of the line before>","hash":"<SHA-256>"}

`hash` is taken over the line's bytes without its last member: everything before `,"hash"`, and `}`. The
first line's `prev` is 64 zeros.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple, cast

from groundwire.adapters.audit_lines.plain import to_json

GENESIS: Final = "0" * 64
_RESERVED: Final = ("prev", "hash")
_END: Final = re.compile(rb'[{,]"prev":"(?P<prev>[0-9a-f]{64})"(?P<hash_member>,"hash":"(?P<hash>[0-9a-f]{64})")}\n\Z')


class Line(NamedTuple):
    """One line of the log.

    Attributes:
        raw: its bytes with the line feed.
        prev, hash: as the line says.
    """

    raw: bytes
    prev: str
    hash: str


def make(record: Mapping[str, object], prev: str) -> Line:
    """The line of `record`; members of it that are named like ours are kept as `record.prev` and `record.hash`."""
    members = {f"record.{name}" if name in _RESERVED else name: value for name, value in record.items()}
    body = to_json({**members, "prev": prev})
    digest = sha256(body).hexdigest()
    return Line(body[:-1] + b',"hash":"' + digest.encode() + b'"}\n', prev, digest)


def parse(raw: bytes) -> Line | None:
    """The line, or None when its bytes are not those that its hash was taken of."""
    end = _END.search(raw)
    if end is None:
        return None
    digest = end["hash"].decode()
    if sha256(raw[: end.start("hash_member")] + b"}").hexdigest() != digest:
        return None
    return Line(raw, end["prev"].decode(), digest)


def record_of(raw: bytes) -> dict[str, object] | None:
    """The members of a line, `prev` and `hash` included; None when it is no JSON object."""
    try:
        held = cast("object", json.loads(raw))
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", held) if isinstance(held, dict) else None
