"""Ingestion requests for files, with the policy of the options or the nearest policy file, and with metadata."""

from collections.abc import Iterable
from pathlib import Path

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.metadata import NO_METADATA, Metadata, merge_metadata
from groundwire.domain.documents.source_url import clean_url
from groundwire.domain.errors import InvalidInput
from groundwire.services.ingest.request import IngestRequest


class FileRequests:
    """Factory of the ingestion requests for one collection; each file is read only when it is ingested."""

    def __init__(
        self,
        tenant: str,
        collection: str,
        policy: Policy | None = None,
        metadata: Metadata = NO_METADATA,
        doc_id: str | None = None,
        source_url: str | None = None,
    ) -> None:
        self._tenant = tenant
        self._collection = collection
        self._policy_option = policy
        self._metadata_option = metadata
        self._doc_id = doc_id
        self._source_url = None if source_url is None else clean_url(source_url)
        # A manual override during a long run is newer than the policy files that this reads.
        self._decided_at = wiring.local_services().clock()
        self._policies = wiring.local_services().policy_files()
        self._metadata = wiring.local_services().metadata_files()

    def for_paths(self, paths: Iterable[Path]) -> list[IngestRequest]:
        """Return the requests for all files at and below the paths.

        Raises:
            InvalidInput: --id or --url would apply to several files, or a policy or metadata file is invalid.
        """
        requests = [self.for_file(file) for file in wiring.local_services().find_files(paths)]
        if len(requests) != 1 and (self._doc_id or self._source_url):
            raise InvalidInput("--id and --url are for a single file.")
        return requests

    def for_file(self, file: Path) -> IngestRequest:
        """Return the request for one file.

        Raises:
            InvalidInput: its policy or metadata file is invalid, or contradicts the options.
        """
        services = wiring.local_services()
        return IngestRequest(
            tenant=self._tenant,
            collection=self._collection,
            source_path=services.storable_path(file.absolute()),
            file_name=services.storable_path(Path(file.name)),
            read=lambda: services.read_file(file),
            policy=self._policy(file),
            doc_id=self._doc_id,
            source_url=self._source_url,
            metadata=merge_metadata(self._metadata.metadata_for(file), self._metadata_option),
            decided_at=self._decided_at,
        )

    def _policy(self, file: Path) -> DeclaredPolicy:
        file_policy = self._policies.nearest(file)
        if self._policy_option is not None and file_policy is not None and file_policy != self._policy_option:
            name = wiring.local_services().storable_path(Path(file.name))
            raise InvalidInput(f"A .policy.yaml says who may read {name}: leave the options out, or change that file.")
        return DeclaredPolicy(self._policy_option, file_policy)
