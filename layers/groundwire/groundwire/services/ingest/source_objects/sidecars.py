"""Sidecar files of a source file: policy and metadata files of its folders, and its own metadata file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.metadata import Metadata, MetadataOverrides, apply_overrides
from groundwire.domain.errors import DocumentRefused, InvalidInput
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES, MAX_POLICY_FILE_BYTES
from groundwire.domain.text.json_values import load_mapping
from groundwire.ports import SidecarParser, SourceObject, SourceObjects
from groundwire.services.ingest.source_objects.reading import read_sidecar_text
from groundwire.services.ingest.source_objects.source_paths import (
    METADATA_FILE,
    POLICY_FILE,
    enclosing_folders,
    resembles_sidecar,
)

POLICY_METADATA_NAME: Final = "groundwire-policy"
"""Name in the object's own metadata (`x-amz-meta-groundwire-policy`) of a policy in JSON."""
_MAX_HIDDEN_FILES: Final = 1_000
"""Maximum of hidden files of one folder: among more, nobody would find the file that applies."""
_ATTEMPTS: Final = 5
"""Attempts to read a sidecar file that is listed."""
_DOC_ID: Final = "doc_id"
_SOURCE_URL: Final = "source_url"
_RESERVED: Final = frozenset({_DOC_ID, _SOURCE_URL})


Content = TypeVar("Content")


class PolicyFileRefused(InvalidInput):
    """Error for a policy file that cannot be parsed: the documents below it keep their readers."""


class SidecarFileRefused(DocumentRefused):
    """Error when a document is not read because of a policy or metadata file; the message names that file."""


@dataclass(frozen=True, slots=True)
class FilePolicy:
    """Policy that is declared for a file, and where.

    Attributes:
        policy: None where neither the object's own metadata nor a policy file declares one.
        path: the policy file; None for the object's own metadata.
    """

    policy: Policy | None
    path: str | None

    @property
    def declared(self) -> DeclaredPolicy:
        """Option and policy file, for `effective_policy`."""
        return DeclaredPolicy(self.policy, None) if self.path is None else DeclaredPolicy(None, self.policy)


UNDECLARED: Final = FilePolicy(None, None)
"""Result where no policy is declared."""


@dataclass(frozen=True, slots=True)
class FileAttributes:
    """Attributes of one file as its sidecar files declare them.

    Attributes:
        doc_id, source_url: from the file's own metadata file.
    """

    policy: FilePolicy
    metadata: Metadata
    doc_id: str | None
    source_url: str | None


