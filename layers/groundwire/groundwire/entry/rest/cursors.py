"""Cursors of lists: sealed, and good for one list of one caller only."""

import json
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain.errors import Invalid

if TYPE_CHECKING:
    from groundwire.entry.rest.work import Work

_PURPOSE: Final = "v1-cursor"


def following(work: "Work", asked: str, position: str) -> str:
    """The cursor that goes on behind `position` of the list that `asked` names.

    Wire format, inside the seal: the JSON array `[tenant, kid, user, tags, asked, position]`.
    """
    payload = json.dumps([*_bound(work, asked), position], ensure_ascii=False).encode()
    return work.services.seal.seal(_PURPOSE, payload)


def position_of(work: "Work", asked: str, cursor: str | None) -> str | None:
    """Behind which position the cursor goes on; None without one: from the begin.

    Raises:
        Invalid: it was not made here, or not for this list and this caller.
    """
    if cursor is None:
        return None
    payload = work.services.seal.unseal(_PURPOSE, cursor)
    if payload is not None:
        *bound, position = cast("list[object]", json.loads(payload))
        if bound == _bound(work, asked):
            return str(position)
    raise Invalid("Unknown cursor in `after`: ask for the first page without one.")


def _bound(work: "Work", asked: str) -> list[object]:
    principal = work.caller.principal
    return [principal.tenant, work.caller.kid, principal.user, sorted(principal.tags), asked]
