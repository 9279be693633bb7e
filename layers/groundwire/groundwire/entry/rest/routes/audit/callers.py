"""People and agents that called lately, from the audit log."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.audit.selection import since_selection
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.audit.trail import readable_trail
from groundwire.entry.rest.routes.cursors import next_cursor, position_of
from groundwire.entry.rest.schema import ResponseModel, Timestamp
from groundwire.entry.serialization.tags import seen_callers_to_json
from groundwire.services.documents.tags.view import caller_view

router: Final = APIRouter(prefix="/v1/audit/callers", tags=["audit"], route_class=ScopedRoute)

_LIST: Final = "audit callers"


class CallerRecord(ResponseModel):
    """Calls of one user with one key and one set of tags."""

    user: str | None = Field(description="User of the calls; null: they had tags alone.")
    user_by: Literal["token"] | None = Field(description="`token`: an access token named the user.")
    kid: str = Field(description="Id of the key.")
    tags: list[str] | None = Field(description="Tags of the calls; null: they are no longer in use.")
    tags_hash: str = Field(description="The same for calls with the same tags, as in `GET /v1/audit`.")
    calls: int = Field(description="Number of calls in this part of the log.")
    last_call: Timestamp


class CallerList(ResponseModel):
    """Callers in a part of the log, the latest first."""

    callers: list[CallerRecord]
    next: str | None = Field(
        description="Value of `after` for the next part, which can repeat callers; null: there are no more."
    )


@router.get("", response_model=CallerList)
async def list_callers(
    context: CurrentContext,
    since: Annotated[str, Query(max_length=32, description="First time, as of `GET /v1/audit`.")] = "30d",
    after: Annotated[str | None, Query(description="Value of `next` of the part before.")] = None,
) -> dict[str, object]:
    """List who called lately, each user with the key and the tags of the calls."""
    read = context.services.administration.tags.seen_callers(readable_trail(context))
    selection = since_selection(since, context.services.clock())
    found = read(caller_view(context.caller), selection, position_of(context, _LIST, after))
    # Parts instead of one answer: a query over a stack's log takes seconds, and a call has 30.
    following = None if found.next_after is None else next_cursor(context, _LIST, found.next_after)
    return {"callers": seen_callers_to_json(found), "next": following}
