"""Writes a document to a NextGen collection whose service refuses chosen ids."""

import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from opensearchpy import OpenSearch

from groundwire.domain.access import policy
from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import DomainError
from groundwire.ports import DocumentVersion, ModelId, SegmentInput
from groundwire.ports.indexes import IndexKind

if TYPE_CHECKING:
    from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes
    from groundwire.adapters.opensearch.connection.client import EngineClient
else:
    # In earlier trees the adapter is below `aws`.
    _ADAPTER = next(
        each
        for each in ("groundwire.adapters.opensearch", "groundwire.adapters.aws.opensearch")
        if find_spec(each) is not None
    )
    SERVICES, OpenSearchIndexes = (getattr(import_module(_ADAPTER), each) for each in ("SERVICES", "OpenSearchIndexes"))
    EngineClient = import_module(f"{_ADAPTER}.connection.client").EngineClient

_REFUSAL = "Document ID is not supported in create/index operation request"
_MODEL = ModelId("probe", 2)


class _Engine(EngineClient):
    """A collection that holds mappings alone and gives out ids itself."""

    def __init__(self) -> None:
        super().__init__(OpenSearch(hosts=["http://127.0.0.1:1"]), login=None)
        self.refused = 0
        self._mappings: dict[str, dict[str, Any]] = {}

    def request(self, method: str, path: str, body: Any, deadline: Any) -> Any:
        name = path.strip("/").split("/")[0].partition("?")[0]
        if method == "GET" and "_mapping" in path:
            return {name: self._mappings.get(name, {"mappings": {}})}
        if method == "PUT" and "_mapping" in path:
            known = self._mappings.setdefault(name, {"mappings": {}})["mappings"]
            known.update({key: value for key, value in (body or {}).items() if key != "properties"})
            known.setdefault("properties", {}).update((body or {}).get("properties", {}))
        elif method == "PUT":
            self._mappings[name] = dict(body or {"mappings": {}})
        if "_search" in path:
            return {"hits": {"hits": [], "total": {"value": 0}}, "_shards": {"failed": 0}, "timed_out": False}
        return {"acknowledged": True, "count": 0}

    def multi_search(self, index: str, bodies: Sequence[Mapping[str, Any]], deadline: Any) -> list[Any]:
        return [{"hits": {"hits": []}} for _ in bodies]

    def bulk(self, lines: str, *, refresh: bool, deadline: Any) -> list[Any]:
        actions = [json.loads(line) for line in lines.splitlines()]
        return [self._result(action) for action in actions if len(action) == 1 and {"index", "create"} & action.keys()]

    def _result(self, action: Mapping[str, Any]) -> dict[str, Any]:
        ((kind, target),) = action.items()
        if "_id" not in target:
            return {kind: {"status": 201, "_id": "made-by-the-service"}}
        self.refused += 1
        return {kind: {"status": 400, "error": {"type": "illegal_argument_exception", "reason": _REFUSAL}}}


class _Generations:
    """Keeps in memory which index of the tenant is live."""

    def __init__(self) -> None:
        self._state: Any = None

    def read(self, tenant: str) -> Any:
        return self._state

    def write(self, tenant: str, state: Any, expected: Any) -> None:
        self._state = state

    def delete(self, tenant: str) -> None:
        self._state = None


def _main() -> None:
    engine = _Engine()
    indexes = OpenSearchIndexes(engine, SERVICES["serverless-nextgen"], IndexKind.PASSAGES, _Generations(), _MODEL)
    everybody = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    # Trees from before ceilings take a policy alone.
    readers: Any = policy.single_policy(everybody) if hasattr(policy, "single_policy") else everybody
    text = "The office opens at nine."
    segment = Segment("d_1.0123456789abcdef", "d_1", 1, "default", 0, text, (), None, None, text, text)
    rows = [SegmentInput(segment, array("f", (0.6, 0.8)).tobytes())]
    try:
        indexes.for_tenant("t_acme").put(DocumentVersion("d_1", 1), readers, rows)
    except DomainError as error:
        if not engine.refused:
            raise
        found = [f"a document cannot be written: {error}"]
    else:
        found = []
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main()
