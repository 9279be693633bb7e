"""The first answer of the mcp function loads what it uses: a client that asks for tools waits for no search."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.http.authorizer_context import to_context

ROOT: Final = Path(__file__).parents[4]
CALLER: Final = Caller(
    Principal("t_0123456789abcdef", "maria", frozenset({"team:north"})),
    "0" * 12,
    KeyKind.ACT_AS,
    frozenset({Scope.SEARCH}),
    ALL_COLLECTIONS,
    USUAL_OPTIONS,
)
ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIBRARIES: Final = {
    *("aws_lambda_powertools", "boto3", "botocore", "cryptography", "fastapi", "jwt", "mangum", "numpy"),
    *("onnxruntime", "opensearchpy", "pydantic", "starlette", "typing_extensions", "yaml"),
}
OTHERS: Final = {"secrets", "sqlite3", "ssl", "subprocess", "traceback", "urllib.request"}
ROOMS: Final = (
    *("groundwire.domain.documents.", "groundwire.domain.filters", "groundwire.domain.passages"),
    *("groundwire.domain.search.", "groundwire.domain.sources", "groundwire.domain.keys.api_key"),
    *(
        "groundwire.domain.audit.ingestion",
        "groundwire.domain.keys.identity",
        "groundwire.domain.keys.forms.key_text",
    ),
    *("groundwire.ports.", "groundwire.services.search", "groundwire.services.sources", "groundwire_egress"),
    *("groundwire.services.documents", "groundwire.adapters.local.registry", "groundwire_readers"),
    *("groundwire_mcp.definitions.content", "groundwire_mcp.definitions.tool_context"),
)
_PROGRAM: Final = """
import json, sys
from pathlib import Path
event = json.loads(sys.argv[2])
sys.path.insert(0, sys.argv[1])
from app import handler
class Context:
    aws_request_id = "1"
answer = handler(event, Context())
print(json.dumps({"answer": answer, "modules": sorted(sys.modules)}))
"""


def first_answer(home: Path, method: str, params: dict[str, object], headers: dict[str, str]) -> dict[str, Any]:
    """Return the answer of a function in a process of its own, and the modules that it loaded."""
    event = {
        "version": "2.0",
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "headers": {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers},
        "requestContext": {
            "http": {"method": "POST", "path": "/mcp", "sourceIp": "127.0.0.1"},
            "authorizer": {"lambda": to_context(AuthDecision.admit(CALLER))},
        },
        "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(ROOT / "functions" / "mcp"), json.dumps(event)],
        capture_output=True,
        check=True,
        env={"GROUNDWIRE_HOME": str(home), "AWS_LAMBDA_FUNCTION_NAME": "mcp"},
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_a_discovery_loads_no_library_and_no_room_of_search_and_sources(tmp_path: Path) -> None:
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover"}
    done = first_answer(tmp_path, "server/discover", {"_meta": ENVELOPE}, headers)

    assert "supportedVersions" in json.loads(done["answer"]["body"])["result"]
    modules: list[str] = done["modules"]
    assert {name.partition(".")[0] for name in modules} & LIBRARIES == set()
    assert OTHERS & set(modules) == set()
    assert [name for name in modules if name.startswith(ROOMS)] == []


@pytest.mark.parametrize("dialect", ["mindset", "openai", "foundry", "vertex", "azure", "opensearch"])
def test_a_discovery_loads_the_declaration_of_another_dialect_and_no_more(tmp_path: Path, dialect: str) -> None:
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover"}
    modules: list[str] = first_answer(tmp_path, "server/discover", {"_meta": ENVELOPE}, headers)["modules"]

    package = f"groundwire.dialects.{dialect}"
    assert [name for name in modules if name.startswith(package)] == [package]
