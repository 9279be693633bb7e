"""A call that was admitted, as the routes get it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final, cast

from fastapi import Depends, Request

if TYPE_CHECKING:
    from starlette.types import Scope

    from groundwire.domain.caller import Caller
    from groundwire.services.call import Call
    from groundwire.wiring import CareServices

_MEMBER: Final = "groundwire.work"


@dataclass(slots=True)
class Work:
    """What a route needs to answer: whose call it is, and who does it.

    Attributes:
        route: method and path of the route that answers, as the table of scopes has it; for the audit line.
    """

    call: "Call"
    services: "CareServices"
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
        self.call.facts.update(facts)


def put(scope: "Scope", work: Work) -> "Scope":
    """The scope for the routes."""
    return {**scope, _MEMBER: work}


def work_of(request: Request) -> Work:
    """What the guard put there; a request without it was not let in, and breaks."""
    return cast("Work", request.scope[_MEMBER])


Asked = Annotated[Work, Depends(work_of)]
"""The parameter by which a route gets it."""
