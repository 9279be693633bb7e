"""Cursors of lists: sealed, and good for one list of one caller only."""

import json
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from groundwire.entry.rest.middleware.context import RestContext

_PURPOSE: Final = "v1-cursor"


def next_cursor(context: "RestContext", list_name: str, position: str) -> str:
    """The cursor that goes on behind `position` of the list that `list_name` names.

    Wire format, inside the seal: the JSON array `[tenant, kid, user, tags, asked, position]`.
    """
    payload = json.dumps([*_binding(context, list_name), position], ensure_ascii=False).encode()
    return context.services.seal.seal(_PURPOSE, payload)


def position_of(context: "RestContext", list_name: str, cursor: str | None) -> str | None:
    """Behind which position the cursor goes on; None without one: from the begin.

    Raises:
        Invalid: it was not made here, or not for this list and this caller.
    """
    if cursor is None:
        return None
    payload = context.services.seal.unseal(_PURPOSE, cursor)
    if payload is not None:
        *bound, position = cast("list[object]", json.loads(payload))
        if bound == _binding(context, list_name):
            return str(position)
    raise InvalidInput("Unknown cursor in `after`: ask for the first page without one.")


def _binding(context: "RestContext", list_name: str) -> list[object]:
    principal = context.caller.principal
    return [principal.tenant, context.caller.kid, principal.user, sorted(principal.tags), list_name]
