"""The `groundwire` command under a stopwatch: `python -m bench.watched SECONDS.json serve …`.

When the command ends, the file holds one object per outermost call of a watched function: seconds by stage, each
stage without its inner ones. `serve` is watched in what a call of `rag_search` runs through, `demo` in its start.
"""

import json
import sys
from pathlib import Path
from typing import Final

from bench.stopwatch import Stopwatch

GATEWAY: Final = "gateway: routing, events, JSON between functions"
AUTHORIZER: Final = "authorizer: key text, headers, verdict"
ADMISSION: Final = "registry: key and rate, one write"
HANDLER: Final = "handler: event, audit record"
PROTOCOL: Final = "protocol: JSON edge, envelope, JSON out"
TOOL: Final = "rag_search: framing, result"
SEARCH: Final = "search service: fusion, decide"
COLLECTIONS: Final = "registry: collections"
EMBEDDER: Final = "embedder"
INDEX_SEARCH: Final = "index: search"
INDEX_READ: Final = "index: read the best rows"
DOCUMENTS: Final = "registry: documents"
LINKS: Final = "links: sealed"
AUDIT: Final = "audit: chained line"
TELEMETRY: Final = "telemetry: log and metric"

CALL_STAGES: Final = (
    GATEWAY, AUTHORIZER, ADMISSION, HANDLER, PROTOCOL, TOOL, SEARCH, COLLECTIONS, EMBEDDER, INDEX_SEARCH,
    INDEX_READ, DOCUMENTS, LINKS, AUDIT, TELEMETRY,
)  # fmt: skip

IMPORTS: Final = "imports of the command"
PREPARE: Final = "the tenant"
MODEL_CHECK: Final = "the model's files against their hashes"
INGEST: Final = "the sample documents against the registry"
WARM: Final = "model and index loaded, one phrase embedded"
KEYS: Final = "the demo's keys"
FUNCTIONS: Final = "the functions of the template"

START_STAGES: Final = (IMPORTS, PREPARE, MODEL_CHECK, INGEST, WARM, KEYS, FUNCTIONS)


def watch_calls(stopwatch: Stopwatch) -> None:
    """Time the parts of each `rag_search` call."""
    from groundwire.adapters.local.audit import FileAudit
    from groundwire.adapters.local.index.index import EmbeddedIndex
    from groundwire.adapters.local.index.store import rows
    from groundwire.adapters.local.registry.administered.collections import SqliteCollections
    from groundwire.adapters.local.registry.documents import SqliteDocuments
    from groundwire.adapters.local.registry.keys import SqliteKeys
    from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
    from groundwire.dialects.default.rag_search import DefaultRagSearch
    from groundwire.entry.gateway.dispatch import Dispatcher
    from groundwire.entry.mcp import McpHandler
    from groundwire.entry.runtime.telemetry import Telemetry
    from groundwire.services.documents.links.source_links import SourceLinks
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.search import Search, search
    from groundwire_mcp.server import McpServer

    stopwatch.watch(Dispatcher, "authorize", GATEWAY)
    stopwatch.watch(Dispatcher, "invoke", GATEWAY)
    stopwatch.watch(RequestAuthorizer, "__call__", AUTHORIZER)
    stopwatch.watch(SqliteKeys, "admit", ADMISSION)
    stopwatch.watch(McpHandler, "__call__", HANDLER)
    stopwatch.watch(McpServer, "handle", PROTOCOL)
    stopwatch.watch(DefaultRagSearch, "__call__", TOOL)
    stopwatch.watch(Search, "__call__", SEARCH)
    # The index calls it between scoring and reading.
    stopwatch.watch(search, "fuse", SEARCH)
    stopwatch.watch(SqliteCollections, "all", COLLECTIONS)
    stopwatch.watch(OnnxEmbedder, "embed", EMBEDDER)
    stopwatch.watch(EmbeddedIndex, "search", INDEX_SEARCH)
    stopwatch.watch(rows, "read_segments", INDEX_READ)
    stopwatch.watch(SqliteDocuments, "read", DOCUMENTS)
    stopwatch.watch(SourceLinks, "url_for", LINKS)
    stopwatch.watch(FileAudit, "append", AUDIT)
    stopwatch.watch(Telemetry, "record_call", TELEMETRY)


def watch_start(stopwatch: Stopwatch) -> None:
    """The steps from the command to a server that listens."""
    with stopwatch.stage(IMPORTS):
        from groundwire.entry.cli.server import commands, demo_setup
        from groundwire.entry.local_server import server
        from groundwire.wiring.local.upkeep import Upkeep

    stopwatch.watch(commands, "prepare_demo", PREPARE)
    stopwatch.watch(demo_setup, "_build_model", MODEL_CHECK)
    stopwatch.watch(demo_setup, "_ingest", INGEST)
    stopwatch.watch(Upkeep, "warm", WARM)
    stopwatch.watch(demo_setup, "demo_keys", KEYS)
    stopwatch.watch(server, "create_application", FUNCTIONS)


def main() -> None:
    stopwatch = Stopwatch()
    results = Path(sys.argv.pop(1))
    watch = watch_calls if sys.argv[1] == "serve" else watch_start
    watch(stopwatch)
    from groundwire.entry.cli.main import main as groundwire

    try:
        groundwire()
    finally:
        results.write_text(json.dumps(stopwatch.calls), encoding="utf-8")


if __name__ == "__main__":
    main()
