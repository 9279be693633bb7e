"""A function pays only for what it uses: the MCP path and the REST path never import each other's libraries."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]

_LOAD = """
import json, sys
from pathlib import Path
from groundwire.entry.gateway.lambda_runtime import load_function
from groundwire.entry.gateway.template import FunctionSpec
load_function(FunctionSpec("F", Path(sys.argv[1]), "handler", 3, 128))
print(json.dumps(sorted(sys.modules)))
"""


def imported_by(function: str) -> set[str]:
    app = ROOT / "functions" / function / "app.py"
    done = subprocess.run([sys.executable, "-c", _LOAD, str(app)], capture_output=True, check=True, env={})
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("function", ["mcp", "authorizer"])
def test_the_mcp_path_imports_no_web_framework_no_validation_and_no_cloud_library(function: str) -> None:
    heavy = {"fastapi", "starlette", "mangum", "pydantic", "boto3", "botocore.session", "numpy", "onnxruntime", "xberg"}
    assert not heavy & imported_by(function)


def test_the_path_of_calls_to_other_systems_imports_its_messages_and_no_store_framework_or_library() -> None:
    modules = imported_by("sources")
    assert "groundwire.domain.sources.messages" in modules
    heavy = {"fastapi", "starlette", "mangum", "pydantic", "boto3", "botocore", "numpy", "onnxruntime", "jwt"}
    assert not {*heavy, "cryptography", "opensearchpy", "aws_lambda_powertools"} & modules
    own = ("dialects", "adapters", "services", "entry.rest", "entry.mcp", "wiring.search")
    clients = (
        "groundwire_mcp",
        "groundwire_egress.client",
        "groundwire_egress.mcp_client.client",
        "groundwire_readers.parser",
    )
    assert "groundwire_readers.parser" not in modules
    assert not {name for name in modules if name.startswith((*clients, *(f"groundwire.{each}" for each in own)))}


def test_the_rest_path_starts_without_a_web_framework_and_without_mcp() -> None:
    modules = imported_by("api")
    assert not {"fastapi", "starlette", "mangum", "pydantic", "boto3", "numpy", "onnxruntime"} & modules
    assert not {name for name in modules if name.startswith(("groundwire_mcp.server", "groundwire.dialects"))}
    assert not {"groundwire.entry.mcp", "groundwire.entry.authorizer"} & modules
