"""The Lambda entry point: what is open to everybody, and behind the guard what needs a key."""

from functools import cache
from typing import TYPE_CHECKING, Final, cast

from mangum import Mangum

from groundwire.entry.rest.open_routes import SPECIFICATION, app

if TYPE_CHECKING:
    from mangum.types import LambdaContext
    from starlette.types import Receive, Scope, Send

    from groundwire.entry.rest.guard import Guard

GUARDED: Final = "/v1"


def handler(event: dict[str, object], context: object) -> object:
    """The Lambda entry point."""
    return _adapter()(event, cast("LambdaContext", context))


async def service(scope: "Scope", receive: "Receive", send: "Send") -> None:
    """One call, by its path; whatever lies beneath `/v1` is guarded, but for the specification that clients read."""
    path, method = str(scope["path"]), str(scope["method"])
    guarded = f"{path}/".startswith(f"{GUARDED}/") and (method, path) != ("GET", SPECIFICATION)
    await (_guard() if guarded else app)(scope, receive, send)


@cache
def _adapter() -> Mangum:
    # Late, because making one opens an event loop on the thread that does it.
    return Mangum(service, lifespan="off")


@cache
def _guard() -> "Guard":
    # Late: whoever follows a link does not wait for the models of all requests.
    from groundwire.entry.rest.guard import Guard
    from groundwire.entry.rest.v1 import api

    return Guard(api())
