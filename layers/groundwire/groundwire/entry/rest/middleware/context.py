"""Context of an admitted call, as the routes get it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final, Unpack, cast

from fastapi import Depends, Request

if TYPE_CHECKING:
    from starlette.types import Scope

    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.call_context import CallContext
    from groundwire.wiring import ApiServices

_SCOPE_KEY: Final = "groundwire.work"


@dataclass(slots=True)
class RestContext:
    """The call and the services of one request.

    Attributes:
        route: method and path of the route, as in the table of scopes; for the audit record.
    """

    call: "CallContext"
    services: "ApiServices"
    route: str | None = field(default=None)

    @property
    def caller(self) -> "Caller":
        """The caller, whose rights apply."""
        return self.call.caller

    @property
    def tenant(self) -> str:
        """The key's tenant; no request can name another."""
        return self.call.caller.principal.tenant

    def note(self, **facts: "Unpack[AuditFacts]") -> None:
        """Add facts to the audit record."""
        self.call.audit_fields.update(facts)


def with_context(scope: "Scope", context: RestContext) -> "Scope":
    """Return the scope with the context for the routes."""
    return {**scope, _SCOPE_KEY: context}


def context_of(request: Request) -> RestContext:
    """Return the request's context.

    Raises:
        KeyError: the request was not admitted.
    """
    return cast("RestContext", request.scope[_SCOPE_KEY])


CurrentContext = Annotated[RestContext, Depends(context_of)]
"""Parameter type by which a route gets the context."""
