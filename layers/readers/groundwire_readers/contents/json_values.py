"""Typed reading of values that JSON gave: mappings and lists, checked once where they are read."""

from collections.abc import Mapping
from typing import TypeGuard


def is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return whether the value is a mapping; JSON has no other names of members than texts."""
    # The first check is the fast one, and nearly always the one that holds.
    return isinstance(value, dict) or isinstance(value, Mapping)  # noqa: SIM101 - see above


def is_list(value: object) -> TypeGuard[list[object]]:
    """Return whether the value is a list."""
    return isinstance(value, list)


def list_or_empty(value: object) -> list[object]:
    """Return the value if it is a list, else an empty one."""
    return value if is_list(value) else []


def require_mapping(value: object, error: Exception) -> Mapping[str, object]:
    """Return the value, which must be a mapping.

    Raises:
        Exception: `error`, as it is not.
    """
    if is_mapping(value):
        return value
    raise error
