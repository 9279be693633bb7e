"""Requests to OpenSearch, by service, for one tenant's documents."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from opensearchpy import OpenSearch

from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes
from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.domain.access.policy import single_policy
from groundwire.domain.documents.record import Document
from groundwire.ports import DocumentVersion, GenerationState, ModelId, SegmentInput
from groundwire.ports.indexes import IndexKind

Copied = Sequence[tuple[Document, Sequence[SegmentInput]]]
_TENANT = "t_acme"


class RecordingEngine(EngineClient):
    """Keeps what it is sent, and holds nothing."""

    def __init__(self) -> None:
        super().__init__(OpenSearch(hosts=["http://127.0.0.1:1"]), login=None)
        self.sent: list[dict[str, Any]] = []
        self._mappings: dict[str, Mapping[str, Any]] = {}

    def request(self, method: str, path: str, body: Body | None, deadline: Deadline) -> Any:
        if method == "GET":
            name = path.split("/")[1]
            return {name: self._mappings[name]}
        self.sent.append({"method": method, "path": path, "body": body})
        self._mappings[path.strip("/")] = body or {}
        return {}

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        return [{"hits": {"hits": []}} for _ in bodies]

    def bulk(self, lines: str, *, refresh: bool, deadline: Deadline) -> list[Any]:
        sent = [json.loads(line) for line in lines.splitlines()]
        self.sent.append({"method": "POST", "path": "/_bulk", "lines": sent})
        return [{"index": {"status": 201}} for line in sent if set(line) == {"index"}]


class OneGeneration:
    """Keeps in memory which index answers."""

    def __init__(self) -> None:
        self.generation_state: GenerationState | None = None

    def read(self, tenant: str) -> GenerationState | None:
        return self.generation_state

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        self.generation_state = state

    def delete(self, tenant: str) -> None:
        self.generation_state = None


def write_rows(copied: Copied, model: ModelId) -> Mapping[str, list[dict[str, Any]]]:
    """By service, the requests with which the documents come into an index that is made for them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, rules in SERVICES.items():
        engine = RecordingEngine()
        index = OpenSearchIndexes(engine, rules, IndexKind.PASSAGES, OneGeneration(), model).for_tenant(_TENANT)
        for document, rows in copied:
            version = DocumentVersion(document.doc_id, document.version)
            index.put(version, single_policy(document.policy), rows, document.metadata)
        found[name] = engine.sent
    return found
