"""Pagination with sealed cursors: a cursor holds the next page's position, for one list and one owner."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from groundwire_mcp.continuation import ContinuationForm, UnknownContinuation
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.messages import invalid_params
from groundwire_mcp.limits import LIST_PAGE_ITEMS
from groundwire_mcp.request_context import RequestContext

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDependencies

_CURSOR: Final = ContinuationForm(purpose="cursor", lifetime_seconds=None, member_names=None, least_bytes=0)
ItemT = TypeVar("ItemT")


class Paginator(Generic[CallerT]):
    """Sealing, checking and applying of cursors, each bound to tenant, key, user and method."""

    def __init__(self, dependencies: "ServerDependencies[CallerT]") -> None:
        self._dependencies = dependencies

    def start_position(self, context: RequestContext[CallerT]) -> str | None:
        """Return the position in the request's cursor; None for the start of the list.

        Raises:
            ProtocolError: the cursor is malformed, or of another list or owner.
        """
        cursor = context.params.get("cursor")
        if cursor is None:
            return None
        sealer, now = self._dependencies.sealer(), self._dependencies.clock()
        try:
            return _CURSOR.open(sealer, now, self._binding(context), cursor)
        except UnknownContinuation:
            raise invalid_params("unknown cursor; request the first page without one") from None

    def next_cursor(self, context: RequestContext[CallerT], position: str) -> str:
        """Return the cursor for the page that begins at `position`."""
        sealer, now = self._dependencies.sealer(), self._dependencies.clock()
        return _CURSOR.seal(sealer, now, self._binding(context), position)

    def page(self, context: RequestContext[CallerT], items: Sequence[ItemT], member: str) -> dict[str, object]:
        """Return a result whose `member` holds one page of `items`.

        Raises:
            ProtocolError: the cursor is malformed, or of another list or owner.
        """
        # The seal guarantees a number: no client can write a position itself.
        start = int(self.start_position(context) or 0)
        end = start + LIST_PAGE_ITEMS
        more = {"nextCursor": self.next_cursor(context, str(end))} if end < len(items) else {}
        return {member: items[start:end], **more}

    def _binding(self, context: RequestContext[CallerT]) -> list[str | None]:
        # Rights are not bound, unlike in a request state: each page is made with the rights of the call that requests
        # it.
        return [*self._dependencies.session_owner(context.caller), context.request.method]
