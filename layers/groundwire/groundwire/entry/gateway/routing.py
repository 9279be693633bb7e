"""Route selection in API Gateway's order of precedence for HTTP APIs.

An exact path comes before one with parameters, that before a greedy one, that before `$default`; of greedy ones the
longer comes first. A named method comes before ANY.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from groundwire.entry.gateway.template import RouteSpec


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """The selected route and the decoded values of its path parameters."""

    route: RouteSpec
    parameters: dict[str, str]


class RouteTable:
    """The routes of an API."""

    def __init__(self, routes: Sequence[RouteSpec]) -> None:
        self._routes = sorted((_Pattern.of(route) for route in routes), key=lambda pattern: pattern.rank)
        # They come before all others, so a path that one of them has needs no look at the others.
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
