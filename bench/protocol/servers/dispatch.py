"""Our protocol core alone: from an HTTP request in memory to the response, without event, audit line and metrics."""

from functools import partial

from ours import ADMITTED  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
from requested import body, headers, main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

from groundwire import wiring
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.services.call_context import CallContext
from groundwire_mcp.transport.http import HttpRequest

_caller = decision_from_event({"requestContext": {"authorizer": {"lambda": ADMITTED}}}).caller
if _caller is None:
    raise SystemExit("the authorizer's context was not understood")
_server, _by = wiring.local_services().agents.mcp_server, CallContext(_caller)


def _answer(request: HttpRequest) -> str:
    return _server.handle(request, _by).response.body.decode()


if __name__ == "__main__":
    requests = {name: HttpRequest("POST", "/mcp", headers(name), body(name).encode()) for name in ("discover", "list")}
    main({name: partial(_answer, request) for name, request in requests.items()})
