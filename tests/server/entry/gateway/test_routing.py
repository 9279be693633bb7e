"""Routes are chosen as API Gateway chooses them, from the template alone."""

from pathlib import Path

import httpx
import pytest

from groundwire.entry.gateway.dispatch import RouteTable
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec

FUNCTION = FunctionSpec("F", Path("app.py"), "handler", 3, 128)


def table(*keys: str) -> RouteTable:
    return RouteTable([RouteSpec(key, FUNCTION, None, {}) for key in keys])


@pytest.mark.parametrize(
    ("method", "path", "key"),
    [
        ("GET", "/open/recent", "GET /open/recent"),
        ("POST", "/open/recent", "ANY /open/{token}"),
        ("GET", "/open/abc", "GET /open/{token}"),
        ("DELETE", "/open/abc", "ANY /open/{token}"),
        ("GET", "/open/a/b", "GET /open/{rest+}"),
        ("GET", "/elsewhere", "$default"),
        ("GET", "/open/", "$default"),
    ],
)
def test_the_most_specific_route_answers(method: str, path: str, key: str) -> None:
    routes = table("$default", "GET /open/{rest+}", "ANY /open/{token}", "GET /open/{token}", "GET /open/recent")
    found = routes.match(method, path)
    assert found is not None
    assert found.route.key == key


def test_a_greedy_parameter_takes_the_rest_of_the_path() -> None:
    found = table("GET /files/{path+}").match("GET", "/files/a/b%20c")
    assert found is not None
    assert found.parameters == {"path": "a/b c"}


@pytest.mark.parametrize("path", ["/MCP", "/mcp/", "//mcp", "/mcp/x", "/", "/mc%70/x"])
def test_a_path_that_is_nearly_a_route_is_none(path: str) -> None:
    assert table("ANY /mcp").match("POST", path) is None


def test_no_route_is_the_gateways_own_404(http: httpx.Client) -> None:
    for method, path in (("GET", "/nowhere"), ("POST", "/items/1"), ("GET", "/items/1/2")):
        response = http.request(method, path)
        assert (response.status_code, response.json()) == (404, {"message": "Not Found"})
