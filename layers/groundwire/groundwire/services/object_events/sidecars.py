"""What lies around a file and speaks of it: policy files beside and above it, metadata files likewise, and its own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.documents.metadata import Metadata, MetadataOverrides, apply_overrides
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES, MAX_POLICY_FILE_BYTES
from groundwire.ports import SidecarParser, SourceObject, SourceObjects
from groundwire.services.ingest.source_paths import METADATA_FILE, POLICY_FILE, enclosing_folders, resembles_sidecar

POLICY_METADATA_NAME: Final = "groundwire-policy"
"""Of the object's own metadata (`x-amz-meta-groundwire-policy`): JSON."""
_MAX_HIDDEN_FILES: Final = 1_000
"""Of one folder: among more nobody would find the one that counts."""
_DOC_ID: Final = "doc_id"
_SOURCE_URL: Final = "source_url"


class PolicyFileRefused(InvalidInput):
    """A policy file of the right name cannot be understood: what lies beneath it keeps the readers that it has."""


@dataclass(frozen=True, slots=True)
class FileAttributes:
    """What is said of one file.

    Attributes:
        policy_from_files: whether its policy is that of policy files, or nobody's for want of one.
    """

    policy: Policy
    policy_from_files: bool
    metadata: Metadata
    doc_id: str | None
    source_url: str | None


class SidecarResolver:
    """Reads each side file of a tenant once: made anew for each piece of work."""

    def __init__(self, tenant: str, sources: SourceObjects, sidecar_parser: SidecarParser) -> None:
        self._tenant = tenant
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._policies: dict[str, Policy | None] = {}
        self._metadata: dict[str, MetadataOverrides] = {}
        self._hidden: dict[str, Sequence[str]] = {}

    def resolve(self, file: SourceObject) -> FileAttributes:
        """The object's own policy goes before those of files.

        Raises:
            Invalid: something that is said cannot be understood.
        """
        given = object_policy(file)
        policy = self.nearest_policy(file.path) if given is None else given
        own = self._read_metadata(file.path)
        said: dict[str, object] = {}
        for folder in reversed(enclosing_folders(file.path)):
            said.update(self._folder_metadata(folder))
        said.update({name: value for name, value in own.items() if name not in {_DOC_ID, _SOURCE_URL}})
        metadata = apply_overrides(cast("MetadataOverrides", said), file.path)
        return FileAttributes(policy, given is None, metadata, _text_field(own, _DOC_ID), _text_field(own, _SOURCE_URL))

    def nearest_policy(self, path: str) -> Policy:
        """That of the nearest folder with a policy file, `NOBODY` where there is none; Raises Invalid."""
        for folder in enclosing_folders(path):
            policy = self._folder_policy(folder)
            if policy is not None:
                return policy
        return NO_READERS

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
        """The side file's path where there is one; Raises Invalid for a name that is nearly right: it was meant."""
        found = self._list_hidden_files(prefix)
        for path in found:
            if path != prefix + name and resembles_sidecar(name, path.removeprefix(prefix)):
                raise InvalidInput(f"{path} is not read: call it {prefix}{name}, or remove it.")
        return prefix + name if prefix + name in found else None

    def _list_hidden_files(self, prefix: str) -> Sequence[str]:
        """Of a folder its hidden files, of a file what is called like it and has a further ending."""
        if prefix not in self._hidden:
            found = self._sources.list_files(self._tenant, prefix + ".", _MAX_HIDDEN_FILES)
            if len(found) == _MAX_HIDDEN_FILES:
                raise InvalidInput(
                    f"Too many files begin with {prefix}. (dot): {_MAX_HIDDEN_FILES - 1} at most are looked through."
                )
            self._hidden[prefix] = found
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
    """The policy that was given with the object itself; None where none was. Raises Invalid."""
    text = file.metadata.get(POLICY_METADATA_NAME)
    if text is None:
        return None
    where = f"The metadata {POLICY_METADATA_NAME} of {file.path}"
    try:
        loaded: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} must be a JSON object.") from error
    if not isinstance(loaded, dict):
        raise InvalidInput(f"{where} must be a JSON object.")
    return policy_from_mapping(cast("dict[object, object]", loaded), where)


def _text_field(metadata: Mapping[str, object], name: str) -> str | None:
    value = metadata.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidInput(f"{name} must be text: put it in quotes.")
