"""Scope check of a caller for a tool or a method."""

from collections.abc import Callable
from typing import Generic

from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode


class ScopeCheck(Generic[CallerT]):
    """Check of scopes for one server.

    Args:
        missing_scope: returns the scope that the caller lacks for a tool or a method; None when the call is allowed.
    """

    def __init__(self, missing_scope: Callable[[CallerT, str], str | None]) -> None:
        self._missing_scope = missing_scope

    def is_allowed(self, caller: CallerT, operation: str) -> bool:
        """Return whether the caller has the scope for the operation."""
        return self._missing_scope(caller, operation) is None

    def require(self, caller: CallerT, operation: str, tool: str | None = None) -> None:
        """Check that the caller has the scope for the operation.

        Args:
            caller: the caller of the request.
            operation: the name of a tool or a method.
            tool: the called tool, for the audit record.

        Raises:
            ProtocolError: the scope is missing; a challenge names it.
        """
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
