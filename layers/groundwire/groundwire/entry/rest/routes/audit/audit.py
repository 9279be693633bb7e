"""Lines of the audit log."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from groundwire.domain.audit.selection import AuditSelection, parse_moment
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.audit.export import ExportType, accepted_type, export
from groundwire.entry.rest.routes.audit.rows import AuditList, AuditQuery, AuditVerification
from groundwire.entry.rest.routes.audit.trail import readable_trail
from groundwire.entry.rest.routes.cursors import next_cursor, position_of
from groundwire.entry.rest.schema import declared_errors
from groundwire.entry.serialization.audit_rows import audit_row_to_json

router: Final = APIRouter(prefix="/v1/audit", tags=["audit"], route_class=ScopedRoute)

NEXT_HEADER: Final = "x-next-after"
"""Header of an export with the value of `after` for the next part."""
_LIST: Final = "audit"
_CHAIN: Final = "audit chain"
_EXPORTS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "A part of the lines, in the media type that `Accept` names; the default is JSON. An export has "
        f"the value of `next` in the header `{NEXT_HEADER}`.",
        "content": {form.value: {"schema": {"type": "string"}} for form in ExportType},
    }
}


@router.get("", response_model=AuditList, responses=_EXPORTS)
async def list_audit(
    request: Request,
    context: CurrentContext,
    query: Annotated[AuditQuery, Query()],
) -> object:
    """List the lines of the audit log, the latest first; a part can be short or empty and still have a `next`."""
    trail = readable_trail(context)
    # The log states about whom somebody asked.
    if query.user is not None:
        context.note(entry=query.user)
    if query.kid is not None:
        context.note(key=query.kid)
    page = trail.page(context.tenant, _selection(context, query), position_of(context, _LIST, query.after), query.limit)
    rows = [audit_row_to_json(line) for line in page.lines]
    following = None if page.next_after is None else next_cursor(context, _LIST, page.next_after)
    form = accepted_type(request.headers.get("accept", ""))
    if form is None:
        return {"rows": rows, "next": following, "complete": page.is_complete}
    headers = {} if following is None else {NEXT_HEADER: following}
    return Response(export(rows, form), headers=headers, media_type=form.value)


@router.get("/verify", response_model=AuditVerification, responses=declared_errors(404))
async def verify_audit(
    context: CurrentContext,
    after: Annotated[str | None, Query(description="Value of `next` of the part before.")] = None,
) -> dict[str, object]:
    """Verify the chain of the audit log, part by part from its first line on."""
    part = readable_trail(context).verify_part(context.tenant, position_of(context, _CHAIN, after))
    return {
        "intact": part.problem is None,
        "lines": part.lines,
        "problem": part.problem,
        "next": None if part.next_after is None else next_cursor(context, _CHAIN, part.next_after),
    }


def _selection(context: RestContext, query: AuditQuery) -> AuditSelection:
    now = context.services.clock()
    since, until = (None if each is None else parse_moment(each, now) for each in (query.since, query.until))
    return AuditSelection(query.kid, query.document, query.user, query.call, query.outcome, since, until)
