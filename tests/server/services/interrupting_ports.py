"""Ports whose calls a test can interrupt: another process's work happens before or after a chosen call."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

P = TypeVar("P")
Happening = Callable[[], object]


class Interruption:
    """What is due happens once, at a moment such as `before index.put` or `after blobs.delete`."""

    def __init__(self) -> None:
        self._due: dict[str, list[Happening]] = {}
        self._listening: dict[str, Callable[[Any], None]] = {}

    def at(self, moment: str, happens: Happening) -> None:
        """It happens `before` the next such call does anything, or `after` it, before its caller gets the result."""
        self._due.setdefault(moment, []).append(happens)

    def listen(self, call: str, receives: Callable[[Any], None]) -> None:
        """`hears` the last argument of each such call that succeeds, before anything happens after it."""
        self._listening[call] = receives

    @property
    def is_over(self) -> bool:
        """Whether everything that was due has happened."""
        return not any(self._due.values())

    def forget(self) -> None:
        """Nothing is due any more."""
        self._due.clear()

    def span(self, moment: str) -> None:
        """The moment has come."""
        if due := self._due.get(moment):
            due.pop(0)()

    def done(self, call: str, arguments: Sequence[object]) -> None:
        """The call has succeeded."""
        if (receives := self._listening.get(call)) is not None:
            receives(arguments[-1])
        self.span(f"after {call}")

    def on(self, port: P, name: str) -> P:
        """Return the port, with each of its calls reported to this object."""
        return cast("P", _Report(port, name, self))


class _Report:
    def __init__(self, port: object, name: str, during: Interruption) -> None:
        self._port = port
        self._name = name
        self._during = during

    def __getattr__(self, name: str) -> object:
        member = getattr(self._port, name)
        if not callable(member):
            return member

        def call(*arguments: object, **named: object) -> object:
            self._during.span(f"before {self._name}.{name}")
            result: object = member(*arguments, **named)
            self._during.done(f"{self._name}.{name}", arguments)
            # An index is a port, too.
            is_index = name in {"for_tenant", "building_generation", "start_generation"} and result is not None
            return self._during.on(result, self._name.removesuffix("es")) if is_index else result

        return call
