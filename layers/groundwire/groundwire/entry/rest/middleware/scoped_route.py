"""API route with a scope check before, and the strict JSON decoder for, the request body."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from groundwire.domain.access.scopes import ROUTE_SCOPES, may_call
from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.context import RestContext, context_of
from groundwire_mcp.jsonrpc.json_codec import Json, JsonError, JsonTooLarge, decode

_TOO_LARGE = 413


class ScopedRoute(APIRoute):
    """A route that checks the key's scopes before it reads the request."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the request handler.

        The handler raises `Forbidden` and `InvalidInput`, which the application turns into responses.
        """
        handle = super().get_route_handler()
        route = f"{''.join(self.methods or ())} {self.path_format}"
        reads_body = self.body_field is not None

        async def answer(request: Request) -> Response:
            _check_scope(context_of(request), route)
            if not reads_body:
                return await handle(request)
            try:
                value = decode(await request.body())
            except JsonTooLarge as error:
                return error_responses.error_response(InvalidInput(f"Send a smaller request: {error}."), _TOO_LARGE)
            except JsonError as error:
                raise InvalidInput(f"Send one JSON object: {error}.") from error
            return await handle(_DecodedRequest(request, value))

        return answer


class _DecodedRequest(Request):
    """A request whose body is decoded."""

    def __init__(self, request: Request, value: Json) -> None:
        super().__init__(request.scope, _receive_nothing)
        self._value = value

    async def body(self) -> bytes:
        # The framework calls `json` only for a body that is not empty.
        return b"{}"

    async def json(self) -> Json:
        return self._value


async def _receive_nothing() -> dict[str, Any]:
    # The body has been read: whoever asks for more of it must not wait.
    return {"type": "http.disconnect"}


def _check_scope(context: RestContext, route: str) -> None:
    context.route = route
    if may_call(context.caller.scopes, route):
        return
    names = sorted(f"`{scope}`" for scope in ROUTE_SCOPES.get(route, ()))
    required = " or ".join(names) if names else "that no key has"
    raise Forbidden(f"This route needs a key with the scope {required}.")
