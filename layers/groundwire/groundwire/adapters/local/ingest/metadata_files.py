"""`.meta.yaml` in a folder and `<file>.meta.yaml` beside a file: metadata of the files beneath, and of the one file.

They are laid over each other from the outermost folder to the file itself, field by field; `field: null` takes away
what an outer one said.
"""

import os
import re
from pathlib import Path
from typing import Final

from groundwire.adapters.codecs.sidecar_yaml import parse_metadata
from groundwire.adapters.local.ingest.sidecar_files import SidecarKind, read_sidecar, refuse_near_misses
from groundwire.domain.documents.metadata import Metadata, MetadataOverrides, Value, apply_overrides
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES

SUFFIX: Final = ".meta.yaml"
"""The whole name in a folder, and the end of the name beside a file."""
_NEAR_MISS_SUFFIXES: Final = (".meta.yml", ".meta.yaml.txt", ".meta.yml.txt")
_SIDECAR: Final = SidecarKind(
    SUFFIX, "a metadata file", re.compile(r"\.meta\.ya?ml(?:\.txt)?", re.IGNORECASE), _NEAR_MISS_SUFFIXES
)


class MetadataFiles:
    """Reads each file once."""

    def __init__(self) -> None:
        self._folders: dict[Path, MetadataOverrides] = {}

    def metadata_for(self, file: Path) -> Metadata:
        """What the metadata files of its folders and its own say of a file.

        Raises:
            Invalid: one of them cannot be followed or understood, or together they say too much.
        """
        place = file.absolute()
        said: dict[str, Value | None] = {}
        for folder in reversed(place.parents):
            said.update(self._folder_metadata(folder))
        said.update(_file_metadata(place))
        return apply_overrides(said, str(place))

    def _folder_metadata(self, folder: Path) -> MetadataOverrides:
        if folder not in self._folders:
            refuse_near_misses(folder, _SIDECAR)
            self._folders[folder] = _read_metadata(folder / SUFFIX)
        return self._folders[folder]


def _file_metadata(file: Path) -> MetadataOverrides:
    for ending in _NEAR_MISS_SUFFIXES:
        near = file.with_name(file.name + ending)
        if os.path.isfile(near):  # noqa: PTH113 - Path.is_file raises where the longer name is too long to be one
            raise InvalidInput(f"{near} is not read: call it {file.name}{SUFFIX}, or remove it.")
    own = file.with_name(file.name + SUFFIX)
    return _read_metadata(own) if os.path.lexists(own) else {}


def _read_metadata(path: Path) -> MetadataOverrides:
    text = read_sidecar(path, MAX_METADATA_FILE_BYTES, require_ownership=False)
    return {} if text is None else parse_metadata(text, str(path))
