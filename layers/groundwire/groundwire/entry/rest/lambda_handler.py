"""The Lambda entry point: what is open to everybody, and behind the guard what needs a key."""

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
    """The Lambda entry point."""
    return _adapter()(event, cast("LambdaContext", context))


async def asgi_application(scope: "Scope", receive: "Receive", send: "Send") -> None:
    """One call, by its path; whatever lies beneath `/v1` is guarded, but for the specification that clients read."""
    path, method = str(scope["path"]), str(scope["method"])
    guarded = f"{path}/".startswith(f"{AUTHENTICATED_PREFIX}/") and (method, path) != ("GET", SPECIFICATION)
    await (_authenticated_application() if guarded else app)(scope, receive, send)


@cache
def _adapter() -> Mangum:
    # Late, because making one opens an event loop on the thread that does it.
    return Mangum(asgi_application, lifespan="off")


@cache
def _authenticated_application() -> "AccessMiddleware":
    # Late: whoever follows a link does not wait for the models of all requests.
    from groundwire.entry.rest.application import api
    from groundwire.entry.rest.middleware.access import AccessMiddleware

    return AccessMiddleware(api())
