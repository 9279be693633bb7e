"""Calls that cost little: constants, preflights and unknown paths read nothing, write nothing and load no framework."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[4]
FRAMEWORK: Final = {"fastapi", "starlette", "mangum", "pydantic", "anyio"}
STORES: Final = {"boto3", "botocore.session", "opensearchpy", "numpy", "onnxruntime"}
DEPLOYMENT: Final = {
    "AWS_LAMBDA_FUNCTION_NAME": "function",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "GROUNDWIRE_KEYS_TABLE": "keys",
    "GROUNDWIRE_USERS_TABLE": "users",
    "GROUNDWIRE_DOCUMENTS_TABLE": "documents",
    "GROUNDWIRE_SESSIONS_TABLE": "sessions",
    "GROUNDWIRE_AUDIT_LOG_GROUP": "audit",
    "GROUNDWIRE_SECRET": "secret",
    "GROUNDWIRE_BUCKET": "bucket",
    "GROUNDWIRE_PUBLIC_URL": "https://api.example",
    "GROUNDWIRE_ALLOWED_ORIGINS": "https://app.example",
    "POWERTOOLS_METRICS_DISABLED": "true",
}
"""Settings of a deployment, none of which exists: whoever asks for one fails."""

_CALL: Final = """
import json, sys, time
from pathlib import Path
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LocalLambdaContext, load_function
from groundwire.entry.gateway.template import FunctionSpec
before = set(sys.modules)
function, method, path, route, origin = sys.argv[1:6]
headers = (("host", "api.example"), ("origin", origin), ("authorization", "Bearer gw_local_x"))
event = function_event(GatewayRequest(method, path, "", headers, b"", "127.0.0.1"), route, {})
spec = FunctionSpec("F", Path(sys.argv[6]), "handler", 3, 128)
answer = load_function(spec).invoke(authorizer_event(event) if function == "authorizer" else event)
print(json.dumps({"answer": answer, "modules": sorted(sys.modules)}))
"""


def call(function: str, method: str, path: str, route: str, origin: str = "https://app.example") -> dict[str, Any]:
    """The answer of a deployed function in a process of its own, and the modules that it loaded."""
    app = ROOT / "functions" / function / "app.py"
    done = subprocess.run(
        [sys.executable, "-c", _CALL, function, method, path, route, origin, str(app)],
        capture_output=True,
        check=True,
        env=DEPLOYMENT,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("function", "path", "route"),
    [
        ("mcp", "/mcp", "ANY /mcp"),
        ("mcp", "/edgeai/mcp", "ANY /edgeai/mcp"),
        ("api", "/v1/search", "ANY /v1/{proxy+}"),
        ("api", "/agents('n')/retrieve", "ANY /{resource}/retrieve"),
        ("api", "/mcp/", "$default"),
        ("api", "/nowhere/at/all", "$default"),
    ],
)
@pytest.mark.parametrize(("origin", "status"), [("https://app.example", 204), ("https://evil.example", 403)])
def test_a_preflight_is_answered_without_store_secret_and_framework(
    function: str, path: str, route: str, origin: str, status: int
) -> None:
    done = call(function, "OPTIONS", path, route, origin)
    assert done["answer"]["statusCode"] == status
    assert done["answer"]["headers"].get("access-control-allow-origin") == (origin if status == 204 else None)
    assert not (FRAMEWORK | STORES) & set(done["modules"])


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("OPTIONS", "/mcp", "ANY /mcp"),
        ("OPTIONS", "/v1/search", "ANY /v1/{proxy+}"),
        ("OPTIONS", "/opensearch/", "$default"),
        ("GET", "/health/", "$default"),
        ("GET", "/open/token/", "$default"),
        ("POST", "/nowhere/at/all", "$default"),
        ("POST", "/nowhere", "ANY /{resource}"),
    ],
)
def test_the_authorizer_reads_no_key_where_none_counts(method: str, path: str, route: str) -> None:
    done = call("authorizer", method, path, route)
    context = done["answer"]["context"]
    assert done["answer"]["isAuthorized"] is True
    assert (context["decision"], context["reason"]) == ("unauthenticated", "no_credential")
    assert not (FRAMEWORK | STORES) & set(done["modules"])


@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        ("/health", "GET /health", 200),
        ("/health/", "$default", 200),
        ("/", "GET /", 200),
        ("/mcp/server-card", "GET /mcp/server-card", 200),
        ("/.well-known/oauth-protected-resource/mcp", "GET /.well-known/oauth-protected-resource/mcp", 404),
        ("/nowhere", "ANY /{resource}", 404),
        ("/nowhere/at/all", "$default", 404),
    ],
)
def test_a_constant_is_answered_without_store_and_framework(path: str, route: str, status: int) -> None:
    done = call("api", "GET", path, route)
    assert done["answer"]["statusCode"] == status
    assert not (FRAMEWORK | STORES) & set(done["modules"])


def test_a_link_is_opened_without_framework() -> None:
    done = call("api", "GET", "/open/forged", "GET /open/{token}")
    # Its secret does not exist.
    assert done["answer"]["statusCode"] == 503
    assert not FRAMEWORK & set(done["modules"])
