"""Lambda entry point: public routes, and routes that need a key."""

from functools import cache
from typing import TYPE_CHECKING, Final, cast

from mangum import Mangum

from groundwire.entry.rest.public_routes import SPECIFICATION, app

if TYPE_CHECKING:
    from mangum.types import LambdaContext
    from starlette.types import Receive, Scope, Send

    from groundwire.entry.rest.middleware.access import AccessMiddleware

AUTHENTICATED_PREFIX: Final = "/v1"


def handler(event: dict[str, object], context: object) -> object:
    """Answer one event of API Gateway."""
    return _adapter()(event, cast("LambdaContext", context))


async def asgi_application(scope: "Scope", receive: "Receive", send: "Send") -> None:
    """Handle one call; paths under `/v1` need a key, except the OpenAPI document."""
    path, method = str(scope["path"]), str(scope["method"])
    needs_key = f"{path}/".startswith(f"{AUTHENTICATED_PREFIX}/") and (method, path) != ("GET", SPECIFICATION)
    await (_authenticated_application() if needs_key else app)(scope, receive, send)


@cache
def _adapter() -> Mangum:
    # Mangum is created on first use, because it opens an event loop on the creating thread.
    return Mangum(asgi_application, lifespan="off")


@cache
def _authenticated_application() -> "AccessMiddleware":
    # The imports are local, so that a document link does not wait for the models of all requests.
    from groundwire.entry.rest.application import api
    from groundwire.entry.rest.middleware.access import AccessMiddleware

    return AccessMiddleware(api())
