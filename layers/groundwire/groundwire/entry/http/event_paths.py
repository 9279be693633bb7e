"""Method, route and path of a call, in an API Gateway event of payload format 2.0.

Clients and proxies add a slash to the end of a path. AWS does not document whether API Gateway strips it or matches it.
So every function, the authorizer among them, reads the path in its plain form: without one slash at its end.
"""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.text.json_values import mapping_at, mapping_or_empty

DEFAULT_ROUTE: Final = "$default"
"""The gateway's route for all paths that no other route covers."""
PREFLIGHT_METHOD: Final = "OPTIONS"
"""Method by which a browser asks, without a key, whether a page may call."""
_HTTP: Final = ("requestContext", "http")
_ANY_NAME: Final = "/v1/users/"
"""Beginning of the paths whose last part is a name, which may end in a slash."""


def plain_path(path: str) -> str:
    """Return the path without one slash at its end; `/` stays, and so does a path that ends in several."""
    is_name = path.startswith(_ANY_NAME) and path != _ANY_NAME
    return path if path == "/" or is_name or not path.endswith("/") or path.endswith("//") else path[:-1]


def full_path(event: Mapping[str, object]) -> str:
    """Return the plain form of the path as the gateway received it; empty where the event names none."""
    raw_path = event.get("rawPath")
    return plain_path(raw_path) if isinstance(raw_path, str) else ""


def route_path(event: Mapping[str, object]) -> str:
    """Return the plain path as the template's routes have it; empty where the event names none.

    `rawPath` begins with the name of the stage, or with the key of a domain's mapping, where there is one. The route
    that the gateway found tells how many segments at the end belong to the path.
    """
    path, pattern = full_path(event), route_key(event).partition(" ")[2]
    if not path or not pattern.startswith("/") or is_greedy(pattern):
        return path
    segments = path.removeprefix("/").split("/")
    return "/" + "/".join(segments[-pattern.count("/") :])


def with_plain_path(event: Mapping[str, object]) -> dict[str, object]:
    """Return the event with the plain form of its path, for a framework that reads the event itself."""
    context = mapping_or_empty(event.get("requestContext"))
    # A framework reads one of the two members, so they must not differ.
    http = {**http_context(event), "path": full_path(event)}
    return {**event, "rawPath": full_path(event), "requestContext": {**context, "http": http}}


def route_key(event: Mapping[str, object]) -> str:
    """Return the key of the gateway's route, such as `ANY /mcp` or `$default`; empty where the event names none."""
    key = event.get("routeKey")
    return key if isinstance(key, str) else ""


def is_greedy(key: str) -> bool:
    """Return whether a route covers paths of any number of segments."""
    return key == DEFAULT_ROUTE or key.endswith("+}")


def request_method(event: Mapping[str, object]) -> str:
    """Return the HTTP method; empty where the event names none."""
    method = mapping_at(event, *_HTTP).get("method")
    return method if isinstance(method, str) else ""


def http_context(event: Mapping[str, object]) -> Mapping[str, object]:
    """Return the gateway's description of the call; an event of another invoker may be no object at all."""
    return mapping_at(event, *_HTTP)
