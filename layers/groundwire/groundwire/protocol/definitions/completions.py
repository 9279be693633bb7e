"""Completion of prompt arguments and of the variables in a resource template."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from groundwire.protocol.definitions.tools import CallerT


class CompletionResult(NamedTuple):
    """What a value may become.

    Attributes:
        values: best first; more than 100 are cut before they are sent.
        total: how many there are in all; None where that is not known.
        has_more: whether there are others beside `values`.
    """

    values: tuple[str, ...]
    total: int | None = None
    has_more: bool = False


Completer: TypeAlias = Callable[[CallerT, str, Mapping[str, str]], CompletionResult]
"""Caller, what was typed so far, and the other arguments that are known, to what the caller may know of."""
