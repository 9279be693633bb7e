"""The stack grants nothing that is not needed, keeps nothing for ever, and decides about every call."""

import ast
from pathlib import Path
from typing import Any

import pytest

from groundwire.entry.gateway.cloudformation import load

ROOT = Path(__file__).parents[2]
TEMPLATE: dict[str, Any] = load(ROOT / "template.yaml")
RESOURCES: dict[str, dict[str, Any]] = TEMPLATE["Resources"]


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    return {name: resource["Properties"] for name, resource in RESOURCES.items() if resource["Type"] == kind}


FUNCTIONS = of_type("AWS::Serverless::Function")
ROLES = of_type("AWS::IAM::Role")
ROUTES = {route["RouteKey"]: route for route in of_type("AWS::ApiGatewayV2::Route").values()}
TABLES = of_type("AWS::DynamoDB::Table")
LOG_GROUPS = of_type("AWS::Logs::LogGroup")


def as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def statements(role: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for policy in role["Policies"] for line in policy["PolicyDocument"]["Statement"]]


def named(resource: dict[str, Any]) -> str:
    """The logical id that an ARN is of, and the index, where it is one of a table."""
    if "Ref" in resource:
        # The ARN is what a secret is referred to by.
        assert RESOURCES[resource["Ref"]]["Type"] == "AWS::SecretsManager::Secret"
        return str(resource["Ref"])
    if "Fn::Sub" in resource:
        table, _, index = resource["Fn::Sub"].removeprefix("${").partition(".Arn}/index/")
        assert index.replace("-", "").isalpha()
        return f"{table}/{index}"
    name, attribute = resource["Fn::GetAtt"]
    assert attribute == "Arn"
    return name


def granted(role: str) -> dict[str, set[str]]:
    """Logical id of each resource to the actions allowed on it."""
    grants: dict[str, set[str]] = {}
    for statement in statements(ROLES[role]):
        for resource in as_list(statement["Resource"]):
            name = named(resource)
            grants.setdefault(name, set()).update(as_list(statement["Action"]))
    return grants


READ_SECRET = {"secretsmanager:GetSecretValue"}
WRITE_LOG = {"logs:CreateLogStream", "logs:PutLogEvents"}


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (
            "AuthorizerRole",
            {
                "AuthorizerLogGroup": WRITE_LOG,
                "KeysTable": {"dynamodb:GetItem", "dynamodb:UpdateItem"},
                "UsersTable": {"dynamodb:GetItem"},
                "Secret": READ_SECRET,
            },
        ),
        (
            "McpRole",
            {
                "McpLogGroup": WRITE_LOG,
                "AuditLogGroup": WRITE_LOG,
                "DocumentsTable": {"dynamodb:BatchGetItem", "dynamodb:Query"},
                "DocumentsTable/by-collection": {"dynamodb:Query"},
                "SessionsTable": {
                    "dynamodb:DeleteItem",
                    "dynamodb:GetItem",
                    "dynamodb:PutItem",
                    "dynamodb:UpdateItem",
                },
                "Secret": READ_SECRET,
            },
        ),
        (
            "ApiRole",
            {
                "ApiLogGroup": WRITE_LOG,
                "AuditLogGroup": WRITE_LOG,
                "DocumentsTable": {"dynamodb:BatchGetItem"},
                "Secret": READ_SECRET,
            },
        ),
    ],
)
def test_each_role_may_do_exactly_this(role: str, expected: dict[str, set[str]]) -> None:
    assert granted(role) == expected


def test_no_role_has_a_wildcard_or_a_managed_policy_and_only_lambda_assumes_it() -> None:
    for role in ROLES.values():
        assert "ManagedPolicyArns" not in role
        trust = role["AssumeRolePolicyDocument"]["Statement"]
        assert [line["Principal"] for line in trust] == [{"Service": "lambda.amazonaws.com"}]
        for statement in statements(role):
            texts = as_list(statement["Action"]) + [r for r in as_list(statement["Resource"]) if isinstance(r, str)]
            assert not [text for text in texts if "*" in text]


def test_every_function_has_a_role_and_a_log_group_of_its_own() -> None:
    roles = [function["Role"]["Fn::GetAtt"][0] for function in FUNCTIONS.values()]
    groups = [function["LoggingConfig"]["LogGroup"]["Ref"] for function in FUNCTIONS.values()]
    assert sorted(roles) == sorted(ROLES)
    assert len(set(groups)) == len(FUNCTIONS)
    for role, group in zip(roles, groups, strict=True):
        assert granted(role)[group] == WRITE_LOG


def test_the_gateway_may_call_each_function_through_its_own_routes_only() -> None:
    sources = [permission["SourceArn"]["Fn::Sub"] for permission in of_type("AWS::Lambda::Permission").values()]
    prefix = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${HttpApi}"
    assert sorted(source.removeprefix(prefix) for source in sources) == [
        "/$default/*/mcp",
        "/$default/GET/",
        "/$default/GET/.well-known/ai-catalog.json",
        "/$default/GET/.well-known/oauth-protected-resource",
        "/$default/GET/.well-known/oauth-protected-resource/mcp",
        "/$default/GET/health",
        "/$default/GET/mcp/server-card",
        "/$default/GET/open/{token}",
        "/authorizers/${KeyAuthorizer}",
    ]


