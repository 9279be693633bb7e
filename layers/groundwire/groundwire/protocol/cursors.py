"""Lists in pages: a cursor says where the next page begins, and is good for one list of one owner only."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from groundwire.domain.limits import LIST_PAGE_ITEMS
from groundwire.protocol.asked import Asked
from groundwire.protocol.json_edge import decode, encode
from groundwire.protocol.params import invalid
from groundwire.protocol.tools import CallerT

if TYPE_CHECKING:
    from groundwire.protocol.offer import Rules

_PURPOSE: Final = "cursor"
ItemT = TypeVar("ItemT")


class Cursors(Generic[CallerT]):
    """Seals and opens cursors.

    Wire format, inside the seal: the JSON array `[tenant, kid, user, method, position]`.
    """

    def __init__(self, rules: "Rules[CallerT]") -> None:
        self._rules = rules

    def start(self, asked: Asked[CallerT]) -> str | None:
        """The position that the request's cursor stands for; None for the list's begin; Raises Refusal."""
        cursor = asked.params.get("cursor")
        if cursor is None:
            return None
        payload = self._rules.seal.unseal(_PURPOSE, cursor) if isinstance(cursor, str) else None
        if payload is not None:
            *bound, position = cast("list[str]", decode(payload))
            if bound == self._bound(asked):
                return position
        raise invalid("unknown cursor; ask for the first page without one")

    def following(self, asked: Asked[CallerT], position: str) -> str:
        """The cursor of the page that begins there."""
        return self._rules.seal.seal(_PURPOSE, encode([*self._bound(asked), position]))

    def page(self, asked: Asked[CallerT], items: Sequence[ItemT], member: str) -> dict[str, object]:
        """A result whose `member` holds one page of `items`; Raises Refusal."""
        begin = int(self.start(asked) or 0)
        end = begin + LIST_PAGE_ITEMS
        more = {"nextCursor": self.following(asked, str(end))} if end < len(items) else {}
        return {member: items[begin:end], **more}

    def _bound(self, asked: Asked[CallerT]) -> list[str | None]:
        return [*self._rules.owner(asked.caller), asked.request.method]
