"""Sealed cursors of lists, each valid for one list and one caller."""

import json
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from groundwire.entry.rest.middleware.context import RestContext

_PURPOSE: Final = "v1-cursor"


def next_cursor(context: "RestContext", list_name: str, position: str) -> str:
    """Return the cursor for the page after `position` of this list.

    Wire format, inside the seal: the JSON array `[tenant, kid, user, tags, list_name, position]`.
    """
    payload = json.dumps([*_binding(context, list_name), position], ensure_ascii=False).encode()
    return context.services.seal.seal(_PURPOSE, payload)


def position_of(context: "RestContext", list_name: str, cursor: str | None) -> str | None:
    """Return the position after which the cursor's page begins; None without a cursor.

    Raises:
        InvalidInput: the cursor is malformed, or of another list or caller.
    """
    if cursor is None:
        return None
    payload = context.services.seal.unseal(_PURPOSE, cursor)
    if payload is not None:
        *binding, position = cast("list[object]", json.loads(payload))
        if binding == _binding(context, list_name):
            return str(position)
    raise InvalidInput("Unknown cursor in `after`: ask for the first page without one.")


def _binding(context: "RestContext", list_name: str) -> list[object]:
    principal = context.caller.principal
    return [principal.tenant, context.caller.kid, principal.user, sorted(principal.tags), list_name]
