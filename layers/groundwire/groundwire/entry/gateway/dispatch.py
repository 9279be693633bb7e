"""Dispatch of one call as in API Gateway: route, authorizer, header mapping, function, response.

Authorization is a separate step, so that the server knows the tenant before the call takes a thread.

Of several routes an exact path comes before one with parameters, that before a greedy one, that before `$default`; of
greedy ones the longer comes first. A named method comes before ANY.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast
from urllib.parse import unquote

from groundwire.domain.access.call_headers import USER_HEADER
from groundwire.domain.access.user_blocks import block_key
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.fairness.parties import NEW_USERS, KnownUsers, Party
from groundwire.domain.text.json_values import mapping_or_empty, require_mapping
from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.http.authorizer_context import DecisionContext
from groundwire.entry.runtime.address_limit import network_of


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """The selected route and the decoded values of its path parameters."""

    route: RouteSpec
    parameters: dict[str, str]


class RouteTable:
    """The routes of an API."""

    def __init__(self, routes: Sequence[RouteSpec]) -> None:
        self._routes = sorted((_Pattern.of(route) for route in routes), key=lambda pattern: pattern.rank)
        # They come before all others, so a path of one of them is not compared with the others.
        self._exact = {(each.method, each.parts): each.route for each in reversed(self._routes) if each.is_exact}

    def match(self, method: str, raw_path: str) -> RouteMatch | None:
        """Return the best route for a method and a percent-encoded path; None if no route matches."""
        # Divided before it is decoded, since `%2F` belongs to the value of a parameter.
        parts = tuple(map(unquote, raw_path.split("/")))
        exact = self._exact.get((method, parts)) or self._exact.get(("ANY", parts))
        if exact is not None:
            return RouteMatch(exact, {})
        for pattern in self._routes:
            parameters = pattern.parameters(method, parts)
            if parameters is not None:
                return RouteMatch(pattern.route, parameters)
        return None


@dataclass(frozen=True, slots=True)
class _Pattern:
    route: RouteSpec
    method: str
    parts: tuple[str, ...]

    @classmethod
    def of(cls, route: RouteSpec) -> "_Pattern":
        method, _, path = route.key.partition(" ")
        return cls(route, method, tuple(path.split("/")))

    @property
    def is_exact(self) -> bool:
        """Return whether the pattern is a path without parameters."""
        return self.method != "$default" and not any(part.startswith("{") for part in self.parts)

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Precedence of the pattern; lower values come first."""
        greedy = self.parts[-1].endswith("+}")
        parameter_count = sum(part.startswith("{") for part in self.parts)
        return (
            3 if self.method == "$default" else 2 if greedy else min(parameter_count, 1),
            parameter_count,
            -len(self.parts) if greedy else 0,
            int(self.method == "ANY"),
        )

    def parameters(self, method: str, parts: Sequence[str]) -> dict[str, str] | None:
        """Return the path parameters if this pattern matches, else None."""
        if self.method == "$default":
            return {}
        if self.method not in {"ANY", method}:
            return None
        values: dict[str, str] = {}
        for index, expected in enumerate(self.parts):
            if expected.endswith("+}"):
                values[expected[1:-2]] = "/".join(parts[index:])
                # API Gateway does not match a greedy parameter with nothing.
                return values if values[expected[1:-2]] else None
            if index >= len(parts):
                return None
            if expected.startswith("{") and parts[index]:
                values[expected[1:-1]] = parts[index]
            elif expected != parts[index]:
                return None
        return values if len(parts) == len(self.parts) else None


_log = logging.getLogger(__name__)
_PROVEN: Final = (AuthStatus.ADMITTED, AuthStatus.OVER_LIMIT)


@dataclass(frozen=True, slots=True)
class AuthorizedCall:
    """A call that is ready for its function.

    Attributes:
        party: whose work it is; the address of a caller that was not admitted.
        size: bytes of the body.
        decision: of the authorizer in this process, else None.
    """

    route: RouteSpec
    event: dict[str, object]
    party: Party
    size: int
    decision: AuthDecision | None = None

    def refused(self, retry_after_s: int) -> "AuthorizedCall | None":
        """Return the call as one over its limit, which the function answers in the form of its dialect.

        None for a call without an admitted caller, whose form the gateway's own response is.
        """
        if self.decision is None or self.decision.caller is None:
            return None
        caller = self.decision.caller
        over_limit = AuthDecision(
            AuthStatus.OVER_LIMIT,
            AuthReason.FAIR_SHARE,
            retry_after_s=retry_after_s,
            kid=caller.kid,
            tenant=caller.principal.tenant,
            toolset=caller.options.toolset,
        )
        event = dict(self.event)
        _put_context(event, DecisionContext(over_limit), self.route.overwrites)
        return replace(self, event=event, decision=over_limit)


