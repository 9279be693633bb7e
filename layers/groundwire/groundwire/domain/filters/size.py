"""Size of a filter, counted before anything recurses into it."""

from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, AnyElement, AnyOf, Compare, ElementAt, Filter, Not
from groundwire.domain.limits import MAX_FILTER_LEVELS, MAX_FILTER_NODES

_TOO_DEEP: Final = f"A filter can nest conditions at most {MAX_FILTER_LEVELS} deep: use fewer levels."
_TOO_LARGE: Final = f"A filter can have at most {MAX_FILTER_NODES} conditions and values: split the search."


def check_size(where: Filter) -> None:
    """Check that the filter is small enough to be compiled and evaluated; a value of a list counts as a node.

    Raises:
        InvalidInput: it has too many levels or nodes.
    """
    nodes = 0
    level: list[Filter] = [where]
    # Level by level: recursion into a deep filter would exhaust the stack.
    for _ in range(MAX_FILTER_LEVELS):
        nodes += len(level) + sum(map(_value_count, level))
        if nodes > MAX_FILTER_NODES:
            raise InvalidInput(_TOO_LARGE)
        level = [part for node in level for part in _parts(node)]
        if not level:
            return
    raise InvalidInput(_TOO_DEEP)


def _value_count(node: Filter) -> int:
    return len(node.value) if isinstance(node, Compare) and isinstance(node.value, tuple) else 0


def _parts(node: Filter) -> tuple[Filter, ...]:
    match node:
        case AllOf(parts) | AnyOf(parts):
            return parts
        case Not(part):
            return (part,)
        case AnyElement(_, condition) | ElementAt(_, _, condition):
            return (condition,)
        case _:
            return ()
