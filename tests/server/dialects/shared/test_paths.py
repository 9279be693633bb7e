"""The path of a call, from the gateway's event."""

import pytest

from groundwire.entry.http.api_gateway_event import http_request


@pytest.mark.parametrize(
    ("raw_path", "route_key", "path"),
    [
        ("/mcp", "ANY /mcp", "/mcp"),
        ("/prod/mcp", "ANY /mcp", "/mcp"),
        ("/company/tools/toy/upper/mcp", "ANY /toy/{shelf}/mcp", "/toy/upper/mcp"),
        ("/toy/upper/mcp", None, "/toy/upper/mcp"),
        ("/anything", "$default", "/anything"),
        ("/prod/v1/keys/1", "ANY /v1/{proxy+}", "/prod/v1/keys/1"),
        ("/mcp", "ANY /a/b/mcp", "/mcp"),
        (None, "ANY /mcp", ""),
    ],
)
def test_a_stage_or_a_domains_mapping_before_the_route_is_no_part_of_the_path(
    raw_path: str | None, route_key: str | None, path: str
) -> None:
    assert http_request({"rawPath": raw_path, "routeKey": route_key}).path == path
