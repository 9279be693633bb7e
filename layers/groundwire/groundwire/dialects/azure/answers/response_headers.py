"""Headers of every answer: the protocol's version, ids of the call and its time."""

import re
from collections.abc import Mapping
from typing import Final

_CLIENT_ID: Final = "x-ms-client-request-id"
# A header of the answer must not repeat line ends or long texts of a caller.
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9-]{1,64}")


def response_headers(sent: Mapping[str, str], elapsed_ms: int | None = None) -> dict[str, str]:
    """Return the headers of an answer.

    A client's id of the call is repeated where it is plain, and is the id of the call; else the call gets one.

    Args:
        sent: headers of the request, by lower-case name.
        elapsed_ms: time for the answer; None: nobody measured it.
    """
    client_id = sent.get(_CLIENT_ID, "")
    elapsed = {} if elapsed_ms is None else {"elapsed-time": str(elapsed_ms)}
    if _PLAIN_ID.fullmatch(client_id) is None:
        return {"odata-version": "4.0", "request-id": _new_id(), **elapsed}
    ids = dict.fromkeys(("request-id", "client-request-id", _CLIENT_ID), client_id)
    return {"odata-version": "4.0", **ids, **elapsed}


def _new_id() -> str:
    # Clients name their calls: most answers need no module for ids.
    from uuid import uuid4

    return str(uuid4())
