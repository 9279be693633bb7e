"""Our protocol core alone: from an HTTP request in memory to the response, without event, audit line and metrics."""

from functools import partial

from asked import body, headers, main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
from ours import ADMITTED  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

from groundwire import wiring
from groundwire.entry.caller_context import from_event
from groundwire.protocol.http import HttpRequest
from groundwire.services.call import Call

_caller = from_event({"requestContext": {"authorizer": {"lambda": ADMITTED}}}).caller
if _caller is None:
    raise SystemExit("the authorizer's context was not understood")
_server, _by = wiring.current().mcp_server, Call(_caller)


def _answer(request: HttpRequest) -> str:
    return _server.answer(request, _by).response.body.decode()


if __name__ == "__main__":
    requests = {name: HttpRequest("POST", headers(name), body(name).encode()) for name in ("discover", "list")}
    main({name: partial(_answer, request) for name, request in requests.items()})
