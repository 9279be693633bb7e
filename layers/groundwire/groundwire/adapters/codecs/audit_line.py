"""Audit line format: each line's hash can be verified from its own bytes.

    {<members of the record>,"prev":"<hash of the previous line>","hash":"<SHA-256>"}

`hash` covers the line's bytes without its last member: everything before `,"hash"`, and `}`. The first line's `prev` is
64 zeros.
"""

import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from hashlib import sha256
from typing import Final, NamedTuple, cast

from groundwire.domain.text.json_values import load_mapping

_MAX_DEPTH: Final = 16
_MAX_INTEGER_BITS: Final = 1024


def dump_record(record: Mapping[str, object]) -> bytes:
    """Write the record as ASCII JSON on one line, members in the given order."""
    try:
        return _dump(dict(record))
    except (TypeError, ValueError, RecursionError):
        return _dump(_json_safe(record, ()))


def _dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def _json_safe(value: object, ancestors: tuple[int, ...]) -> object:
    """Replace what JSON cannot express; `ancestors` are the ids of enclosing containers, against cycles."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    if id(value) in ancestors or len(ancestors) == _MAX_DEPTH:
        return "<too deep>"
    return _container(value, (*ancestors, id(value)))


def _container(value: object, ancestors: tuple[int, ...]) -> object:
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        return {_member_name(name): _json_safe(member, ancestors) for name, member in members.items()}
    if isinstance(value, (list, tuple)):
        return [_json_safe(item, ancestors) for item in cast("list[object]", value)]
    if isinstance(value, AbstractSet):
        items = [_json_safe(item, ancestors) for item in cast("AbstractSet[object]", value)]
        # Items of a set may have several types, which cannot be compared themselves.
        return sorted(items, key=_dump)
    return _type_name(value)


def _number(value: float) -> object:
    if isinstance(value, int):
        # Python refuses to write an integer of more than 4,300 digits.
        return value if value.bit_length() <= _MAX_INTEGER_BITS else _type_name(value)
    return value if math.isfinite(value) else str(value)


def _member_name(name: object) -> str:
    return name if isinstance(name, str) else _type_name(name)


def _type_name(value: object) -> str:
    # The type only: the value could be a secret, and its text conversion could raise.
    return f"<{type(value).__name__}>"


GENESIS_HASH: Final = "0" * 64
_RESERVED: Final = ("prev", "hash")
_HASH_SUFFIX: Final = re.compile(
    rb'[{,]"prev":"(?P<prev>[0-9a-f]{64})"(?P<hash_member>,"hash":"(?P<hash>[0-9a-f]{64})")}\n\Z'
)


class AuditLine(NamedTuple):
    """One line of the log.

    Attributes:
        raw: its bytes with the line feed.
        prev, hash: the values of these members.
    """

    raw: bytes
    prev: str
    hash: str


def make_line(record: Mapping[str, object], prev: str) -> AuditLine:
    """Make the line of `record`; its members named `prev` and `hash` become `record.prev` and `record.hash`."""
    members = {f"record.{name}" if name in _RESERVED else name: value for name, value in record.items()}
    body = dump_record({**members, "prev": prev})
    digest = sha256(body).hexdigest()
    return AuditLine(body[:-1] + b',"hash":"' + digest.encode() + b'"}\n', prev, digest)


def parse_line(raw: bytes) -> AuditLine | None:
    """Parse a line; None when its hash does not match its bytes."""
    end = _HASH_SUFFIX.search(raw)
    if end is None:
        return None
    digest = end["hash"].decode()
    if sha256(raw[: end.start("hash_member")] + b"}").hexdigest() != digest:
        return None
    return AuditLine(raw, end["prev"].decode(), digest)


def parse_record(raw: bytes) -> dict[str, object] | None:
    """Return the members of a line, `prev` and `hash` included; None when it is no JSON object."""
    return load_mapping(raw)
