"""A function that has no stores answers so, in the form of every retryable error."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, time
from groundwire.entry.gateway.events import GatewayRequest, function_event
from groundwire.entry.gateway.lambda_runtime import LocalLambdaContext
from groundwire.entry.mcp import handler
body = b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}'
request = GatewayRequest("POST", "/mcp", "", (("content-type", "application/json"),), body, "127.0.0.1")
context = LocalLambdaContext("mcp", "128", time.monotonic() + 3)
print(json.dumps(handler(function_event(request, "ANY /mcp", {}), context)))
"""


def test_a_function_without_stores_states_when_to_retry_and_logs_the_reason(tmp_path: Path) -> None:
    environment = {"AWS_LAMBDA_FUNCTION_NAME": "mcp"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    logged, answer = map(json.loads, done.stdout.splitlines())
    error = json.loads(answer["body"])
    assert answer["statusCode"] == 503
    assert error["id"] == 7
    assert error["error"]["code"] == -32000
    assert error["error"]["data"]["retry_after_s"] == int(answer["headers"]["retry-after"])
    assert "deploy the stack" in logged["message"]
    assert "stack" not in answer["body"]
