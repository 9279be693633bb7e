"""Files before they are sent, with what the service knows of them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from groundwire.domain.access.policy import Readers
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.access.policy_source import SourcedPolicy, effective_policy
from groundwire.domain.documents import metadata
from groundwire.entry.cli.console import Row
from groundwire.entry.serialization.readers import readers_from_json, sourced_policy_from_json
from groundwire.services.ingest.request import IngestRequest


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file, and what the service knows of it.

    Attributes:
        stored: record of its document at the service; None without one.
        policy: readers that the service will give it.
    """

    request: IngestRequest
    content: bytes
    doc_id: str
    digest: str
    stored: Row | None
    policy: SourcedPolicy

    @property
    def before(self) -> Readers | None:
        """Readers at the service; None where it has no version that can be read."""
        if self.stored is None or self.stored["state"] != "indexed":
            return None
        return readers_from_json(self.stored)

    @property
    def after(self) -> Readers:
        """Readers that the service will give it."""
        return self.policy.readers

    @property
    def has_same_policy(self) -> bool:
        """Return whether the service's document has the declared policy already."""
        return self.stored is not None and self.stored["policy"] == policy_to_mapping(self.policy.policy)

    @property
    def is_unchanged(self) -> bool:
        """Return whether the service has this content under this metadata."""
        return self.stored is not None and _is_unchanged(self.stored, self.request, self.digest)


def stable_document_id(request: IngestRequest, roots: Sequence[Path]) -> str:
    """Return the id of a file's document: the same for the same collection and path below the named folder."""
    path = Path(request.source_path)
    containing_roots = (root.absolute() for root in roots if root.is_dir() and path.is_relative_to(root.absolute()))
    root = next(containing_roots, path.parent)
    # No name has a zero byte, so that two pairs never make one text.
    identity = f"{request.collection}\0{path.relative_to(root).as_posix()}"
    return f"file_{hashlib.sha256(identity.encode()).hexdigest()[:20]}"


def _is_unchanged(document: Row, request: IngestRequest, digest: str) -> bool:
    wanted = cast("Mapping[str, object]", json.loads(metadata.to_json(request.metadata)))
    stored = cast("Mapping[str, object]", document["metadata"])
    return (
        document["state"] == "indexed"
        and document["content_hash"] == digest
        and document["source_url"] == request.source_url
        and all(stored.get(name) == value for name, value in wanted.items())
    )


def policy_at_service(request: IngestRequest, stored: Row | None) -> SourcedPolicy:
    """Return the policy that a file gets at the service, by the rule of `effective_policy`.

    Args:
        request: the file, with what options and policy files declare.
        stored: record of its document at the service; None without one.
    """
    if isinstance(request.policy, SourcedPolicy):
        return request.policy
    if stored is None:
        return effective_policy(request.policy, None, None)
    return effective_policy(request.policy, None, sourced_policy_from_json(stored))
