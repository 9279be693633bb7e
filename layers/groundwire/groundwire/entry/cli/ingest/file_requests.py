"""Ingestion requests for files, with the policy of the options or the nearest policy file, and with metadata."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.links import clean_url
from groundwire.domain.documents.metadata import NO_METADATA, Metadata, merge_metadata
from groundwire.domain.documents.source_file import Contributor
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.entry.cli.console import warn
from groundwire.ports import SourceObject, SourceObjects
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.runs.listing import ListedFiles, list_documents
from groundwire.services.ingest.runs.patterns import ALL_FILES, PathPatterns
from groundwire.services.ingest.source_objects.file_types import describe_types
from groundwire.services.ingest.source_objects.reading import read_current
from groundwire.services.ingest.source_objects.sidecars import FileAttributes, FilePolicy, SidecarResolver
from groundwire.services.ingest.source_objects.source_paths import METADATA_FILE


@dataclass(frozen=True, slots=True)
class RequestedFiles:
    """Files of a run.

    Attributes:
        requests: one per file to ingest.
        listed: the files at and below the named paths, those that are left out among them.
        folders: the named folders, each with a slash at its end.
        sources: the named folders and files, open until the end of the run.
    """

    requests: list[IngestRequest]
    listed: ListedFiles
    folders: Sequence[str]
    sources: SourceObjects

    def without(self, paths: Collection[str]) -> "RequestedFiles":
        """Return the files without those of these paths."""
        return replace(self, requests=[each for each in self.requests if each.source_path not in paths])

    def is_missing(self, path: str) -> bool:
        """Return whether the path certainly has no file; False where this cannot be determined."""
        try:
            return self.sources.find("", path) is None
        except (InvalidInput, Unavailable):
            return False

    def new_resolver(self) -> SidecarResolver:
        """Return a resolver that reads the sidecar files as they are now."""
        return wiring.local_services().files.sidecar_resolver(self.sources)


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
        operator = wiring.local_services().administration.operator_decision("")
        self._decided_at = operator.decided_at
        # Without a key, so that no key has a right over the document by its contributor.
        self._contributor = Contributor("", operator.decided_by)

    def for_paths(self, paths: Iterable[Path], patterns: PathPatterns = ALL_FILES) -> RequestedFiles:
        """Return the requests for the files at and below the paths; a file that is named itself needs no pattern.

        Raises:
            InvalidInput: --id or --url would apply to several files, two files have one id, or a policy or metadata
                file is invalid.
        """
        services = wiring.local_services()
        sources = services.files.folder_objects(paths, self._decided_at)
        folders = tuple(path for path in sources.named if path.endswith("/"))
        named_files = frozenset(sources.named)

        def is_selected(path: str) -> bool:
            return path in named_files or any(
                patterns.select(path.removeprefix(folder)) for folder in folders if path.startswith(folder)
            )

        listed = list_documents(sources, self._tenant, sources.named).selected(is_selected)
        if len(listed.documents) != 1 and (self._doc_id or self._source_url):
            raise InvalidInput("--id and --url can be used only with a single file.")
        sidecars = services.files.sidecar_resolver(sources)
        requests = [self._request(sources, sidecars, path) for path in listed.documents]
        _check_distinct_ids(requests)
        return RequestedFiles(requests, listed, folders, sources)

    def _request(self, sources: SourceObjects, sidecars: SidecarResolver, path: str) -> IngestRequest:
        """Return the request for one file, or for a folder that cannot be listed.

        Raises:
            InvalidInput: its policy or metadata file is invalid, or contradicts the options.
        """
        file_path = path.removesuffix("/")
        try:
            attributes = sidecars.resolve(SourceObject(file_path, "", 0, {}, self._decided_at))
        except NotFound as error:
            # Without its folder it is unknown which policy file applies.
            raise InvalidInput(str(error)) from error
        return IngestRequest(
            tenant=self._tenant,
            collection=self._collection,
            source_path=file_path,
            file_name=file_path.rpartition("/")[2],
            read=lambda: _read(sources, path),
            policy=self._policy(file_path, attributes.policy),
            doc_id=self._doc_id or attributes.doc_id,
            source_url=self._source_url or _declared_url(file_path, attributes),
            metadata=merge_metadata(attributes.metadata, self._metadata_option),
            decided_at=self._decided_at,
            declare_again=lambda: self._declare(sources, file_path),
            contributor=self._contributor,
        )

    def _declare(self, sources: SourceObjects, path: str) -> DeclaredPolicy:
        """Return what option and policy files declare now.

        Raises:
            InvalidInput: the policy file is invalid, contradicts the options, or its folder is gone.
        """
        try:
            return self._policy(path, wiring.local_services().files.sidecar_resolver(sources).nearest_policy(path))
        except NotFound as error:
            raise InvalidInput(str(error)) from error

    def _policy(self, path: str, declared: FilePolicy) -> DeclaredPolicy:
        # Neither may win without notice: the next run without the option would undo it.
        if self._policy_option is not None and declared.policy not in {None, self._policy_option}:
            name = path.rpartition("/")[2]
            raise InvalidInput(
                f"{declared.path} names the readers of {name}: leave the options out, or change that file."
            )
        return DeclaredPolicy(self._policy_option, declared.policy)


def _read(sources: SourceObjects, path: str) -> bytes:
    try:
        return read_current(sources, "", path)
    except Unavailable as error:
        raise DocumentRefused(f"the file cannot be read: {error}") from error


def _declared_url(path: str, attributes: FileAttributes) -> str | None:
    try:
        return None if attributes.source_url is None else clean_url(attributes.source_url)
    except InvalidInput as error:
        raise InvalidInput(f"{path}{METADATA_FILE}: {error}") from error


def _check_distinct_ids(requests: Iterable[IngestRequest]) -> None:
    """Check that no two files have one id.

    Raises:
        InvalidInput: the second file would replace the first one's document.
    """
    paths: dict[str, str] = {}
    for request in requests:
        if request.doc_id is not None and paths.setdefault(request.doc_id, request.source_path) != request.source_path:
            raise InvalidInput(
                f"{paths[request.doc_id]} and {request.source_path} have the same doc_id "
                f"{request.doc_id!r} in their {METADATA_FILE} files: give each file its own."
            )


def warn_of_left_out(files: RequestedFiles) -> None:
    """Print which types of files were left out of the named folders, and how many files the patterns left out."""
    if files.listed.excluded:
        count = len(files.listed.excluded)
        warn(f"Left out by --include and --exclude: {count:,} {'file' if count == 1 else 'files'}.", style="dim")
    if files.listed.left_out:
        warn(f"Skipped, because these types are not supported: {describe_types(files.listed.left_out)}.", style="dim")
