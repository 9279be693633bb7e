"""Calls in several round trips: requests for client input, and sealed state for the next call.

The server stores nothing between the calls: the client carries the sealed state.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Generic, cast

from groundwire_mcp.continuation import ContinuationForm, UnknownContinuation
from groundwire_mcp.definitions.tools import CallerT, ToolError, ToolErrorKind
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.jsonrpc.messages import invalid_params
from groundwire_mcp.limits import REQUEST_STATE_SECONDS
from groundwire_mcp.request_context import RequestContext
from groundwire_mcp.versions import STATELESS_VERSIONS

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDependencies
    from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext


def missing_capabilities(requests: "Iterable[InputRequest]", declared: JsonObject) -> dict[str, object]:
    """Return the capabilities that these requests need beyond `declared`, as a client declares them."""
    missing: dict[str, object] = {}
    for request in requests:
        name, mode = _required_capability(request)
        if not _is_declared(declared.get(name), name, mode):
            modes = cast("dict[str, object]", missing.setdefault(name, {}))
            modes.update({} if mode is None else {mode: {}})
    return missing


def _required_capability(request: "InputRequest") -> tuple[str, str | None]:
    if request.method == "elicitation/create":
        return "elicitation", "url" if request.params.get("mode") == "url" else "form"
    if request.method == "sampling/createMessage":
        return "sampling", "tools" if "tools" in request.params else None
    return "roots", None


def _is_declared(declaration: Json, name: str, mode: str | None) -> bool:
    if not isinstance(declaration, Mapping):
        return False
    # MCP (2025-11-25, elicitation): an empty declaration means the form mode alone.
    is_plain_form = name == "elicitation" and mode == "form" and "url" not in declaration
    return mode is None or mode in declaration or is_plain_form


_REQUEST_STATE: Final = ContinuationForm(
    purpose="request-state",
    lifetime_seconds=REQUEST_STATE_SECONDS,
    member_names=("call", "expires", "state"),
    least_bytes=0,
)
"""Form of a request state, bound to tenant, key, user, method, name, and the digest of rights and arguments.

Its position is the state of the tool: the bytes, decoded as Latin-1.
"""


class MultiRoundTrip(Generic[CallerT]):
    """Input requests and request states of calls in several round trips."""

    def __init__(self, dependencies: "ServerDependencies[CallerT]") -> None:
        self._dependencies = dependencies

    def tool_context(self, context: RequestContext[CallerT], name: str) -> "ToolContext":
        """Return the context for the call of `name`, with the client's responses and the unsealed state.

        Raises:
            ProtocolError: the responses are malformed, or the state belongs to another call or has expired.
        """
        if not context.is_stateless:
            return context.tool_context()
        responses = context.params.get("inputResponses", {})
        if not isinstance(responses, dict) or not all(isinstance(each, dict) for each in responses.values()):
            raise invalid_params("`inputResponses` must be an object of objects")
        sealed = context.params.get("requestState")
        return context.tool_context(responses, None if sealed is None else self._open(context, name, sealed))

    def input_required_result(
        self, context: RequestContext[CallerT], name: str, required: "InputRequired"
    ) -> dict[str, object]:
        """Return MCP's `InputRequiredResult` without its type.

        Raises:
            ToolError: the client's revision has no such results.
            ProtocolError: the client did not declare the capabilities that the requests need.
        """
        if not context.is_stateless:
            reason = (
                f"This call needs input from the user, which requires a client of MCP {STATELESS_VERSIONS[0]} or later."
            )
            # The handshake revisions send such requests on an open stream, which this server never has.
            raise ToolError(ToolErrorKind.FAILURE, reason)
        missing = missing_capabilities(required.requests.values(), context.capabilities)
        if missing:
            message = f"This call needs a client that declares {' and '.join(missing)}."
            raise ProtocolError(ResultCode.MISSING_CAPABILITY, message, data={"requiredCapabilities": missing})
        requests = {key: _input_request_to_json(request) for key, request in required.requests.items()}
        return {
            **({"inputRequests": requests} if requests else {}),
            "requestState": self._seal(context, name, required.request_state),
        }

    def _seal(self, context: RequestContext[CallerT], name: str, state: bytes | None) -> str:
        sealer, now = self._dependencies.sealer(), self._dependencies.clock()
        state_text = None if state is None else state.decode("latin-1")
        return _REQUEST_STATE.seal(sealer, now, self._binding(context, name), state_text)

    def _open(self, context: RequestContext[CallerT], name: str, sealed: object) -> bytes | None:
        sealer, now = self._dependencies.sealer(), self._dependencies.clock()
        try:
            state_text = _REQUEST_STATE.open(sealer, now, self._binding(context, name), sealed)
        except UnknownContinuation:
            reason = "`requestState` belongs to another call, or has expired; call again without it"
            raise invalid_params(reason) from None
        return None if state_text is None else state_text.encode("latin-1")

    def _binding(self, context: RequestContext[CallerT], name: str) -> list[str | None]:
        digest = _rights_and_arguments_digest(sorted(self._dependencies.access_rights(context.caller)), context.params)
        return [*self._dependencies.session_owner(context.caller), context.request.method, name, digest]


def _rights_and_arguments_digest(rights: list[str], params: JsonObject) -> str:
    # The module loads OpenSSL, which calls without a request state do without.
    from hashlib import sha256

    # A client that repeats the call may send the members of its arguments in another order.
    return sha256(json.dumps([rights, params.get("arguments", {})], sort_keys=True).encode()).hexdigest()


def _input_request_to_json(request: "InputRequest") -> Mapping[str, object]:
    return {"method": request.method, "params": request.params}
