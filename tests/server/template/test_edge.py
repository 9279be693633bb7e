"""The gateway decides about every call, lets no identity through that it did not make, and logs no secret."""

from typing import Any, Final

import pytest

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH
from groundwire.entry.http.oauth_metadata import CHALLENGE_COPY_HEADER, CHALLENGE_HEADER
from tests.support.aws.template.variants import TEMPLATE, variant

STACK: Final = variant()
ROUTES: Final = {route["RouteKey"]: route for route in STACK.of_type("AWS::ApiGatewayV2::Route").values()}
INTEGRATIONS: Final = STACK.of_type("AWS::ApiGatewayV2::Integration")
RESERVED: Final = (
    *("access-control-", "apigw-", "content-", "x-amz-", "x-amzn-", "x-forwarded-"),
    *("authorization", "connection", "forwarded", "host", "origin", "te", "trailers", "transfer-encoding"),
    *("upgrade", "via"),
)
"""Headers that API Gateway does not let a mapping touch: beginnings, and whole names."""
OPEN: Final = {
    *(
        "GET /",
        "GET /console",
        "GET /console/{proxy+}",
        "GET /health",
        "GET /o/{code}",
        "GET /open/{token}",
        "HEAD /o/{code}",
        "HEAD /open/{token}",
        "GET /mcp/server-card",
        "GET /.well-known/ai-catalog.json",
    ),
    *("GET /.well-known/oauth-protected-resource", "GET /.well-known/oauth-protected-resource/mcp"),
    "GET /v1/openapi.json",
}
DEFAULT: Final = "$default"
DECLARED: Final = {
    *("ANY /v1/{proxy+}", f"ANY {SHARED_MCP_PATH}", DEFAULT),
    *(key for dialect in DIALECTS for key in dialect.gateway_keys),
}
"""Routes that need a decision of the authorizer: the REST API, the dialects, and all other paths."""
MAX_ROUTES: Final = 40
MAX_ROUTES_AT_ONCE: Final = 5
"""API Gateway changes an API step by step. Reports name failures from six routes on that change at once."""
GUARDED: Final = [key for key, route in ROUTES.items() if route["AuthorizationType"] != "NONE"]
GUARDING: Final = {"McpIntegration", "V1Integration"}
"""Integrations whose functions refuse calls without a key."""
PREFIX: Final = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${HttpApi}"


def integration_of(key: str) -> dict[str, Any]:
    return INTEGRATIONS[ROUTES[key]["Target"]["Fn::Sub"].removeprefix("integrations/${").removesuffix("}")]


def function_of(key: str) -> str:
    return integration_of(key)["IntegrationUri"]["Fn::GetAtt"][0]


def source_of(key: str) -> str:
    """Return the end of the ARN from which the gateway calls the function of a route."""
    if function_of(key) == function_of(DEFAULT):
        # The route for all paths makes every path one of its function's.
        return "/$default/*"
    method, _, path = key.partition(" ")
    return f"/$default/{method.replace('ANY', '*')}{path}"


def test_only_links_the_sign_of_life_and_what_is_read_before_there_is_a_key_are_open() -> None:
    kinds = {key: route["AuthorizationType"] for key, route in ROUTES.items()}
    assert kinds == {**dict.fromkeys(DECLARED, "CUSTOM"), **dict.fromkeys(OPEN, "NONE")}


def test_no_route_key_but_the_root_ends_in_a_slash_and_no_two_are_equal_without_it() -> None:
    keys = [route["RouteKey"] for route in STACK.of_type("AWS::ApiGatewayV2::Route").values()]
    assert [key for key in keys if key.endswith("/")] == ["GET /"]
    assert len({key.rstrip("/") for key in keys}) == len(keys)


def test_the_template_has_few_routes_and_creates_at_most_five_at_once() -> None:
    routes = {
        name: resource
        for name, resource in TEMPLATE["Resources"].items()
        if resource["Type"] == "AWS::ApiGatewayV2::Route"
    }
    assert len(routes) <= MAX_ROUTES
    after = {name: resource.get("DependsOn") for name, resource in routes.items()}
    assert list(after.values()).count(None) <= MAX_ROUTES_AT_ONCE
    # No route waits for more than one, and no two wait for the same: as many chains as routes that wait for none.
    waited = [each for each in after.values() if each is not None]
    assert set(waited) <= routes.keys()
    assert len(waited) == len(set(waited))
    for name in routes:
        chain = [name]
        while (before := after[chain[-1]]) is not None:
            assert before not in chain
            chain.append(before)


