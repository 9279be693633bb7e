"""Sealed cursors of lists, each bound to tenant, key, user, tags and one list."""

from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Query

from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_ROWS_PAGE
from groundwire.entry.operator.action_result import rows_of_answer
from groundwire_mcp.continuation import ContinuationForm, UnknownContinuation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.entry.rest.middleware.context import RestContext
    from groundwire_mcp.continuation import Binding

After = Annotated[str | None, Query(description="Value of `next` of the page before.")]
PageSize = Annotated[int, Query(ge=1, le=MAX_ROWS_PAGE)]

_CURSOR: Final = ContinuationForm(purpose="v1-cursor", lifetime_seconds=None, member_names=None, least_bytes=0)
"""Form of a cursor.

It does not expire: a client may take days for a long list, and the rights are checked at each page.
"""


def next_cursor(context: "RestContext", list_name: str, position: str) -> str:
    """Return the cursor for the page after `position`, an id, of this list.

    All cursors of a list have the same length: the position may be the id of a closed document.
    """
    services = context.services
    padded = position.ljust(MAX_ID_CHARACTERS)
    return _CURSOR.seal(services.stores.seal, services.clock(), _binding(context, list_name), padded)


def position_of(context: "RestContext", list_name: str, cursor: str | None) -> str | None:
    """Return the position after which the cursor's page begins; None without a cursor.

    Raises:
        InvalidInput: the cursor is malformed, or of another list or caller.
    """
    if cursor is None:
        return None
    services = context.services
    try:
        position = _CURSOR.open(services.stores.seal, services.clock(), _binding(context, list_name), cursor)
    except UnknownContinuation:
        raise InvalidInput("Unknown cursor in `after`: request the first page without one.") from None
    return None if position is None else position.rstrip()


def page_answer(
    context: "RestContext", list_name: str, rows: "Sequence[tuple[str, Mapping[str, object]]]", limit: int, member: str
) -> dict[str, object]:
    """Return the first of the rows as `member`, and as `next` the cursor of the others.

    Args:
        context: the call.
        list_name: name of the list, which its cursors fit alone.
        rows: rows after the position of the call, each with its own position.
        limit: most rows of the page; fewer if they would be too large for one answer.
        member: name of the rows in the answer.
    """
    page = rows_of_answer(row for _, row in rows[:limit]).rows
    has_more = len(page) < len(rows)
    return {member: page, "next": next_cursor(context, list_name, rows[len(page) - 1][0]) if has_more else None}


def _binding(context: "RestContext", list_name: str) -> "Binding":
    principal = context.caller.principal
    return [principal.tenant, context.caller.kid, principal.user, sorted(principal.tags), list_name]
