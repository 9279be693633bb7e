"""Routes under `/opensearch`: the REST interface of the engine, for clients that speak to it directly.

They only read. What changes something is refused with 403, and what the engine does not have with 400, as it does.
"""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.dialects.opensearch.engine import Engine
from groundwire.dialects.opensearch.errors import (
    JSON_TYPE,
    illegal_argument,
)
from groundwire.dialects.opensearch.http_rules import answered, content_type_error, with_version, wrong_method_response
from groundwire.dialects.opensearch.index_names import ALL, split_names
from groundwire.dialects.opensearch.rest import cat_tables, descriptions, parameters, searches
from groundwire.dialects.opensearch.rest.json_bodies import read_json
from groundwire.dialects.opensearch.rest.unserved import CHANGES, shown_path, unserved_response
from groundwire.domain.limits import MAX_ENGINE_ANSWER_BYTES
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import RestRequest
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext

PREFIX: Final = "/opensearch"
_READ: Final = ("GET",)
_READ_OR_ASK: Final = ("GET", "HEAD")
# opensearch-mcp-server-py sends Count and Msearch as GET with a body.
_SEARCH: Final = ("GET", "POST")
_CHANGED: Final = frozenset({"{index}", "{index}/_mapping"})
"""Paths on which the engine has methods that change something."""


class EngineRequest(NamedTuple):
    """A request to the engine.

    Attributes:
        path: without the prefix.
        names: names and patterns of the path; None: it has none.
        parameters: of the URL.
    """

    http: "HttpRequest"
    path: str
    names: Sequence[str] | None
    parameters: Mapping[str, str]


_Answer = Callable[["CallContext", EngineRequest], HttpResponse]


class _EngineRoute(NamedTuple):
    """A route of the engine: its methods, its answer, and the parameters that it has."""

    methods: Sequence[str]
    answer: _Answer
    known: frozenset[str] = frozenset()
    refused: Mapping[str, str] = {}


