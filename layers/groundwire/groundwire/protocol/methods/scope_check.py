"""Which parts of the protocol a caller's scopes open."""

from collections.abc import Callable
from typing import Generic

from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode


class ScopeCheck(Generic[CallerT]):
    """The scope decision.

    Args:
        missing_scope: the scope that the caller lacks for a tool or a method, None when it may go on.
    """

    def __init__(self, missing_scope: Callable[[CallerT, str], str | None]) -> None:
        self._missing_scope = missing_scope

    def is_allowed(self, caller: CallerT, operation: str) -> bool:
        """Whether the caller may go on."""
        return self._missing_scope(caller, operation) is None

    def require(self, caller: CallerT, operation: str, tool: str | None = None) -> None:
        """Raises Refusal, with a challenge that names the scope; `tool` is for its record."""
        scope = self._missing_scope(caller, operation)
        if scope is None:
            return
        raise ProtocolError(
            ResultCode.MISSING_SCOPE,
            f"Forbidden: this key lacks the scope `{scope}`.",
            data={"scope": scope},
            headers={"www-authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            tool=tool,
        )
