"""A call that was admitted, as the routes get it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final, cast

from fastapi import Depends, Request

if TYPE_CHECKING:
    from starlette.types import Scope

    from groundwire.domain.keys.caller import Caller
    from groundwire.services.call_context import CallContext
    from groundwire.wiring import AdminServices

_SCOPE_KEY: Final = "groundwire.work"


@dataclass(slots=True)
class RestContext:
    """What a route needs to answer: whose call it is, and who does it.

    Attributes:
        route: method and path of the route that answers, as the table of scopes has it; for the audit line.
    """

    call: "CallContext"
    services: "AdminServices"
    route: str | None = field(default=None)

    @property
    def caller(self) -> "Caller":
        """Whose rights count."""
        return self.call.caller

    @property
    def tenant(self) -> str:
        """The key's own; no request ever names another."""
        return self.call.caller.principal.tenant

    def note(self, **facts: object) -> None:
        """The audit line says so, too."""
        self.call.audit_fields.update(facts)


def with_context(scope: "Scope", context: RestContext) -> "Scope":
    """The scope for the routes."""
    return {**scope, _SCOPE_KEY: context}


def context_of(request: Request) -> RestContext:
    """What the guard put there; a request without it was not let in, and breaks."""
    return cast("RestContext", request.scope[_SCOPE_KEY])


CurrentContext = Annotated[RestContext, Depends(context_of)]
"""The parameter by which a route gets it."""