class EngineRoutes:
    """Handler of all routes under `/opensearch`."""

    def __init__(self, services: "DialectServices") -> None:
        self._engine = Engine(services)
        self._searches = searches.Searches(self._engine)
        self._routes = self._table()

    def __call__(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        """Return the answer; every error has the engine's form."""
        http = request.http
        # opensearch-mcp-server-py asks for `/opensearch/`, with the slash, before each call of a tool.
        path = http.path.removeprefix(PREFIX).rstrip("/") or "/"
        response = self._respond(call, http, path, request.query)
        # The local server would send a body to HEAD, and the gateway may.
        return response._replace(body=b"") if http.method == "HEAD" else response

    def _respond(self, call: "CallContext", http: HttpRequest, path: str, query: str) -> HttpResponse:
        pattern, expression = _pattern(path)
        route = self._routes.get(pattern)
        if route is None or (http.method not in route.methods and _is_change(pattern, http.method)):
            return unserved_response(path, http.method)
        if http.method not in route.methods:
            return with_version(wrong_method_response(shown_path(path), http.method, route.methods))
        error = content_type_error(http)
        if error is not None:
            return with_version(error)

        def produce() -> HttpResponse:
            given = parameters.read_parameters(query)
            parameters.check_names(shown_path(path), given, route.known, route.refused)
            _check_body(http)
            names = None if expression is None else _names(expression)
            parameters.check_format(given, is_table=pattern.startswith("_cat/"))
            return _checked(route.answer(call, EngineRequest(http, path, names, given)), given)

        return answered(call, produce)

    def _table(self) -> Mapping[str, _EngineRoute]:
        """Return the routes by the pattern of their path."""
        waits, names = parameters.WAITS, parameters.NAMES
        cat = _EngineRoute(_READ, self._cat_indices, cat_tables.CAT_PARAMETERS | waits | names, cat_tables.CAT_REFUSED)
        shards = cat._replace(answer=self._cat_shards)
        health = _EngineRoute(
            _READ, self._health, waits | names | _HEALTH_WAITS, {"level": "the health applies to all indices"}
        )
        mapping = _EngineRoute(_READ, self._mappings, waits | names)
        search = _EngineRoute(_SEARCH, self._search, searches.SEARCH_PARAMETERS, searches.SEARCH_REFUSED)
        several = _EngineRoute(_SEARCH, self._search_several, searches.SEVERAL_PARAMETERS, searches.SEARCH_REFUSED)
        count = _EngineRoute(_SEARCH, self._count, searches.COUNT_PARAMETERS, searches.SEARCH_REFUSED)
        return {
            "/": _EngineRoute(_READ_OR_ASK, _describe_node),
            "{index}": _EngineRoute(_READ_OR_ASK, self._describe, waits | names),
            "_cat/indices": cat,
            "_cat/indices/{index}": cat,
            "_cat/shards": shards,
            "_cat/shards/{index}": shards,
            "_resolve/index/{index}": _EngineRoute(_READ, self._resolve, frozenset({"expand_wildcards"})),
            "_cluster/health": health,
            "_cluster/health/{index}": health,
            "_mapping": mapping,
            "{index}/_mapping": mapping,
            "_search": search,
            "{index}/_search": search,
            "_count": count,
            "{index}/_count": count,
            "_msearch": several,
            "{index}/_msearch": several,
        }

    def _describe(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        return _json(descriptions.descriptions(self._engine, call, self._existing(call, request)))

    def _mappings(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        return _json(descriptions.mappings(self._engine, call, self._existing(call, request)))

    def _existing(self, call: "CallContext", request: EngineRequest) -> Sequence[str]:
        ignores_unknown = parameters.truth(request.parameters, "ignore_unavailable", default=False)
        return self._engine.names(call, request.names, ignores_unknown=ignores_unknown)

    def _cat_indices(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        found = self._engine.indices(call, self._existing(call, request))
        return cat_tables.index_table(found, request.parameters, request.http.headers.get("accept", ""))

    def _cat_shards(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        self._existing(call, request)
        # No answer has the place or the size of a shard.
        accepted = request.http.headers.get("accept", "")
        return cat_tables.cat_response(cat_tables.SHARD_COLUMNS, (), request.parameters, accepted)

    def _resolve(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        return _json(descriptions.resolved(self._engine, call, request.names or ()))

    def _health(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        parameters.check_expansion(request.parameters)
        status, answer = descriptions.health(self._engine, call, request.names)
        return json_response(status, answer, {"content-type": JSON_TYPE})

    def _search(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        return _json(self._searches.search(call, request.names, _body(request.http), request.parameters))

    def _count(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        return _json(self._searches.count(call, request.names, _body(request.http), request.parameters))

    def _search_several(self, call: "CallContext", request: EngineRequest) -> HttpResponse:
        answers = self._searches.search_several(call, request.names, request.http.body, request.parameters)
        took = sum(cast("int", each.get("took", 0)) for each in answers)
        return _json({"took": took, "responses": answers})


_HEALTH_WAITS: Final = frozenset(
    {
        *("wait_for_status", "wait_for_nodes", "wait_for_events", "wait_for_active_shards"),
        *("wait_for_no_initializing_shards", "wait_for_no_relocating_shards", "ensure_node_commissioned"),
    }
)
"""Parameters that wait for what is always so here."""


def _pattern(path: str) -> tuple[str, str | None]:
    """Return the pattern of a path, and the names of indexes in it.

    Raises:
        OpenSearchError: the name of an index begins as those of the engine's own routes.
    """
    if path == "/":
        return path, None
    first, *others = path.removeprefix("/").split("/")
    if first.startswith("_") and first != ALL:
        if others[1:]:
            return "/".join([first, others[0], "{index}", *others[2:]]), others[1]
        return "/".join([first, *others]), None
    return "/".join(["{index}", *(_MAPPING if each in _MAPPINGS else each for each in others)]), first


_MAPPING: Final = "_mapping"
_MAPPINGS: Final = frozenset({_MAPPING, "_mappings"})


def _is_change(pattern: str, method: str) -> bool:
    return pattern in _CHANGED and method in CHANGES


def _names(expression: str) -> list[str]:
    names = split_names(expression)
    if not names:
        raise illegal_argument("the path names no index")
    return names


def _check_body(http: HttpRequest) -> None:
    """Check that a body that was sent has come.

    Raises:
        OpenSearchError: it was dropped on its way, as some proxies do with GET; the answer would be to another query.
    """
    if not http.body and http.headers.get("content-length", "0").strip() not in {"", "0"}:
        raise illegal_argument(f"the body of this {http.method} was lost in transit: send it with POST")


def _body(http: HttpRequest) -> object:
    return read_json(http.body) if http.body.strip() else None


def _describe_node(call: "CallContext", request: EngineRequest) -> HttpResponse:
    # The engine prints this answer for people unless `pretty=false`.
    is_pretty = parameters.truth(request.parameters, "pretty", default=True)
    response = _json(descriptions.node_description(call.caller.principal.tenant))
    return _pretty(response) if is_pretty else response


def _json(answer: Mapping[str, Any]) -> HttpResponse:
    return json_response(HTTPStatus.OK, answer, {"content-type": JSON_TYPE})


def _checked(response: HttpResponse, given: Mapping[str, str]) -> HttpResponse:
    """Return a response, printed for people where the call asks for it.

    Raises:
        OpenSearchError: it is too large; an answer is never cut.
    """
    is_json = response.headers["content-type"] == JSON_TYPE
    if is_json and "pretty" in given and parameters.truth(given, "pretty", default=False):
        response = _pretty(response)
    if len(response.body) > MAX_ENGINE_ANSWER_BYTES:
        raise illegal_argument(
            f"The answer is larger than {MAX_ENGINE_ANSWER_BYTES} bytes: lower size, or name fewer fields in _source"
        )
    return response


def _pretty(response: HttpResponse) -> HttpResponse:
    import json

    text = json.dumps(json.loads(response.body), indent=2, separators=(",", " : "), ensure_ascii=False)
    return response._replace(body=f"{text}\n".encode())
