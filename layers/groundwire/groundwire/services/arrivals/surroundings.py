"""What lies around a file and speaks of it: policy files beside and above it, metadata files likewise, and its own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.errors import Invalid, NotFound
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES, MAX_POLICY_FILE_BYTES
from groundwire.domain.metadata import Metadata, Said, held_together
from groundwire.domain.policy_form import policy_from_mapping
from groundwire.ports import SideTexts, SourceObject, SourceObjects
from groundwire.services.arrivals.places import METADATA_FILE, POLICY_FILE, folders_of, is_meant_for

POLICY_NAME: Final = "groundwire-policy"
"""Of the object's own metadata (`x-amz-meta-groundwire-policy`): JSON."""
_MOST_HIDDEN: Final = 1_000
"""Of one folder: among more nobody would find the one that counts."""
_DOC_ID: Final = "doc_id"
_SOURCE_URL: Final = "source_url"


class PolicyFileRefused(Invalid):
    """A policy file of the right name cannot be understood: what lies beneath it keeps the readers that it has."""


@dataclass(frozen=True, slots=True)
class SaidOfFile:
    """What is said of one file.

    Attributes:
        from_files: whether its policy is that of policy files, or nobody's for want of one.
    """

    policy: Policy
    from_files: bool
    metadata: Metadata
    doc_id: str | None
    source_url: str | None


class Surroundings:
    """Reads each side file of a tenant once: made anew for each piece of work."""

    def __init__(self, tenant: str, sources: SourceObjects, texts: SideTexts) -> None:
        self._tenant = tenant
        self._sources = sources
        self._texts = texts
        self._policies: dict[str, Policy | None] = {}
        self._metadata: dict[str, Said] = {}
        self._hidden: dict[str, Sequence[str]] = {}

    def said_of(self, file: SourceObject) -> SaidOfFile:
        """The object's own policy goes before those of files.

        Raises:
            Invalid: something that is said cannot be understood.
        """
        given = own_policy(file)
        policy = self.nearest(file.path) if given is None else given
        own = self._metadata_in(file.path)
        said: dict[str, object] = {}
        for folder in reversed(folders_of(file.path)):
            said.update(self._of_folder(folder))
        said.update({name: value for name, value in own.items() if name not in {_DOC_ID, _SOURCE_URL}})
        metadata = held_together(cast("Said", said), file.path)
        return SaidOfFile(policy, given is None, metadata, _text(own, _DOC_ID), _text(own, _SOURCE_URL))

    def nearest(self, path: str) -> Policy:
        """That of the nearest folder with a policy file, `NOBODY` where there is none; Raises Invalid."""
        for folder in folders_of(path):
            policy = self._policy_of(folder)
            if policy is not None:
                return policy
        return NOBODY

    def _policy_of(self, folder: str) -> Policy | None:
        if folder not in self._policies:
            name = self._present(folder, POLICY_FILE)
            self._policies[folder] = None if name is None else self._policy_in(name)
        return self._policies[folder]

    def _policy_in(self, path: str) -> Policy | None:
        try:
            text = self._text_of(path, MAX_POLICY_FILE_BYTES)
            return None if text is None else self._texts.policy(text, path)
        except Invalid as refusal:
            raise PolicyFileRefused(str(refusal)) from refusal

    def _of_folder(self, folder: str) -> Said:
        if folder not in self._metadata:
            self._metadata[folder] = self._metadata_in(folder)
        return self._metadata[folder]

    def _metadata_in(self, before: str) -> Said:
        path = self._present(before, METADATA_FILE)
        text = None if path is None else self._text_of(path, MAX_METADATA_FILE_BYTES)
        return {} if path is None or text is None else self._texts.metadata(text, path)

    def _present(self, before: str, name: str) -> str | None:
        """The side file's path where there is one; Raises Invalid for a name that is nearly right: it was meant."""
        found = self._hidden_behind(before)
        for path in found:
            if path != before + name and is_meant_for(name, path.removeprefix(before)):
                raise Invalid(f"{path} is not read: call it {before}{name}, or remove it.")
        return before + name if before + name in found else None

    def _hidden_behind(self, before: str) -> Sequence[str]:
        """Of a folder its hidden files, of a file what is called like it and has a further ending."""
        if before not in self._hidden:
            found = self._sources.beside(self._tenant, before + ".", _MOST_HIDDEN)
            if len(found) == _MOST_HIDDEN:
                raise Invalid(
                    f"Too many files begin with {before}. (dot): {_MOST_HIDDEN - 1} at most are looked through."
                )
            self._hidden[before] = found
        return self._hidden[before]

    def _text_of(self, path: str, max_bytes: int) -> str | None:
        file = self._sources.find(self._tenant, path)
        if file is None:
            return None
        if file.size > max_bytes:
            raise Invalid(f"{path} is too long: {max_bytes} bytes at most.")
        try:
            return self._sources.read(self._tenant, path, file.version).decode()
        except NotFound:
            return None
        except UnicodeDecodeError as error:
            raise Invalid(f"{path} cannot be read: it is not UTF-8 text.") from error


def own_policy(file: SourceObject) -> Policy | None:
    """The policy that was given with the object itself; None where none was. Raises Invalid."""
    text = file.metadata.get(POLICY_NAME)
    if text is None:
        return None
    where = f"The metadata {POLICY_NAME} of {file.path}"
    try:
        loaded: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{where} must be a JSON object.") from error
    if not isinstance(loaded, dict):
        raise Invalid(f"{where} must be a JSON object.")
    return policy_from_mapping(cast("dict[object, object]", loaded), where)


def _text(own: Mapping[str, object], name: str) -> str | None:
    value = own.get(name)
    if value is None or isinstance(value, str):
        return value
    raise Invalid(f"{name} must be text: put it in quotes.")
