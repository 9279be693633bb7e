"""Which parts of the protocol a caller's scopes open."""

from collections.abc import Callable
from typing import Generic

from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.tools import CallerT


class Gate(Generic[CallerT]):
    """The scope decision.

    Args:
        missing: the scope that the caller lacks for a tool or a method, None when it may go on.
    """

    def __init__(self, missing: Callable[[CallerT, str], str | None]) -> None:
        self._missing = missing

    def is_open(self, caller: CallerT, what: str) -> bool:
        """Whether the caller may go on."""
        return self._missing(caller, what) is None

    def check(self, caller: CallerT, what: str, tool: str | None = None) -> None:
        """Raises Refusal, with a challenge that names the scope; `tool` is for its record."""
        scope = self._missing(caller, what)
        if scope is None:
            return
        raise Refusal(
            Outcome.MISSING_SCOPE,
            f"Forbidden: this key lacks the scope `{scope}`.",
            data={"scope": scope},
            headers={"www-authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            tool=tool,
        )