class SidecarResolver:
    """Resolver of which policy and metadata apply to a file; it reads each sidecar file once.

    A new one is used for each task and each run.
    """

    def __init__(self, tenant: str, sources: SourceObjects, sidecar_parser: SidecarParser) -> None:
        self._tenant = tenant
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._policies: dict[str, FilePolicy | None] = {}
        self._metadata: dict[str, MetadataOverrides] = {}
        self._hidden: dict[str, Sequence[str]] = {}

    def resolve(self, file: SourceObject) -> FileAttributes:
        """Return the attributes of the file; the object's own policy takes precedence over policy files.

        Raises:
            InvalidInput: a declaration is not valid.
            NotFound: a folder of the file does not exist any more.
        """
        own_policy = object_policy(file)
        policy = self.nearest_policy(file.path) if own_policy is None else FilePolicy(own_policy, None)
        own_metadata = self._own_metadata(file.path)
        declared: dict[str, object] = {}
        # From the outermost folder inwards, so that the nearest declaration wins.
        for folder in reversed(enclosing_folders(file.path)):
            declared.update(self._folder_metadata(folder))
        declared.update({name: value for name, value in own_metadata.items() if name not in _RESERVED})
        metadata = apply_overrides(cast("MetadataOverrides", declared), file.path)
        return FileAttributes(
            policy, metadata, _text_field(own_metadata, _DOC_ID), _text_field(own_metadata, _SOURCE_URL)
        )

    def nearest_policy(self, path: str) -> FilePolicy:
        """Return the policy of the nearest folder with a policy file; `UNDECLARED` without one.

        Raises:
            InvalidInput: the policy file is not valid, or its name is nearly right.
            NotFound: a folder of the path does not exist.
        """
        for folder in enclosing_folders(path):
            policy = self._folder_policy(folder)
            if policy is not None:
                return policy
        return UNDECLARED

    def policy_to_follow(self, path: str) -> FilePolicy | None:
        """Return the policy that a document of this path follows; None where a policy file is refused: no change.

        A file whose name is nearly right was meant, and its readers are unknown, so nobody may read.

        Raises:
            NotFound: a folder of the path does not exist.
        """
        try:
            return self.nearest_policy(path)
        except PolicyFileRefused:
            return None
        except InvalidInput:
            return FilePolicy(NO_READERS, path)

    def _folder_policy(self, folder: str) -> FilePolicy | None:
        if folder not in self._policies:
            self._policies[folder] = self._read_listed(folder, POLICY_FILE, self._read_policy)
        return self._policies[folder]

    def _read_policy(self, path: str) -> FilePolicy | None:
        try:
            found = read_sidecar_text(self._sources, self._tenant, path, MAX_POLICY_FILE_BYTES)
            return None if found is None else FilePolicy(self._sidecar_parser.parse_policy(found[1], path), path)
        except InvalidInput as refusal:
            raise PolicyFileRefused(str(refusal)) from refusal

    def _folder_metadata(self, folder: str) -> MetadataOverrides:
        if folder not in self._metadata:
            _, self._metadata[folder] = self._read_metadata(folder)
        return self._metadata[folder]

    def _own_metadata(self, path: str) -> MetadataOverrides:
        file, metadata = self._read_metadata(path)
        if file is not None and file.is_foreign and metadata.get(_DOC_ID) is not None:
            # Its owner could replace the document of any other file.
            raise InvalidInput(
                f"{file.path} belongs to another user of this machine, who could choose the {_DOC_ID}. "
                "Take ownership of the file, or remove it."
            )
        return metadata

    def _read_metadata(self, prefix: str) -> tuple[SourceObject | None, MetadataOverrides]:
        def read(path: str) -> tuple[SourceObject, str] | None:
            return read_sidecar_text(self._sources, self._tenant, path, MAX_METADATA_FILE_BYTES)

        found = self._read_listed(prefix, METADATA_FILE, read)
        if found is None:
            return None, {}
        return found[0], self._sidecar_parser.parse_metadata(found[1], found[0].path)

    def _read_listed(self, prefix: str, name: str, read: Callable[[str], Content | None]) -> Content | None:
        """Return what `read` returns for the sidecar file; None where no such file is listed.

        A file that is listed and not found is looked for again: it may be that of a folder that was exchanged and will
        be back when the document is read.

        Raises:
            InvalidInput: it cannot be read, or appears and disappears.
        """
        for _ in range(_ATTEMPTS):
            path = self._find_sidecar(prefix, name)
            if path is None:
                return None
            content = read(path)
            if content is not None:
                return content
            self._hidden.pop(prefix, None)
        raise InvalidInput(f"{prefix}{name} cannot be read, because another process changes it. Try again.")

    def _find_sidecar(self, prefix: str, name: str) -> str | None:
        """Return the path of the sidecar file, or None.

        Raises:
            InvalidInput: a name is nearly right, so the file was meant.
        """
        paths = self._list_hidden_files(prefix)
        for path in paths:
            if path != prefix + name and resembles_sidecar(name, path.removeprefix(prefix)):
                raise InvalidInput(
                    f"{path} is not a valid name of a policy or metadata file: rename it "
                    f"to {prefix}{name}, or remove it."
                )
        return prefix + name if prefix + name in paths else None

    def _list_hidden_files(self, prefix: str) -> Sequence[str]:
        """Return a folder's hidden files; for a file, the files with its name and a further extension."""
        if prefix in self._hidden:
            return self._hidden[prefix]
        # The metadata file of a single file continues that file's name with a dot, too.
        paths = self._sources.list_files(self._tenant, prefix + ".", _MAX_HIDDEN_FILES)
        if len(paths) == _MAX_HIDDEN_FILES:
            raise InvalidInput(
                f"Too many file names start with {prefix}. (dot). At most {_MAX_HIDDEN_FILES - 1} are supported."
            )
        # The names beside a single file are needed once, so they are not kept.
        if not prefix or prefix.endswith("/"):
            self._hidden[prefix] = paths
        return paths


def object_policy(file: SourceObject) -> Policy | None:
    """Return the policy in the object's own metadata; None without one.

    Raises:
        InvalidInput: it is not valid.
    """
    text = file.metadata.get(POLICY_METADATA_NAME)
    if text is None:
        return None
    source_name = f"The metadata {POLICY_METADATA_NAME} of {file.path}"
    loaded = load_mapping(text)
    if loaded is None:
        raise InvalidInput(f"{source_name} must be a JSON object.")
    return policy_from_mapping(loaded, source_name)


def _text_field(metadata: Mapping[str, object], name: str) -> str | None:
    value = metadata.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidInput(f"{name} must be text: put it in quotes.")