def test_no_log_is_kept_for_ever_and_the_audit_outlives_the_stack() -> None:
    for name, group in LOG_GROUPS.items():
        assert "Ref" in group["RetentionInDays"], name
    assert RESOURCES["AuditLogGroup"]["DeletionPolicy"] == "Retain"


def test_access_logs_hold_no_query_no_path_and_no_header() -> None:
    (stage,) = of_type("AWS::ApiGatewayV2::Stage").values()
    logged = stage["AccessLogSettings"]["Format"]
    assert "$context.routeKey" in logged
    for secret in ("querystring", "$context.path", "uthorization", "header", "$context.authorizer.key", "domainName"):
        assert secret not in logged
    assert len(logged) < 3_000


def test_the_authorizer_sees_every_call() -> None:
    (authorizer,) = of_type("AWS::ApiGatewayV2::Authorizer").values()
    assert authorizer["AuthorizerResultTtlInSeconds"] == 0
    assert "IdentitySource" not in authorizer
    assert authorizer["AuthorizerType"] == "REQUEST"
    assert authorizer["AuthorizerPayloadFormatVersion"] == "2.0"
    assert authorizer["EnableSimpleResponses"] is True


def test_only_links_the_sign_of_life_and_what_a_client_reads_before_it_has_a_key_are_open() -> None:
    kinds = {key: route["AuthorizationType"] for key, route in ROUTES.items()}
    assert kinds == {
        "ANY /mcp": "CUSTOM",
        "GET /open/{token}": "NONE",
        "GET /": "NONE",
        "GET /health": "NONE",
        "GET /.well-known/oauth-protected-resource": "NONE",
        "GET /.well-known/oauth-protected-resource/mcp": "NONE",
        "GET /.well-known/ai-catalog.json": "NONE",
        "GET /mcp/server-card": "NONE",
    }


def test_every_function_knows_the_same_identity_provider() -> None:
    shared = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
    oauth = {name: value["Ref"] for name, value in shared.items() if name.startswith("GROUNDWIRE_OAUTH_")}
    assert len(oauth) == 7
    assert all(TEMPLATE["Parameters"][parameter]["Default"] == "" for parameter in oauth.values())


def test_identity_headers_are_overwritten_with_what_the_authorizer_decided() -> None:
    assert RESOURCES["McpIntegration"]["Properties"]["RequestParameters"] == {
        "overwrite:header.x-user-id": "$context.authorizer.headerUser",
        "overwrite:header.x-session-tags": "$context.authorizer.headerTags",
    }


def test_no_page_of_another_origin_is_invited() -> None:
    (api,) = of_type("AWS::ApiGatewayV2::Api").values()
    assert "CorsConfiguration" not in api


def test_functions_end_before_the_gateway_gives_up_on_them() -> None:
    for name, function in FUNCTIONS.items():
        assert function["Timeout"] < (10 if name == "AuthorizerFunction" else 30)
    for integration in of_type("AWS::ApiGatewayV2::Integration").values():
        assert integration["TimeoutInMillis"] <= 30_000


def test_every_table_is_encrypted_recoverable_and_paid_by_use() -> None:
    for table in TABLES.values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["SSESpecification"] == {"SSEEnabled": True}
    assert TABLES["SessionsTable"]["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    kept = {name for name in TABLES if RESOURCES[name]["DeletionPolicy"] == "Retain"}
    assert kept == {"KeysTable", "UsersTable", "DocumentsTable"}


def test_no_index_over_the_keys_tells_a_moment_too_late_which_there_are() -> None:
    assert "GlobalSecondaryIndexes" not in TABLES["KeysTable"]


def test_everything_runs_on_one_architecture_and_one_runtime() -> None:
    shared = TEMPLATE["Globals"]["Function"]
    (layer,) = of_type("AWS::Serverless::LayerVersion").values()
    assert (shared["Architectures"], shared["Runtime"]) == (["arm64"], "python3.13")
    assert layer["CompatibleArchitectures"] == shared["Architectures"]
    assert layer["CompatibleRuntimes"] == [shared["Runtime"]]
    assert f"RUNTIME = {shared['Runtime'].removeprefix('python')}" in (ROOT / "layers/groundwire/Makefile").read_text()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_functions_file_only_binds_a_handler(name: str) -> None:
    folder = ROOT / FUNCTIONS[name]["CodeUri"]
    source = (folder / "app.py").read_text()
    assert len(source.splitlines()) <= 10
    body = ast.parse(source).body
    (imported,) = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert isinstance(imported, ast.ImportFrom)
    assert imported.module == "groundwire.entry.cold_start"
    assert [alias.name for alias in imported.names] == ["handler_of"]
    assert len(body) == 3
    assert RESOURCES[name]["Metadata"] == {"BuildMethod": "makefile"}
    assert f"build-{name}:" in (folder / "Makefile").read_text()
    assert {file.name for file in folder.iterdir()} - {"__pycache__"} == {"app.py", "Makefile"}
