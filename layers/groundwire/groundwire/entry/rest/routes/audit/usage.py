"""Counts of the calls of a tenant by month, from the audit log."""

from typing import Final

from fastapi import APIRouter
from pydantic import Field

from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.audit.trail import readable_trail
from groundwire.entry.rest.schema import ResponseModel

router: Final = APIRouter(prefix="/v1/usage", tags=["audit"], route_class=ScopedRoute)


class MonthRecord(ResponseModel):
    """Counts of the calls of one month."""

    month: str = Field(description="In UTC.", examples=["2026-11"])
    calls: dict[str, int] = Field(
        description="Number of admitted calls by tool, method or route; rare names are counted as `other`."
    )
    refused: int = Field(description="Number of calls that were not admitted.")
    passages: int = Field(description="Number of passages in answers.")
    originals: int = Field(description="Number of stored files that were opened.")


class UsageAnswer(ResponseModel):
    """Counts of the present audit log by month, the latest first."""

    months: list[MonthRecord]
    complete: bool = Field(description="False while some lines do not count yet: call again until it is true.")


@router.get("", response_model=UsageAnswer)
async def usage(context: CurrentContext) -> dict[str, object]:
    """Count the calls of the tenant by month."""
    # Counts of the log alone: an operator may have moved older lines away, and nothing is kept beside it.
    found = readable_trail(context).usage(context.tenant)
    return {"months": [month._asdict() for month in found.months], "complete": found.is_complete}
