"""Typed reading of values that JSON or YAML gave: mappings, lists and texts, checked once where they are read."""

import json
from collections.abc import Mapping
from itertools import repeat
from typing import TypeGuard, cast


def is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return whether the value is a mapping; JSON has no other names of members than texts."""
    # `dict` first: it is the fast check, and nearly always the one that holds.
    return isinstance(value, (dict, Mapping))


def is_list(value: object) -> TypeGuard[list[object]]:
    """Return whether the value is a list."""
    return isinstance(value, list)


def is_text_list(value: object) -> TypeGuard[list[str]]:
    """Return whether the value is a list of texts alone."""
    return is_list(value) and all(map(isinstance, value, repeat(str)))


def mapping_or_empty(value: object) -> Mapping[str, object]:
    """Return the value if it is a mapping, else an empty one, which lacks every member."""
    return cast("Mapping[str, object]", value) if isinstance(value, (dict, Mapping)) else {}


def mapping_at(value: object, *names: str) -> Mapping[str, object]:
    """Return the mapping at the end of a path of members; empty where one of them is no mapping."""
    found = value
    for name in names:
        found = cast("Mapping[str, object]", found).get(name) if isinstance(found, (dict, Mapping)) else None
    return cast("Mapping[str, object]", found) if isinstance(found, (dict, Mapping)) else {}


def list_or_empty(value: object) -> list[object]:
    """Return the value if it is a list, else an empty one."""
    return value if is_list(value) else []


def list_or_single(value: object) -> list[object]:
    """Return the value if it is a list, else a list with it alone, as many interfaces read one value for several."""
    return value if is_list(value) else [value]


def require_mapping(value: object, error: Exception) -> Mapping[str, object]:
    """Return the value, which must be a mapping.

    Raises:
        Exception: `error`, as it is not.
    """
    if is_mapping(value):
        return value
    raise error


def load_mapping(text: str | bytes) -> dict[str, object] | None:
    """Return the object that a JSON text holds; None where it holds something else, or is no JSON."""
    try:
        value: object = json.loads(text)
    # Deep brackets in a short text exhaust the decoder's stack.
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def text_member(members: Mapping[str, object], name: str) -> str | None:
    """Return a member that is a text; None where it is absent or something else."""
    value = members.get(name)
    return value if isinstance(value, str) else None


def integer_member(members: Mapping[str, object], name: str) -> int | None:
    """Return a member that is a whole number; None where it is absent or something else, such as true."""
    value = members.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def required_text(members: Mapping[str, object], name: str, error: Exception) -> str:
    """Return a member, which must be a text that is not empty.

    Raises:
        Exception: `error`, as it is not.
    """
    text = text_member(members, name)
    if text:
        return text
    raise error
