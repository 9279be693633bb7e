"""An answer with the notifications that precede it: `text/event-stream`, buffered whole.

Wire format: Streamable HTTP; one event per JSON-RPC message, the response last.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from groundwire.protocol.http import HttpResponse
from groundwire.protocol.json_edge import encode

_HEADERS: Final = {"content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no"}


def event_response(messages: Iterable[Mapping[str, object]], headers: Mapping[str, str]) -> HttpResponse:
    """The messages as events; compact JSON holds no line break, so each is one line of data."""
    events = (b"event: message\ndata: " + encode(message) + b"\n\n" for message in messages)
    return HttpResponse(200, {**_HEADERS, **headers}, b"".join(events))
