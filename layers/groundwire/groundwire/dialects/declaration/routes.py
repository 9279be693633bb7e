"""REST routes of a dialect, and the form of errors from before it handles a call."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse


class RestRequest(NamedTuple):
    """A request to a REST route.

    Attributes:
        path_parameters: by their names in the route's path, decoded.
        query: as sent, without the question mark.
    """

    http: "HttpRequest"
    path_parameters: Mapping[str, str]
    query: str


RestHandler = Callable[["CallContext", RestRequest], "HttpResponse"]
"""Function behind a REST route; it returns its errors in the form of its system."""


class RestRoute(NamedTuple):
    """Method and path that a dialect serves over REST, and the scope that it needs.

    Attributes:
        method: `ANY` stands for all.
        path: as API Gateway reads it, with parameters in braces: `/agents/{name}/retrieve`. `{proxy+}` at the end
            stands for the rest of the path.
        scopes: any one of them will do; without one the route is refused to everybody.
        gateway_keys: routes of template.yaml that lead here; empty: the route itself.
        forms: operations that a path with `{proxy+}` covers, such as `GET /v1beta1/{parent}/ragCorpora`, for the
            OpenAPI document and for tests; empty: the route is one operation.
        takes_basic: the key may come by HTTP Basic, too: user name `key`, and a personal key as password.
        has_path: returns whether a path that `path` covers is one of the dialect. Others are answered as the gateway
            answers a path without a route, whatever credential they have; None: all are the dialect's.
    """

    method: str
    path: str
    scopes: frozenset[Scope]
    build: Callable[[DialectServices], RestHandler]
    gateway_keys: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    has_path: Callable[[str], bool] | None = None
    takes_basic: bool = False

    @property
    def key(self) -> str:
        """Method and path, as audit lines have them."""
        return f"{self.method} {self.path}"

    @property
    def operations(self) -> tuple[str, ...]:
        """Methods and paths that the route serves."""
        return self.forms or (self.key,)

    def serves(self, path: str) -> bool:
        """Return whether a path that this route covers is one of the dialect."""
        return self.has_path is None or self.has_path(path)


class ErrorReply(NamedTuple):
    """Response given before a dialect handles the call: no key, no right, too many calls, a part not available.

    Attributes:
        status: HTTP status. code: of the JSON-RPC error.
        headers: by lower-case name; a dialect's form keeps them.
        refused_header: the request header, other than the key's, because of which the call was not admitted.
    """

    status: int
    code: int
    message: str
    headers: Mapping[str, str]
    data: Mapping[str, object] | None = None
    refused_header: str | None = None


ErrorForm = Callable[["HttpRequest", ErrorReply], "HttpResponse"]


def covers_path(pattern: str, path: str) -> bool:
    """Return whether a route's path covers a call's; `{proxy+}` at its end matches all further segments.

    A parameter in braces matches any one segment that is not empty.
    """
    prefix, greedy, _ = pattern.partition("{proxy+}")
    if greedy:
        # API Gateway's `{proxy+}` matches one segment at least.
        return path.startswith(prefix) and path != prefix
    expected, segments = pattern.split("/"), path.split("/")
    return len(expected) == len(segments) and all(
        bool(segment) if is_parameter(each) else each == segment
        for each, segment in zip(expected, segments, strict=True)
    )


def is_parameter(segment: str) -> bool:
    """Return whether a segment of a route's path is a parameter."""
    return segment.startswith("{") and segment.endswith("}")
