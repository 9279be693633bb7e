"""Exchange of single parts of the services for those of a test."""

from collections.abc import Iterator
from typing import Any

from groundwire.wiring.lazy import Lazy


def exchange(services: object, **parts: object) -> None:
    """Put the parts in the places of those of the same names; what was built over the earlier parts keeps these.

    Args:
        services: those of a machine or of a deployed function.
        parts: stores, models and use cases by the names of their attributes; `clock`, too.
    """
    for name, part in parts.items():
        if name == "clock":
            _exchange_clock(services, part)
        else:
            vars(owner(services, name))[name] = part


def forget(services: object, *names: str) -> None:
    """Let the parts of these names be built again, where they were built."""
    for name in names:
        vars(owner(services, name)).pop(name, None)


def owner(services: object, name: str) -> object:
    """Return the one group of the services that builds a part of this name; ValueError where there is not one."""
    [group] = [each for each in _groups(services) if isinstance(vars(type(each)).get(name), Lazy)]
    return group


def _groups(services: Any) -> Iterator[Any]:
    return (each for each in vars(services).values() if hasattr(each, "__dict__"))


def _exchange_clock(services: Any, clock: object) -> None:
    # The records are frozen for the product.
    object.__setattr__(services, "clock", clock)
    for group in _groups(services):
        if hasattr(group, "_clock"):
            group._clock = clock
        if hasattr(group, "_backends"):
            object.__setattr__(group._backends, "clock", clock)