class Dispatcher:
    """The loaded functions of an API and its routes."""

    def __init__(
        self,
        routes: Sequence[RouteSpec],
        load_function: Callable[[FunctionSpec], LambdaFunction] = load_function,
        users: KnownUsers | None = None,
    ) -> None:
        """Load the functions; without `users` all users of a key that acts for others share one share."""
        self._table = RouteTable(routes)
        specs = [spec for route in routes for spec in (route.authorizer, route.function) if spec is not None]
        self._functions = {spec.name: load_function(spec) for spec in dict.fromkeys(specs)}
        self._users = users

    def route_of(self, method: str, raw_path: str) -> str:
        """Return the key of the route that a request has; empty where none has it."""
        match = self._table.match(method, raw_path)
        return "" if match is None else match.route.key

    def expected_party(self, party: Party, request: GatewayRequest) -> Party:
        """Return the party that a request probably has, whose credential belongs to `party` but is not checked yet."""
        named = next((value for name, value in request.headers if name.lower() == USER_HEADER), None)
        if named is None or self._users is None:
            return party
        return party._replace(user=self._users.last_share_of(party.tenant, party.key, named))

    def answer(self, request: GatewayRequest) -> GatewayResponse:
        """Return the response to a request; an exception of a function is logged and gives a 500."""
        call = self.authorize(request)
        return call if isinstance(call, GatewayResponse) else self.invoke(call)

    def authorize(self, request: GatewayRequest) -> AuthorizedCall | GatewayResponse:
        """Return the authorized call, or the response that ends it."""
        match = self._table.match(request.method, request.raw_path)
        if match is None:
            return responses.NOT_FOUND
        try:
            return self._run_authorizer(request, match)
        except Exception:  # noqa: BLE001 - a function may raise anything; its caller gets a plain 500
            _log.exception("%s failed", match.route.key)
            return responses.INTERNAL_ERROR

    def invoke(self, call: AuthorizedCall) -> GatewayResponse:
        """Return the response of the route's function; its exception is logged and gives a 500."""
        try:
            return responses.response_from_result(self._functions[call.route.function.name].invoke(call.event))
        except Exception:  # noqa: BLE001 - a handler may raise anything; AWS answers a plain 500, too
            _log.exception("%s failed", call.route.key)
            return responses.INTERNAL_ERROR

    def _run_authorizer(self, request: GatewayRequest, match: RouteMatch) -> AuthorizedCall | GatewayResponse:
        route = match.route
        event = function_event(request, route.key, match.parameters)
        stranger = Party("", network_of(request.source_ip), NEW_USERS)
        if route.authorizer is None:
            return AuthorizedCall(route, event, stranger, len(request.body))
        decision = self._functions[route.authorizer.name].invoke(authorizer_event(event))
        if not _is_authorized(decision):
            return responses.FORBIDDEN
        context = _context_of(decision)
        _put_context(event, context, route.overwrites)
        decided = context.decision if isinstance(context, DecisionContext) else None
        return AuthorizedCall(route, event, self._party(context) or stranger, len(request.body), decided)

    def _party(self, context: Mapping[str, object]) -> Party | None:
        """Return the party of a caller with a proven key, else None: naming a tenant's key is not enough."""
        # A rate is checked after the secret of the key: a caller above it is one of its key, and not of its address.
        if context.get("decision") not in _PROVEN or not context.get("tenant"):
            return None
        tenant, key = str(context["tenant"]), str(context.get("kid", ""))
        caller = context.decision.caller if isinstance(context, DecisionContext) else None
        named = None if caller is None else caller.principal.user
        if caller is not None and named is not None and caller.has_known_user:
            # Spellings of one name are one user, as for blocks.
            return Party(tenant, key, block_key(named))
        return Party(tenant, key, NEW_USERS if self._users is None else self._users.share_of(tenant, key, named))


def _is_authorized(response: object) -> bool:
    """Return the authorizer's `isAuthorized`.

    Raises:
        TypeError: the response is not a simple response, which API Gateway answers with a 500, not a 403.
    """
    allowed = mapping_or_empty(response).get("isAuthorized")
    if not isinstance(allowed, bool):
        raise TypeError("the authorizer's answer has no isAuthorized")
    return allowed


def _context_of(response: object) -> Mapping[str, object]:
    """Return the context as it passes in the cloud: after a JSON round trip, which leaves texts as they are."""
    context: object = mapping_or_empty(response).get("context") or {}
    if isinstance(context, dict):
        texts = cast("dict[str, object]", context)
        if {*map(type, texts), *map(type, texts.values())} == {str}:
            return texts
    context = json.loads(json.dumps(context))
    return require_mapping(context, TypeError("the authorizer's context is not an object"))


def _put_context(event: dict[str, object], context: Mapping[str, object], overwrites: Mapping[str, str]) -> None:
    request_context = cast("dict[str, object]", event["requestContext"])
    event["requestContext"] = {**request_context, "authorizer": {"lambda": context}}
    replaced = {header: context.get(key) for header, key in overwrites.items()}
    # As in the cloud, a mapping without a value does not overwrite the client's header.
    mapped = {header: str(value) for header, value in replaced.items() if value not in (None, "")}
    event["headers"] = {**cast("dict[str, str]", event["headers"]), **mapped}
