"""Completion of prompt arguments and of the variables in a resource template."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from groundwire_mcp.definitions.tools import CallerT


class CompletionResult(NamedTuple):
    """Proposed values for an argument or a variable.

    Attributes:
        values: best first; the server sends the first 100.
        total: number of all values; None when it is unknown.
        has_more: whether there are values beside `values`.
    """

    values: tuple[str, ...]
    total: int | None = None
    has_more: bool = False


Completer: TypeAlias = Callable[[CallerT, str, Mapping[str, str]], CompletionResult]
"""Maps caller, typed prefix and the other known arguments to values that the caller may know of."""
