"""Scope check of a caller for a tool or a method."""

from collections.abc import Callable
from typing import Generic

from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import CONTRACT_FORBIDDEN_CODE, ProtocolError, ResultCode
from groundwire_mcp.request_context import RequestContext


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

    def require(
        self,
        context: RequestContext[CallerT],
        operation: str,
        tool: str | None = None,
        *,
        is_contract: Callable[[], bool] = lambda: False,
    ) -> None:
        """Check that the caller has the scope for the operation.

        Args:
            context: the request.
            operation: the name of a tool or a method.
            tool: the called tool, for the audit record.
            is_contract: returns whether a tool's contract applies to the request.

        Raises:
            ProtocolError: the scope is missing; a challenge names it.
        """
        scope = self._missing_scope(context.http.caller, operation)
        if scope is None:
            return
        raise ProtocolError(
            ResultCode.MISSING_SCOPE,
            f"Forbidden: this key lacks the scope `{scope}`.",
            data={"scope": scope},
            # RFC 6750 §3.1: the challenge names the scope, so that a client can request it from the issuer.
            headers={"www-authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            tool=tool,
            code=CONTRACT_FORBIDDEN_CODE if is_contract() or not context.has_mcp_marker else None,
        )
