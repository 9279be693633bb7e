"""Checks of each response of this process, whose failures are kept until the test reads them."""

from collections.abc import Callable, Mapping
from threading import local
from typing import Final, cast

from groundwire.entry.http.api_gateway_event import Event, LambdaResponse, http_request
from groundwire_mcp.transport.exchanges import McpResponse
from groundwire_mcp.transport.http import HttpRequest, HttpResponse
from tests.support.plugins.response_schemas import check

_SHOWN: Final = 4_000
"""Characters of a request or response that a failure quotes."""

_MOST_SHOWN: Final = 3

Serve = Callable[[object, HttpRequest, object], McpResponse]
Handle = Callable[[object, Event, object], LambdaResponse]


class Watch:
    """What has been seen of the server and of the function around it."""

    def __init__(self) -> None:
        self._problems: list[str] = []
        self._served = local()

    def serving(self, serve: Serve) -> Serve:
        """`McpServer.answer`, its answers checked."""

        def answer(server: object, request: HttpRequest, caller: object) -> McpResponse:
            given = serve(server, request, caller)
            self._see(request, given.response)
            self._served.body = given.response.body
            return given

        return answer

    def handling(self, handle: Handle) -> Handle:
        """`McpHandler.__call__`, its answers checked: refusals of calls that never get to the server among them."""

        def call(handler: object, event: Event, context: object) -> LambdaResponse:
            given = handle(handler, event, context)
            headers = cast("Mapping[str, str]", given["headers"])
            response = HttpResponse(cast("int", given["statusCode"]), headers, str(given["body"]).encode())
            if getattr(self._served, "body", None) != response.body:
                # Tests send what is no event at all, too.
                self._see(http_request(event if isinstance(cast("object", event), Mapping) else {}), response)
            return given

        return call

    def report(self) -> None:
        """Raises AssertionError for what was wrong since the last time.

        Not where it happens: a handler would answer for it, and a thread of a gateway fails no test.
        """
        problems, self._problems = self._problems, []
        assert not problems, "\n".join(problems[:_MOST_SHOWN])

    def _see(self, request: HttpRequest, response: HttpResponse) -> None:
        try:
            check(request, response)
        except (AssertionError, LookupError, TypeError, ValueError) as problem:
            shown = f"to {request!r:.{_SHOWN}} came {response!r:.{_SHOWN}}"
            self._problems.append(f"No valid response: {problem!r}\n{shown}")
