"""2026-07-28: every request stands alone, and says in `_meta` whatever its answer depends on."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic, cast

from groundwire.protocol.asked import Asked, Reply, Visit
from groundwire.protocol.envelope import check_envelope
from groundwire.protocol.features import Features
from groundwire.protocol.jsonrpc import ClientResponse, Notification, Request
from groundwire.protocol.notifications import check_notification
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.tools import CallerT
from groundwire.protocol.turn import log_level
from groundwire.protocol.versions import (
    CLIENT_CAPABILITIES_KEY,
    LOG_LEVEL_KEY,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire.protocol.json_edge import JsonObject
    from groundwire.protocol.offer import Offer

_FIVE_MINUTES_MS: Final = 300_000
_OF_A_KEY: Final = {"ttlMs": _FIVE_MINUTES_MS, "cacheScope": "private"}
"""Depends on the key's toolset and scopes; five minutes is how long a change of theirs may go unnoticed."""
_OF_A_MOMENT: Final = {"ttlMs": 0, "cacheScope": "private"}
"""Depends on documents and on who may read them, which ends from one moment to the next."""
_CACHE_HINTS: Final[Mapping[str, Mapping[str, object]]] = {
    # The same for every caller, and it changes with a deployment only.
    "server/discover": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "tools/list": _OF_A_KEY,
    "prompts/list": _OF_A_KEY,
    "resources/templates/list": _OF_A_KEY,
    "resources/list": _OF_A_MOMENT,
    "resources/read": _OF_A_MOMENT,
}


class StatelessEra(Generic[CallerT]):
    """The revisions without a handshake."""

    def __init__(self, offer: "Offer[CallerT]", features: Features[CallerT]) -> None:
        self._signature = {SERVER_INFO_KEY: offer.info.implementation(STATELESS_VERSIONS[0])}
        self._discovered = {
            "supportedVersions": SUPPORTED_VERSIONS,
            "capabilities": features.capabilities,
            "instructions": offer.info.instructions,
        }
        self._methods: Mapping[str, Callable[[Asked[CallerT]], Reply]] = {
            **features.methods,
            "server/discover": lambda _asked: Reply(self._discovered),
        }

    def answer(self, request: Request, visit: Visit[CallerT], notifications: list[Mapping[str, object]]) -> Reply:
        """The reply, with what precedes it put into `notifications`; Raises Refusal."""
        check_envelope(request, visit.headers)
        method = self._methods.get(request.method)
        if method is None:
            raise Refusal(Outcome.REMOVED_METHOD, "Method not found.")
        capabilities = cast("JsonObject", request.meta[CLIENT_CAPABILITIES_KEY])
        level = log_level(request.meta.get(LOG_LEVEL_KEY))
        reply = method(Asked(request, visit, STATELESS_VERSIONS[0], capabilities, level, notifications))
        return reply._replace(result={**reply.result, **self._marks(request.method, reply)})

    def _marks(self, method: str, reply: Reply) -> dict[str, object]:
        """What every result of this revision carries."""
        is_open = reply.outcome is Outcome.INPUT_REQUIRED
        result_type = "input_required" if is_open else "complete"
        own = cast("Mapping[str, object]", reply.result.get("_meta", {}))
        return {"resultType": result_type, **_CACHE_HINTS.get(method, {}), "_meta": {**own, **self._signature}}

    def accept(self, message: Notification | ClientResponse, visit: Visit[CallerT]) -> None:
        """Raises Refusal for a response (the server never asks) and for a version that is not served."""
        if isinstance(message, ClientResponse):
            raise Refusal(Outcome.INVALID_REQUEST, "Invalid request: this server sends no requests to respond to.")
        if visit.headers[VERSION_HEADER].strip(" \t") not in STATELESS_VERSIONS:
            raise Refusal(Outcome.INVALID_REQUEST, f"Invalid request: {VERSION_HEADER} names no version served here.")
        check_notification(message)