def test_the_stage_is_created_after_the_routes_so_that_the_api_is_deployed_once() -> None:
    routes = {name for name, each in TEMPLATE["Resources"].items() if each["Type"] == "AWS::ApiGatewayV2::Route"}
    waited = {each.get("DependsOn") for name, each in TEMPLATE["Resources"].items() if name in routes}
    assert set(TEMPLATE["Resources"]["DefaultStage"]["DependsOn"]) == routes - waited


def test_the_gateway_leaves_preflights_to_the_functions() -> None:
    # Its own CORS would answer in place of the function, by a list that cannot name the API's own address.
    assert all("CorsConfiguration" not in api for api in STACK.of_type("AWS::ApiGatewayV2::Api").values())


def test_pages_of_the_allowed_origins_may_send_uploads_to_the_bucket_and_no_others() -> None:
    origins = "https://app.example.com https://b.example.com"
    (bucket,) = variant(AllowedOrigins=origins).of_type("AWS::S3::Bucket").values()
    (rule,) = bucket["CorsConfiguration"]["CorsRules"]
    assert rule["AllowedOrigins"] == {"Fn::Split": [" ", origins]}
    assert rule["AllowedMethods"] == ["POST"]
    (bucket,) = STACK.of_type("AWS::S3::Bucket").values()
    assert "CorsConfiguration" not in bucket


@pytest.mark.parametrize("key", GUARDED)
def test_a_guarded_route_asks_the_authorizer(key: str) -> None:
    assert ROUTES[key]["AuthorizerId"] == {"Ref": "KeyAuthorizer"}


def test_the_authorizer_sees_every_call() -> None:
    (authorizer,) = STACK.of_type("AWS::ApiGatewayV2::Authorizer").values()
    assert authorizer["AuthorizerResultTtlInSeconds"] == 0
    assert "IdentitySource" not in authorizer
    assert authorizer["AuthorizerType"] == "REQUEST"
    assert authorizer["AuthorizerPayloadFormatVersion"] == "2.0"
    assert authorizer["EnableSimpleResponses"] is True


@pytest.mark.parametrize("key", GUARDED)
def test_every_guarded_route_overwrites_the_identity_headers_with_what_was_decided(key: str) -> None:
    assert integration_of(key).get("RequestParameters") == {
        "overwrite:header.x-user-id": "$context.authorizer.headerUser",
        "overwrite:header.x-session-tags": "$context.authorizer.headerTags",
    }


@pytest.mark.parametrize("name", INTEGRATIONS)
def test_no_mapping_touches_a_header_that_the_gateway_reserves(name: str) -> None:
    for target in INTEGRATIONS[name].get("RequestParameters", {}):
        action, _, header = target.partition(":header.")
        assert action in {"append", "overwrite", "remove"}
        assert not header.lower().startswith(RESERVED)


def test_the_challenge_is_mapped_on_request_only_and_from_no_reserved_header() -> None:
    assert not any("ResponseParameters" in integration for integration in INTEGRATIONS.values())
    mapped = variant(ChallengeHeader="mapped").of_type("AWS::ApiGatewayV2::Integration")
    rows = [integration["ResponseParameters"]["401"] for name, integration in mapped.items() if name in GUARDING]
    assert len(rows) == len(GUARDING)
    for row in rows:
        [mapping] = row["ResponseParameters"]
        assert mapping == {
            "Destination": f"overwrite:header.{CHALLENGE_HEADER}",
            "Source": f"$response.header.{CHALLENGE_COPY_HEADER}",
        }
    assert not CHALLENGE_HEADER.startswith(RESERVED)
    assert not CHALLENGE_COPY_HEADER.startswith(RESERVED)


