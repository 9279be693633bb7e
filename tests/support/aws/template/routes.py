"""Routes of the project's template, parsed once per process: a parse takes a tenth of a second."""

from functools import cache
from pathlib import Path
from typing import Final

from groundwire.entry.gateway.template import RouteSpec, read_routes

_TEMPLATE: Final = Path(__file__).parents[4] / "template.yaml"


@cache
def deployed_routes() -> tuple[RouteSpec, ...]:
    """Return every route of the template, in its order."""
    return tuple(read_routes(_TEMPLATE))


def deployed_route(key: str) -> RouteSpec:
    """Return the route with this key, e.g. "ANY /mcp"."""
    return next(route for route in deployed_routes() if route.key == key)
