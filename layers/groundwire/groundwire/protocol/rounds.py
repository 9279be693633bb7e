"""Calls that ask back: what the client is asked for, and how the call is taken up again with its answers.

Nothing is kept here in between: what the server must know travels with the client, sealed.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Generic, TypedDict, cast

from groundwire.domain.limits import REQUEST_STATE_SECONDS
from groundwire.protocol.asked import Asked
from groundwire.protocol.client_capabilities import undeclared
from groundwire.protocol.json_edge import JsonObject, decode, encode
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.params import invalid
from groundwire.protocol.tools import CallerT, FaultKind, ToolFault
from groundwire.protocol.turn import InputRequest, InputRequired, Turn
from groundwire.protocol.versions import STATELESS_VERSIONS

if TYPE_CHECKING:
    from groundwire.protocol.offer import Rules

_PURPOSE: Final = "request-state"


class _Payload(TypedDict):
    """What is inside the seal, as JSON.

    Attributes:
        call: tenant, kid, user, method, name, digest of rights and arguments.
        expires: epoch seconds.
        state: the bytes as the characters of the same numbers.
    """

    call: list[str | None]
    expires: float
    state: str | None


class Rounds(Generic[CallerT]):
    """The rounds of a call."""

    def __init__(self, rules: "Rules[CallerT]") -> None:
        self._rules = rules

    def turn(self, asked: Asked[CallerT], name: str) -> Turn:
        """The call of `name`, with what an earlier round left for this one; Raises Refusal."""
        if not asked.is_stateless:
            return asked.turn({}, None)
        responses = asked.params.get("inputResponses", {})
        if not isinstance(responses, dict) or not all(isinstance(each, dict) for each in responses.values()):
            raise invalid("`inputResponses` must be an object of objects")
        sealed = asked.params.get("requestState")
        return asked.turn(responses, None if sealed is None else self._open(asked, name, sealed))

    def pause(self, asked: Asked[CallerT], name: str, required: InputRequired) -> dict[str, object]:
        """What the client is asked, as MCP's `InputRequiredResult` without its type.

        Raises:
            ToolFault: the client's revision has no such results.
            Refusal: the client did not declare that it can answer this.
        """
        if not asked.is_stateless:
            needed = (
                f"This call has to ask you something, which needs a client of MCP {STATELESS_VERSIONS[0]} or later."
            )
            raise ToolFault(FaultKind.FAILURE, needed)
        missing = undeclared(required.requests.values(), asked.capabilities)
        if missing:
            message = f"This call needs a client that declares {' and '.join(missing)}."
            raise Refusal(Outcome.MISSING_CAPABILITY, message, data={"requiredCapabilities": missing})
        requests = {key: _wire(request) for key, request in required.requests.items()}
        return {
            **({"inputRequests": requests} if requests else {}),
            "requestState": self._seal(asked, name, required.state),
        }

    def _seal(self, asked: Asked[CallerT], name: str, state: bytes | None) -> str:
        expires = self._rules.clock() + REQUEST_STATE_SECONDS
        kept = None if state is None else state.decode("latin-1")
        payload: _Payload = {"call": self._bound(asked, name), "expires": expires, "state": kept}
        return self._rules.seal.seal(_PURPOSE, encode(payload))

    def _open(self, asked: Asked[CallerT], name: str, sealed: object) -> bytes | None:
        payload = self._rules.seal.unseal(_PURPOSE, sealed) if isinstance(sealed, str) else None
        if payload is not None:
            opened = cast("_Payload", decode(payload))
            if opened["call"] == self._bound(asked, name) and self._rules.clock() < opened["expires"]:
                return None if opened["state"] is None else opened["state"].encode("latin-1")
        raise invalid("`requestState` is not of this call, or has expired; call again without it")

    def _bound(self, asked: Asked[CallerT], name: str) -> list[str | None]:
        digest = _digest(sorted(self._rules.rights(asked.caller)), asked.params)
        return [*self._rules.owner(asked.caller), asked.request.method, name, digest]


def _digest(rights: list[str], params: JsonObject) -> str:
    from hashlib import sha256

    return sha256(json.dumps([rights, params.get("arguments", {})], sort_keys=True).encode()).hexdigest()


def _wire(request: InputRequest) -> Mapping[str, object]:
    return {"method": request.method, "params": request.params}
