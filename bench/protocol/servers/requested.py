"""What each server program does with its arguments; the standard library only, since it runs beside any of them.

`cold OPERATION` answers once and prints the answer. `warm CALLS` answers each operation that often, in blocks that
take turns, and prints the medians in microseconds as JSON.
"""

import json
import sys
from collections.abc import Callable, Mapping
from time import perf_counter

JSON_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
_CLIENT = {"name": "bench", "version": "1.0.0"}
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": _CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOOL = "verify_document_access"
ARGUMENTS = {"segment_uid": "doc_0000000000000000.0123456789abcdef"}
"""A citation of nothing: ours looks it up in its registry, a peer answers a constant."""
_BLOCK = 50

Answer = Callable[[], str]


def body(operation: str) -> str:
    """The message of a 2025-11-25 client; `discover` is one of 2026-07-28."""
    method, params = {
        "initialize": ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT}),
        "discover": ("server/discover", {"_meta": _ENVELOPE}),
        "list": ("tools/list", {}),
        "call": ("tools/call", {"name": TOOL, "arguments": ARGUMENTS}),
    }[operation]
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def headers(operation: str) -> dict[str, str]:
    """Those that go with it."""
    if operation == "discover":
        return {**JSON_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover"}
    return JSON_HEADERS if operation == "initialize" else {**JSON_HEADERS, "mcp-protocol-version": "2025-11-25"}


def event(operation: str) -> dict[str, object]:
    """The call as API Gateway's payload format 2.0."""
    return {
        "version": "2.0",
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": {"host": "127.0.0.1:8080", **headers(operation)},
        "requestContext": {
            "http": {"method": "POST", "path": "/mcp", "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"},
            "requestId": "00000000-0000-4000-8000-000000000000",
            "stage": "$default",
        },
        "body": body(operation),
        "isBase64Encoded": False,
    }


def main(operations: Mapping[str, Answer]) -> None:
    """Run the measurement that the command line names."""
    how, what = sys.argv[1:3]
    if how == "cold":
        print(operations[what]())
        return
    # Late: from cold, nothing is loaded here that a server has not asked for.
    from statistics import median

    taken: dict[str, list[float]] = {name: [] for name in operations}
    for _ in range(max(1, int(what) // _BLOCK)):
        for name, answer in operations.items():
            taken[name] += _block(answer)
    print(json.dumps({name: median(times) for name, times in taken.items()}))


def _block(answer: Answer) -> list[float]:
    answer()
    taken: list[float] = []
    for _ in range(_BLOCK):
        started = perf_counter()
        answer()
        taken.append((perf_counter() - started) * 1e6)
    return taken
