"""Lists in pages: a cursor says where the next page begins, and is good for one list of one owner only."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from groundwire.domain.limits import LIST_PAGE_ITEMS
from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.json_codec import decode, encode
from groundwire.protocol.jsonrpc.params import invalid_params
from groundwire.protocol.request_context import RequestContext

if TYPE_CHECKING:
    from groundwire.protocol.definitions.server import ServerDependencies

_PURPOSE: Final = "cursor"
ItemT = TypeVar("ItemT")


class Paginator(Generic[CallerT]):
    """Seals and opens cursors.

    Wire format, inside the seal: the JSON array `[tenant, kid, user, method, position]`.
    """

    def __init__(self, dependencies: "ServerDependencies[CallerT]") -> None:
        self._dependencies = dependencies

    def start_position(self, context: RequestContext[CallerT]) -> str | None:
        """The position that the request's cursor stands for; None for the list's begin; Raises Refusal."""
        cursor = context.params.get("cursor")
        if cursor is None:
            return None
        payload = self._dependencies.seal.unseal(_PURPOSE, cursor) if isinstance(cursor, str) else None
        if payload is not None:
            *bound, position = cast("list[str]", decode(payload))
            if bound == self._binding(context):
                return position
        raise invalid_params("unknown cursor; ask for the first page without one")

    def next_cursor(self, context: RequestContext[CallerT], position: str) -> str:
        """The cursor of the page that begins there."""
        return self._dependencies.seal.seal(_PURPOSE, encode([*self._binding(context), position]))

    def page(self, context: RequestContext[CallerT], items: Sequence[ItemT], member: str) -> dict[str, object]:
        """A result whose `member` holds one page of `items`; Raises Refusal."""
        begin = int(self.start_position(context) or 0)
        end = begin + LIST_PAGE_ITEMS
        more = {"nextCursor": self.next_cursor(context, str(end))} if end < len(items) else {}
        return {member: items[begin:end], **more}

    def _binding(self, context: RequestContext[CallerT]) -> list[str | None]:
        return [*self._dependencies.session_owner(context.caller), context.request.method]
