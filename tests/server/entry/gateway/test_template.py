"""The gateway serves the routes of the template, and refuses templates that it does not understand."""

from pathlib import Path

import pytest

from groundwire.dialects import DIALECTS
from groundwire.domain.errors import InvalidInput
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.template import read_routes
from tests.server.entry.gateway.probe import ProbeStack

TEMPLATE = Path(__file__).parents[4] / "template.yaml"


def test_the_products_routes_functions_and_mappings_come_from_its_template() -> None:
    routes = {route.key: route for route in read_routes(TEMPLATE)}
    folders = {key: route.function.file.parent.name for key, route in routes.items()}
    open_ones = {"GET /", "GET /open/{token}", "HEAD /open/{token}", "GET /health", "GET /v1/openapi.json"}
    open_ones |= {"GET /console", "GET /console/{proxy+}"}
    open_ones |= {"GET /o/{code}", "HEAD /o/{code}"}
    open_ones |= {"GET /mcp/server-card", "GET /.well-known/ai-catalog.json"}
    open_ones |= {f"GET /.well-known/oauth-protected-resource{suffix}" for suffix in ("", "/mcp")}
    guarded = dict.fromkeys((key for each in DIALECTS for key in each.gateway_keys), "api")
    guarded |= {f"ANY {path}": "mcp" for each in DIALECTS for path in ("/mcp", *each.mcp_paths)}
    guarded |= dict.fromkeys(("ANY /v1/{proxy+}", "$default"), "api")
    assert folders == {**guarded, **dict.fromkeys(open_ones, "api")}
    authorizers = {key: route.authorizer and route.authorizer.file.parent.name for key, route in routes.items()}
    assert authorizers == {**dict.fromkeys(guarded, "authorizer"), **dict.fromkeys(open_ones)}
    for key in guarded:
        assert routes[key].overwrites == {"x-user-id": "headerUser", "x-session-tags": "headerTags"}
    assert routes["ANY /mcp"].function.timeout_s == 29


@pytest.mark.parametrize(
    ("old", "new", "stated"),
    [
        ("AuthorizationType: CUSTOM", "AuthorizationScopes: []", "AuthorizationType"),
        ("AuthorizationType: CUSTOM", "AuthorizationType: AWS_IAM", "AuthorizationType"),
        ("AuthorizerId: !Ref Authorizer", "AuthorizerId: !Ref Missing", "GuardedRoute"),
        ("AuthorizerResultTtlInSeconds: 0", "AuthorizerResultTtlInSeconds: 300", "TTL 0"),
        ("AuthorizerResultTtlInSeconds: 0", "IdentitySource: [$request.header.x-api-key]", "TTL 0"),
        ("EnableSimpleResponses: true", "EnableSimpleResponses: false", "simple responses"),
        ("overwrite:header.x-user-id", "append:header.x-user-id", "append:header.x-user-id"),
        ("$context.authorizer.headerUser", "$request.header.x-other", "overwrite"),
        ("CodeUri: echo", "CodeUri: gone", "does not exist"),
        ("!GetAtt EchoFunction.Arn", "arn:aws:lambda:eu-central-1:0:function:elsewhere", "EchoIntegration"),
        ("!GetAtt EchoFunction.Arn", "!GetAtt Authorizer.Arn", "AWS::Serverless::Function"),
        ("Resources:", "Resources: ][", "cannot be read"),
    ],
)
def test_what_cannot_be_served_as_written_is_refused_with_its_name(
    own_stack: ProbeStack, old: str, new: str, stated: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_routes(own_stack.rewrite(old, new))
    assert stated in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["", "[]", "Resources: {}", "!!python/object/apply:os.getcwd []"])
def test_a_file_that_is_no_template_is_refused(tmp_path: Path, text: str) -> None:
    template = tmp_path / "template.yaml"
    template.write_text(text)
    with pytest.raises(InvalidInput):
        read_routes(template)
    with pytest.raises(InvalidInput):
        read_routes(tmp_path / "missing.yaml")


def test_a_handler_that_is_not_in_its_file_is_refused_at_the_start(own_stack: ProbeStack) -> None:
    template = own_stack.rewrite("Handler: app.handler", "Handler: app.absent")
    with pytest.raises(InvalidInput, match="no handler named absent"):
        Dispatcher(read_routes(template))