@pytest.mark.parametrize("name", INTEGRATIONS)
def test_an_integration_is_whole_and_ends_within_the_gateways_thirty_seconds(name: str) -> None:
    integration = INTEGRATIONS[name]
    assert integration["TimeoutInMillis"] <= 30_000
    assert (integration["IntegrationType"], integration["PayloadFormatVersion"]) == ("AWS_PROXY", "2.0")
    assert integration["IntegrationUri"]["Fn::GetAtt"][1] == "Arn"


def test_functions_end_before_the_gateway_gives_up_on_them() -> None:
    functions = STACK.of_type("AWS::Serverless::Function")
    assert functions["AuthorizerFunction"]["Timeout"] < 10
    for integration in INTEGRATIONS.values():
        assert functions[integration["IntegrationUri"]["Fn::GetAtt"][0]]["Timeout"] < 30


def test_the_gateway_may_call_each_function_through_its_own_routes_only() -> None:
    calling = [p for p in STACK.of_type("AWS::Lambda::Permission").values() if "Fn::Sub" in p["SourceArn"]]
    assert {permission["Principal"] for permission in calling} == {"apigateway.amazonaws.com"}
    sources = {
        (permission["FunctionName"]["Ref"], permission["SourceArn"]["Fn::Sub"].removeprefix(PREFIX))
        for permission in calling
    }
    called = {(function_of(key), source_of(key)) for key in ROUTES}
    assert sources == called | {("AuthorizerFunction", "/authorizers/${KeyAuthorizer}")}


def test_nobody_but_the_gateway_and_the_schedules_is_permitted_to_call_a_function() -> None:
    for stack in (STACK, variant(WarmerSchedule="rate(8 minutes)", DomainName="mcp.example.com")):
        for permission in stack.of_type("AWS::Lambda::Permission").values():
            assert permission["Principal"] in {"apigateway.amazonaws.com", "events.amazonaws.com"}
            assert "SourceArn" in permission
            assert not permission["FunctionName"]["Ref"].startswith("OperatorFunction")
    assert not STACK.of_type("AWS::Lambda::Url")
    assert "'InvokeMode'" not in str(TEMPLATE)


def test_access_logs_hold_no_query_no_path_and_no_header() -> None:
    (stage,) = STACK.of_type("AWS::ApiGatewayV2::Stage").values()
    logged = stage["AccessLogSettings"]["Format"]
    assert "$context.routeKey" in logged
    for secret in ("querystring", "$context.path", "uthorization", "header", "$context.authorizer.key", "domainName"):
        assert secret not in logged
    assert len(logged) < 3_000


def test_the_api_as_a_whole_is_throttled() -> None:
    (stage,) = STACK.of_type("AWS::ApiGatewayV2::Stage").values()
    assert stage["DefaultRouteSettings"]["ThrottlingRateLimit"] > 0
    assert stage["DefaultRouteSettings"]["ThrottlingBurstLimit"] > 0


def test_no_page_of_another_origin_is_invited() -> None:
    (api,) = STACK.of_type("AWS::ApiGatewayV2::Api").values()
    assert "CorsConfiguration" not in api


def addresses(**parameters: Any) -> set[str]:
    stack = variant(**parameters)
    functions = stack.of_type("AWS::Serverless::Function")
    reported = [stack.variables(name).get("GROUNDWIRE_PUBLIC_URL") for name in functions]
    return {str(url) for url in [*reported, stack.outputs["Url"]["Value"]] if url is not None}


def test_links_are_made_from_the_address_that_agents_use() -> None:
    own = "https://${HttpApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}"
    assert addresses() == {str({"Fn::Sub": own})}
    assert addresses(DomainName="mcp.example.com") == {str({"Fn::Sub": "https://${DomainName}"})}
    assert addresses(DomainName="mcp.example.com", PublicUrl="https://front.example.com") == {
        "https://front.example.com"
    }


def test_a_domain_of_ones_own_takes_nothing_older_than_tls_1_2() -> None:
    (domain,) = variant(DomainName="mcp.example.com").of_type("AWS::ApiGatewayV2::DomainName").values()
    (configuration,) = domain["DomainNameConfigurations"]
    assert configuration["SecurityPolicy"] == "TLS_1_2"
