"""A tenant, and one of its users as the client of a dialect."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.metadata import Metadata
from groundwire.services.ingest.request import IngestRequest, IngestStatus
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import Answer, World, caller

JSON: Final = {"content-type": "application/json"}


@dataclass(frozen=True)
class TenantCaller:
    """A tenant; `ana` reads what is open to everybody.

    Attributes:
        key: acts for others.
    """

    world: World
    tenant: str
    key: KeyWithSecret

    @property
    def headers(self) -> dict[str, str]:
        """Those of `ana`'s calls."""
        return {**JSON, **caller(self.key, "ana")}

    def add(
        self,
        doc_id: str,
        text: str,
        policy: Policy = PUBLIC,
        *,
        collection: str = "handbook",
        metadata: Metadata | None = None,
        source_url: str | None = None,
    ) -> None:
        """One more document; each paragraph is a page and a passage."""
        path = f"/files/{doc_id}.txt"
        request = IngestRequest(
            self.tenant,
            collection,
            path,
            Path(path).name,
            text.encode,
            DeclaredPolicy(policy, None),
            doc_id,
            source_url,
            metadata or {},
        )
        [result] = self.world.services.ingestion.batch(self.tenant, collection, [request], lambda _done, _total: None)
        assert result.status is IngestStatus.INDEXED, result

    def send(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer to a call."""
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.world.request(method, path, self.headers if headers is None else {**JSON, **headers}, sent)
