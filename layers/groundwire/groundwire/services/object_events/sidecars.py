"""Sidecar files of a source file: policy and metadata files of its folders, and its own metadata file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.metadata import Metadata, MetadataOverrides, apply_overrides
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES, MAX_POLICY_FILE_BYTES
from groundwire.ports import SidecarParser, SourceObject, SourceObjects
from groundwire.services.ingest.source_paths import METADATA_FILE, POLICY_FILE, enclosing_folders, resembles_sidecar

POLICY_METADATA_NAME: Final = "groundwire-policy"
"""Name in the object's own metadata (`x-amz-meta-groundwire-policy`) of a policy in JSON."""
_MAX_HIDDEN_FILES: Final = 1_000
"""Maximum of hidden files of one folder: among more, nobody would find the file that applies."""
_DOC_ID: Final = "doc_id"
_SOURCE_URL: Final = "source_url"


class PolicyFileRefused(InvalidInput):
    """Error for a policy file that cannot be parsed: the documents below it keep their readers."""


@dataclass(frozen=True, slots=True)
class FileAttributes:
    """Attributes of one file as its sidecar files declare them.

    Attributes:
        policy: the object's own policy as the option, and that of the nearest policy file.
    """

    policy: DeclaredPolicy
    metadata: Metadata
    doc_id: str | None
    source_url: str | None


class SidecarResolver:
    """Resolver that reads each sidecar file of a tenant once; a new one is used for each task."""

    def __init__(self, tenant: str, sources: SourceObjects, sidecar_parser: SidecarParser) -> None:
        self._tenant = tenant
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._policies: dict[str, Policy | None] = {}
        self._metadata: dict[str, MetadataOverrides] = {}
        self._hidden: dict[str, Sequence[str]] = {}

    def resolve(self, file: SourceObject) -> FileAttributes:
        """Return the attributes of the file; the object's own policy takes precedence over policy files.

        Raises:
            InvalidInput: a declaration is not valid.
        """
        own_policy = object_policy(file)
        file_policy = self.nearest_policy(file.path) if own_policy is None else None
        own_metadata = self._read_metadata(file.path)
        declared: dict[str, object] = {}
        for folder in reversed(enclosing_folders(file.path)):
            declared.update(self._folder_metadata(folder))
        declared.update({name: value for name, value in own_metadata.items() if name not in {_DOC_ID, _SOURCE_URL}})
        metadata = apply_overrides(cast("MetadataOverrides", declared), file.path)
        return FileAttributes(
            DeclaredPolicy(own_policy, file_policy),
            metadata,
            _text_field(own_metadata, _DOC_ID),
            _text_field(own_metadata, _SOURCE_URL),
        )

    def nearest_policy(self, path: str) -> Policy | None:
        """Return the policy of the nearest folder with a policy file; None without one.

        Raises:
            InvalidInput: the policy file is not valid, or its name is nearly right.
        """
        for folder in enclosing_folders(path):
            policy = self._folder_policy(folder)
            if policy is not None:
                return policy
        return None

    def _folder_policy(self, folder: str) -> Policy | None:
        if folder not in self._policies:
            name = self._find_sidecar(folder, POLICY_FILE)
            self._policies[folder] = None if name is None else self._read_policy(name)
        return self._policies[folder]

    def _read_policy(self, path: str) -> Policy | None:
        try:
            text = self._read_text(path, MAX_POLICY_FILE_BYTES)
            return None if text is None else self._sidecar_parser.parse_policy(text, path)
        except InvalidInput as refusal:
            raise PolicyFileRefused(str(refusal)) from refusal

    def _folder_metadata(self, folder: str) -> MetadataOverrides:
        if folder not in self._metadata:
            self._metadata[folder] = self._read_metadata(folder)
        return self._metadata[folder]

    def _read_metadata(self, prefix: str) -> MetadataOverrides:
        path = self._find_sidecar(prefix, METADATA_FILE)
        text = None if path is None else self._read_text(path, MAX_METADATA_FILE_BYTES)
        return {} if path is None or text is None else self._sidecar_parser.parse_metadata(text, path)

    def _find_sidecar(self, prefix: str, name: str) -> str | None:
        """Return the path of the sidecar file, or None.

        Raises:
            InvalidInput: a name is nearly right, so the file was meant.
        """
        paths = self._list_hidden_files(prefix)
        for path in paths:
            if path != prefix + name and resembles_sidecar(name, path.removeprefix(prefix)):
                raise InvalidInput(f"{path} is not read: call it {prefix}{name}, or remove it.")
        return prefix + name if prefix + name in paths else None

    def _list_hidden_files(self, prefix: str) -> Sequence[str]:
        """Return a folder's hidden files; for a file, the files with its name and a further extension."""
        if prefix not in self._hidden:
            paths = self._sources.list_files(self._tenant, prefix + ".", _MAX_HIDDEN_FILES)
            if len(paths) == _MAX_HIDDEN_FILES:
                raise InvalidInput(
                    f"Too many files begin with {prefix}. (dot): {_MAX_HIDDEN_FILES - 1} at most are looked through."
                )
            self._hidden[prefix] = paths
        return self._hidden[prefix]

    def _read_text(self, path: str, max_bytes: int) -> str | None:
        file = self._sources.find(self._tenant, path)
        if file is None:
            return None
        if file.size > max_bytes:
            raise InvalidInput(f"{path} is too long: {max_bytes} bytes at most.")
        try:
            return self._sources.read(self._tenant, path, file.version).decode()
        except NotFound:
            return None
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{path} cannot be read: it is not UTF-8 text.") from error


def object_policy(file: SourceObject) -> Policy | None:
    """Return the policy in the object's own metadata; None without one.

    Raises:
        InvalidInput: it is not valid.
    """
    text = file.metadata.get(POLICY_METADATA_NAME)
    if text is None:
        return None
    source_name = f"The metadata {POLICY_METADATA_NAME} of {file.path}"
    try:
        loaded: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{source_name} must be a JSON object.") from error
    if not isinstance(loaded, dict):
        raise InvalidInput(f"{source_name} must be a JSON object.")
    return policy_from_mapping(cast("dict[object, object]", loaded), source_name)


def _text_field(metadata: Mapping[str, object], name: str) -> str | None:
    value = metadata.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidInput(f"{name} must be text: put it in quotes.")
