"""Files as requests: each under the policy of the options or of the nearest policy file, with what is said of it."""

from collections.abc import Iterable
from pathlib import Path

from groundwire import wiring
from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.metadata import NONE, Metadata, overlaid
from groundwire.domain.source_urls import cleaned_url
from groundwire.services.ingest.request import IngestRequest


class FileRequests:
    """Makes them for one collection; the files themselves are read when their turn has come."""

    def __init__(
        self,
        tenant: str,
        collection: str,
        given: Policy | None = None,
        metadata: Metadata = NONE,
        doc_id: str | None = None,
        source_url: str | None = None,
    ) -> None:
        self._tenant = tenant
        self._collection = collection
        self._given = given
        self._said = metadata
        self._doc_id = doc_id
        self._source_url = None if source_url is None else cleaned_url(source_url)
        # What is given by hand while a long run goes on is newer than what this reads.
        self._decided_at = wiring.current().clock()
        self._policies = wiring.current().policy_files()
        self._metadata = wiring.current().metadata_files()

    def beneath(self, paths: Iterable[Path]) -> list[IngestRequest]:
        """For all files at and beneath the paths; Raises Invalid where --id or --url would be those of several."""
        requests = [self.of(file) for file in wiring.current().find_files(paths)]
        if len(requests) != 1 and (self._doc_id or self._source_url):
            raise Invalid("--id and --url are for a single file.")
        return requests

    def of(self, file: Path) -> IngestRequest:
        """A policy or metadata file that cannot be understood is an error at once; Raises Invalid."""
        services = wiring.current()
        return IngestRequest(
            tenant=self._tenant,
            collection=self._collection,
            source_path=services.readable(file.absolute()),
            file_name=services.readable(Path(file.name)),
            read=lambda: services.read_file(file),
            policy=self._policy(file),
            doc_id=self._doc_id,
            source_url=self._source_url,
            metadata=overlaid(self._metadata.of(file), self._said),
            decided_at=self._decided_at,
        )

    def _policy(self, file: Path) -> Policy:
        in_file = self._policies.nearest(file)
        if self._given is not None and in_file is not None and in_file != self._given:
            name = wiring.current().readable(Path(file.name))
            raise Invalid(f"A .policy.yaml says who may read {name}: leave the options out, or change that file.")
        return self._given or in_file or NOBODY
