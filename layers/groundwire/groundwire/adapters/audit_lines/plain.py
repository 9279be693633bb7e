"""Any record as one line of JSON: what JSON cannot hold is named, and nothing raises."""

import json
import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final, cast

_DEEPEST: Final = 16
_WIDEST_INTEGER_BITS: Final = 1024


def to_json(record: Mapping[str, object]) -> bytes:
    """ASCII, one line, members in the order given."""
    try:
        return _dump(dict(record))
    except (TypeError, ValueError, RecursionError):
        return _dump(_plain(record, ()))


def _dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def _plain(value: object, above: tuple[int, ...]) -> object:
    """`above`: identities of the containers around the value, as one may contain itself."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    if id(value) in above or len(above) == _DEEPEST:
        return "<too deep>"
    return _container(value, (*above, id(value)))


def _container(value: object, above: tuple[int, ...]) -> object:
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        return {_name(name): _plain(member, above) for name, member in members.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, above) for item in cast("list[object]", value)]
    if isinstance(value, AbstractSet):
        items = [_plain(item, above) for item in cast("AbstractSet[object]", value)]
        return sorted(items, key=_dump)
    return _kind(value)


def _number(value: float) -> object:
    if isinstance(value, int):
        return value if value.bit_length() <= _WIDEST_INTEGER_BITS else _kind(value)
    return value if math.isfinite(value) else str(value)


def _name(name: object) -> str:
    return name if isinstance(name, str) else _kind(name)


def _kind(value: object) -> str:
    # Only the type: the value could be a secret, and asking it for a text could raise.
    return f"<{type(value).__name__}>"
