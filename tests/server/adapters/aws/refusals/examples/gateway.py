"""Examples of routes and of the API."""

from collections.abc import Mapping
from typing import Final

from tests.server.adapters.aws.refusals.examples.building import Example, function, of, resource, routes, template

_NUMBERS: Final = range(6)


def _many(kind: str, count: int, **properties: object) -> dict[str, object]:
    return {f"One{number}": resource(kind, **properties) for number in range(count)}


def _authorizer(seconds: int) -> dict[str, object]:
    address = "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/functions/${Decides.Arn}/invocations"
    return {
        "Decides": function(Timeout=seconds),
        "Key": resource("ApiGatewayV2::Authorizer", AuthorizerUri={"Fn::Sub": address}),
    }


EXAMPLES: Final[Mapping[str, Example]] = {
    "route-trailing-slash": Example(
        template(routes("ANY /mcp/")),
        template(routes("ANY /mcp", "GET /", "ANY /mcp/{proxy+}")),
    ),
    "route-equal-keys": Example(
        template(routes("ANY /mcp", "ANY /mcp")), template(routes("ANY /mcp", "POST /mcp", "$default"))
    ),
    "route-key-form": Example(template(routes("any /mcp")), template(routes("ANY /mcp", "GET /", "$default"))),
    "route-segments": Example(
        template(routes("GET /v1/{a}:{b}")),
        template(routes("GET /v1/{a}/{proxy+}", "GET /.well-known/a_b", "GET /")),
    ),
    "route-variable-names": Example(
        template(routes("ANY /{name}/retrieve", "ANY /{resource}/retrieve")),
        template(routes("ANY /{name}/retrieve", "ANY /{name}/status", "ANY /{proxy+}", "ANY /a/{resource}")),
    ),
    "routes-per-api": Example(
        template(routes(*(f"GET /{number}" for number in range(301)), chained=True)),
        template(routes(*(f"GET /{number}" for number in range(300)), chained=True)),
    ),
    "routes-created-at-once": Example(
        template(routes(*(f"GET /{number}" for number in _NUMBERS))),
        template(routes(*(f"GET /{number}" for number in _NUMBERS), chained=True)),
    ),
    "integration-timeout": of("ApiGatewayV2::Integration", {"TimeoutInMillis": 30_001}, {"TimeoutInMillis": 30_000}),
    "integrations-per-api": Example(
        template(_many("ApiGatewayV2::Integration", 301)), template(_many("ApiGatewayV2::Integration", 300))
    ),
    "authorizers-per-api": Example(
        template(_many("ApiGatewayV2::Authorizer", 11)), template(_many("ApiGatewayV2::Authorizer", 10))
    ),
    "authorizer-timeout": Example(template(_authorizer(11)), template(_authorizer(10))),
    "authorizer-cache": of(
        "ApiGatewayV2::Authorizer",
        {"AuthorizerResultTtlInSeconds": 3_601},
        {"AuthorizerResultTtlInSeconds": 3_600},
    ),
    "access-log-format": of(
        "ApiGatewayV2::Stage",
        {"AccessLogSettings": {"Format": "x" * 3_073}},
        {"AccessLogSettings": {"Format": "x" * 3_072}},
    ),
    "reserved-header": of(
        "ApiGatewayV2::Integration",
        {"RequestParameters": {"overwrite:header.X-Amz-User": "$context.authorizer.user"}},
        {"RequestParameters": {"overwrite:header.x-user-id": "$context.authorizer.user"}},
    ),
}
EQUAL_WITHOUT_SLASH: Final = template(routes("ANY /mcp", "ANY /mcp/"))
"""A template that also breaks the rule of the slash: no route can have the key of another but for a slash alone."""
