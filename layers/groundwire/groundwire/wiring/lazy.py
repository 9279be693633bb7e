"""Attributes that are built on first access, and the stack that closes the resources among them."""

from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

ValueT_co = TypeVar("ValueT_co", covariant=True)


class Closable(Protocol):
    """Resource with files, connections or processes."""

    def close(self) -> None:
        """Release the resource."""
        ...


ClosableT = TypeVar("ClosableT", bound=Closable)

if TYPE_CHECKING:
    # A type checker accepts a property where a protocol declares one, and no other descriptor.
    Lazy = property
else:

    class Lazy(Generic[ValueT_co]):
        """Attribute whose value the decorated function builds on first access, once, whichever thread comes first.

        The object keeps the value in its `vars`; a value that is already there is used instead of building one.
        `functools.cached_property` builds twice when two threads come at the same time, since Python 3.12.
        """

        def __init__(self, build: Callable[[Any], ValueT_co]) -> None:
            self._build = build
            # Reentrant: to build the value may read the same attribute of another object.
            self._lock = RLock()
            self._name = build.__name__
            self.__doc__ = build.__doc__

        def __get__(self, instance: object | None, owner: type | None = None) -> "ValueT_co | Lazy[ValueT_co]":
            """Return the value; later accesses read it from `vars` without calling this method."""
            if instance is None:
                return self
            values = vars(instance)
            with self._lock:
                if self._name not in values:
                    values[self._name] = self._build(instance)
                return values[self._name]


class ResourceStack:
    """Resources that were built and have to be closed."""

    def __init__(self) -> None:
        self._closing = ExitStack()

    def register(self, resource: ClosableT) -> ClosableT:
        """Close the resource at the end, before those that were registered earlier; return it."""
        self._closing.callback(resource.close)
        return resource

    def close(self) -> None:
        """Close every registered resource, the latest first; a second call closes nothing."""
        self._closing.close()
