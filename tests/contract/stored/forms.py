"""Forms of JSON values: members and types, without the values."""

from functools import reduce
from typing import Any

Form = Any
"""A type's name; members with their forms; or a list with one form for all of its items. None: it may be anything."""


def form_of(value: Any) -> Form:
    """Return the form of a value."""
    match value:
        case None:
            return None
        case dict():
            return {name: form_of(member) for name, member in value.items()}
        case list():
            return [reduce(_joined, map(form_of, value), None)]
        case _:
            return type(value).__name__


def missing(before: Form, now: Form, place: str = "") -> list[str]:
    """Return the places of `before` that `now` lacks, or at which it has another type."""
    if before is None or now is None:
        return []
    match before, now:
        case dict(), dict():
            lost = [f"{place}.{name} is missing" for name in before.keys() - now.keys()]
            kept = before.keys() & now.keys()
            return sorted(lost) + [
                each for name in sorted(kept) for each in missing(before[name], now[name], f"{place}.{name}")
            ]
        case [old], [new]:
            return missing(old, new, f"{place}[]")
        case _:
            return [] if before == now else [f"{place} was {before} and is {now}"]


def _joined(one: Form, other: Form) -> Form:
    """Return the form of a list's items: members that only some have are kept."""
    if one is None or other is None:
        return other if one is None else one
    match one, other:
        case dict(), dict():
            return {name: _joined(one.get(name), other.get(name)) for name in one | other}
        case [old], [new]:
            return [_joined(old, new)]
        case _:
            return one
