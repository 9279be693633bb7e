"""JSON decoder and encoder (RFC 8259), restricted to I-JSON and to the server's limits."""

import json
from collections.abc import Mapping
from math import isinf
from typing import Final, NoReturn, TypeAlias, cast

from groundwire_mcp.limits import MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_NODES

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

_MAX_NUMBER: Final = 2**53
"""Largest integer that every reader with double-precision numbers reads exactly (RFC 7493 §2.2)."""
_MAX_QUOTES_PER_NODE: Final = 4
"""Quotes of a string member: two around its key, two around its value."""
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class JsonError(ValueError):
    """A rejected body; `str()` gives the reason and is safe to show."""


class JsonTooLarge(JsonError):
    """A body over `limits.MAX_BODY_BYTES`, rejected before decoding."""


def decode(
    body: bytes, max_bytes: int = MAX_BODY_BYTES, *, max_nodes: int = MAX_JSON_NODES, has_any_numbers: bool = False
) -> Json:
    """Return the value that `body` encodes, within the limits of size, depth and node count.

    Args:
        body: the bytes as received.
        max_bytes: a higher limit serves only to read the id of a rejected body.
        max_nodes: of values and keys.
        has_any_numbers: numbers outside ±2^53 are read as well, as servers of others send them.

    Raises:
        JsonError: not UTF-8, not JSON, over a limit, or JSON that two readers may understand differently (duplicate
            keys, NaN, numbers outside ±2^53, lone surrogates).
    """
    if len(body) > max_bytes:
        raise JsonTooLarge(f"the body is over {max_bytes} bytes")
    _check_depth_and_size(body, max_nodes)
    try:
        text = body.decode()
        value: Json = (_ANY_NUMBERS if has_any_numbers else _DECODER).decode(text)
    except UnicodeDecodeError as error:
        raise JsonError(f"the body is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"the body is not JSON: {error.msg} (character {error.pos})") from None
    # A JsonError is a ValueError too: the next handler would replace its reason.
    except JsonError:
        raise
    except ValueError:
        # CPython refuses to read integers of over 4,300 digits, which would take quadratic time.
        raise JsonError("the body has a number of too many digits") from None
    _check_surrogates(text, value)
    return value


def encode(value: object) -> bytes:
    """Return compact UTF-8 JSON; mappings of any type become objects.

    Raises:
        ValueError: the value holds NaN or an infinity, which no response of this server does.
    """
    return _ENCODER.encode(value).encode()


def _check_depth_and_size(body: bytes, max_nodes: int) -> None:
    """Check depth and node count before decoding, so that an attack costs one scan and no memory."""
    skeleton = _outside_strings(body, max_nodes)
    if 1 + skeleton.count(b",") + skeleton.count(b"[") + skeleton.count(b"{") > max_nodes:
        raise _too_many_values(max_nodes)
    depth = 0
    for bracket in skeleton.translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_JSON_DEPTH:
            raise JsonError(f"the body is nested over {MAX_JSON_DEPTH} levels deep")


def _outside_strings(body: bytes, max_nodes: int) -> bytes:
    # This is exact up to the first syntax error, and the decoder stops there. Backslashes occur only inside strings:
    # without escaped backslashes and escaped quotes, every second part between quotes is outside of a string.
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    if unescaped.count(b'"') > _MAX_QUOTES_PER_NODE * max_nodes:
        raise _too_many_values(max_nodes)
    return b"".join(unescaped.split(b'"')[::2])


def _too_many_values(max_nodes: int) -> JsonError:
    return JsonError(f"the body has over {max_nodes} values")


def _check_surrogates(text: str, value: Json) -> None:
    # Only an escape can make half of a pair: the UTF-8 decoder refuses encoded surrogates.
    if "\\ud" not in text.lower():
        return
    try:
        encode(value)
    except UnicodeEncodeError:
        raise JsonError("the body has half of a surrogate pair") from None


def _parse_integer(literal: str) -> int:
    # The length decides first, since `int` takes quadratic time in the number of digits.
    if len(literal) > len(str(-_MAX_NUMBER)) or abs(number := int(literal)) > _MAX_NUMBER:
        raise JsonError("the body has a number outside ±2^53")
    return number


def _parse_float(literal: str) -> float:
    number = float(literal)
    if abs(number) > _MAX_NUMBER:
        raise JsonError("the body has a number outside ±2^53")
    return number


def _parse_finite(literal: str) -> float:
    number = float(literal)
    if isinf(number):
        raise JsonError("the body has a number that is too large")
    return number


def _reject_constant(literal: str) -> NoReturn:
    # Python's decoder takes NaN and Infinity, which RFC 8259 §6 excludes.
    raise JsonError(f"the body is not JSON: {literal} is no number")


def _object_with_unique_keys(pairs: list[tuple[str, Json]]) -> JsonObject:
    members = dict(pairs)
    # Of two equal keys, one reader takes the first and another the last (RFC 8259 §4): a value could hide from a check.
    if len(members) != len(pairs):
        raise JsonError("the body has an object with the same key twice")
    return members


def _mapping_to_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return {**cast("Mapping[object, object]", value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


_ANY_NUMBERS: Final = json.JSONDecoder(
    object_pairs_hook=_object_with_unique_keys,
    parse_float=_parse_finite,
    parse_constant=_reject_constant,
)
_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object_with_unique_keys,
    parse_int=_parse_integer,
    parse_float=_parse_float,
    parse_constant=_reject_constant,
)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_mapping_to_dict)
