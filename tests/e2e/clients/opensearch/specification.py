"""OpenAPI of the four operations for which `opensearch-mcp-server-py` generates tools, and an address that serves it.

The client downloads two files of this form at its start, from an address that is a constant of one of its modules.
"""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

_INDEX: Final = {"name": "index", "in": "path", "required": True, "schema": {"type": "string"}}
_ID: Final = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
_BODY: Final = {"content": {"application/json": {"schema": {"type": "object"}}}}


def _paths(group: str, description: str, *paths: str, body: Any = _BODY) -> dict[str, Any]:
    """Return an operation's paths."""
    return {path: {"get": _operation(group, description, path, body)} for path in paths}


def _operation(group: str, description: str, path: str, body: Any) -> dict[str, Any]:
    parameters = [each for each in (_INDEX, _ID) if f"{{{each['name']}}}" in path]
    operation = {"x-operation-group": group, "description": description, "parameters": parameters}
    return operation if body is None else {**operation, "requestBody": body}


_FILES: Final = {
    "/cluster.yaml": _paths(
        *("cluster.health", "Returns the health of the cluster."),
        *("/_cluster/health", "/_cluster/health/{index}"),
        body=None,
    ),
    "/_core.yaml": {
        **_paths("count", "Returns the number of documents.", "/_count", "/{index}/_count"),
        **_paths("msearch", "Runs several searches.", "/_msearch", "/{index}/_msearch"),
        **_paths("explain", "Explains a score.", "/{index}/_explain/{id}"),
    },
}


@contextmanager
def served_specification() -> Generator[str]:
    """The address below which both files are, until the end of the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}"
        finally:
            listening.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # the name is the library's
        paths = _FILES.get(self.path)
        # JSON is YAML.
        body = json.dumps({"openapi": "3.1.0", "paths": paths}).encode()
        self.send_response(404 if paths is None else 200)
        self.send_header("content-type", "application/yaml")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Nothing."""
