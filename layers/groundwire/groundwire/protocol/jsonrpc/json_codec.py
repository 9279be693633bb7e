"""JSON as it may come in, and as it goes out (RFC 8259, narrowed to I-JSON and to our limits)."""

import json
from collections.abc import Mapping
from typing import Final, NoReturn, TypeAlias, cast

from groundwire.domain.limits import MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_NODES

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

_MAX_NUMBER: Final = 2**53
"""Beyond it, a reader that keeps numbers as doubles sees another value than the one sent (RFC 7493 §2.2)."""
_MAX_QUOTES_PER_NODE: Final = 4
"""A string member: two around its key, two around its value."""
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class JsonError(ValueError):
    """A body that is refused; `str()` says why and is safe to show."""


class JsonTooLarge(JsonError):
    """A body over `limits.MAX_BODY_BYTES`, refused unread."""


def decode(body: bytes, max_bytes: int = MAX_BODY_BYTES) -> Json:
    """The value that `body` spells, within the limits of size, depth and node count.

    Args:
        body: as it was received.
        max_bytes: a higher limit serves only to read the id of a body that is refused.

    Raises:
        JsonFault: not UTF-8, not JSON, over a limit, or JSON that two readers may understand differently
            (duplicate keys, NaN, numbers outside ±2^53, lone surrogates).
    """
    if len(body) > max_bytes:
        raise JsonTooLarge(f"the body is over {max_bytes} bytes")
    _check_depth_and_size(body)
    try:
        text = body.decode()
        value: Json = _DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise JsonError(f"the body is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"the body is not JSON: {error.msg} (character {error.pos})") from None
    _check_surrogates(text, value)
    return value


def encode(value: object) -> bytes:
    """Compact UTF-8; mappings of any kind are objects. NaN is a ValueError: no answer of ours holds one."""
    return _ENCODER.encode(value).encode()


def _check_depth_and_size(body: bytes) -> None:
    """Refuse depth and node count before anything is built, so that an attack costs a scan and no memory."""
    skeleton = _outside_strings(body)
    if 1 + skeleton.count(b",") + skeleton.count(b"[") + skeleton.count(b"{") > MAX_JSON_NODES:
        raise _too_many_values()
    depth = 0
    for bracket in skeleton.translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_JSON_DEPTH:
            raise JsonError(f"the body is nested over {MAX_JSON_DEPTH} levels deep")


def _outside_strings(body: bytes) -> bytes:
    # Exact up to the first syntax error, and the decoder builds nothing beyond that one. Backslashes stand only
    # inside strings: without the escaped ones and the escaped quotes, every other piece between quotes is outside.
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    if unescaped.count(b'"') > _MAX_QUOTES_PER_NODE * MAX_JSON_NODES:
        raise _too_many_values()
    return b"".join(unescaped.split(b'"')[::2])


def _too_many_values() -> JsonError:
    return JsonError(f"the body has over {MAX_JSON_NODES} values")


def _check_surrogates(text: str, value: Json) -> None:
    if "\\ud" not in text.lower():
        return
    try:
        encode(value)
    except UnicodeEncodeError:
        raise JsonError("the body has half of a surrogate pair") from None


def _parse_integer(literal: str) -> int:
    if len(literal) > len(str(-_MAX_NUMBER)) or abs(number := int(literal)) > _MAX_NUMBER:
        raise JsonError("the body has a number outside ±2^53")
    return number


def _parse_float(literal: str) -> float:
    number = float(literal)
    if abs(number) > _MAX_NUMBER:
        raise JsonError("the body has a number outside ±2^53")
    return number


def _reject_constant(literal: str) -> NoReturn:
    raise JsonError(f"the body is not JSON: {literal} is no number")


def _object_with_unique_keys(pairs: list[tuple[str, Json]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise JsonError("the body has an object with the same key twice")
    return members


def _mapping_to_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return {**cast("Mapping[object, object]", value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object_with_unique_keys,
    parse_int=_parse_integer,
    parse_float=_parse_float,
    parse_constant=_reject_constant,
)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_mapping_to_dict)
