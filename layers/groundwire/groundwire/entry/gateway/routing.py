"""Which route answers: API Gateway's order of preference for HTTP APIs.

An exact path comes before one with parameters, that before a greedy one, that before `$default`; a named
method comes before ANY.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from groundwire.entry.gateway.template import RouteSpec


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """The route that answers, and the values of its path parameters, decoded."""

    route: RouteSpec
    parameters: dict[str, str]


class RouteTable:
    """The routes of an API."""

    def __init__(self, routes: Sequence[RouteSpec]) -> None:
        self._routes = sorted((_Pattern.of(route) for route in routes), key=lambda pattern: pattern.rank)

    def match(self, method: str, raw_path: str) -> RouteMatch | None:
        """The best route for a method and a percent-encoded path; None when there is none."""
        parts = [unquote(part) for part in raw_path.split("/")]
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
    def rank(self) -> tuple[int, int, int]:
        """Lower answers first."""
        greedy = self.parts[-1].endswith("+}")
        named = sum(part.startswith("{") for part in self.parts)
        return (3 if self.method == "$default" else 2 if greedy else min(named, 1), named, int(self.method == "ANY"))

    def parameters(self, method: str, parts: Sequence[str]) -> dict[str, str] | None:
        """The path parameters if this pattern fits, else None."""
        if self.method == "$default":
            return {}
        if self.method not in {"ANY", method}:
            return None
        found: dict[str, str] = {}
        for place, expected in enumerate(self.parts):
            if expected.endswith("+}"):
                found[expected[1:-2]] = "/".join(parts[place:])
                return found if found[expected[1:-2]] else None
            if place >= len(parts):
                return None
            if expected.startswith("{") and parts[place]:
                found[expected[1:-1]] = parts[place]
            elif expected != parts[place]:
                return None
        return found if len(parts) == len(self.parts) else None
