"""Metadata files: `.meta.yaml` for a folder's subtree, and `<file>.meta.yaml` for one file.

Fields are merged from the outermost folder to the file itself; an inner one replaces an outer one, and `field: null`
removes it.
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
"""Name in a folder, and suffix beside a file."""
_NEAR_MISS_SUFFIXES: Final = (".meta.yml", ".meta.yaml.txt", ".meta.yml.txt")
_SIDECAR: Final = SidecarKind(
    SUFFIX, "a metadata file", re.compile(r"\.meta\.ya?ml(?:\.txt)?", re.IGNORECASE), _NEAR_MISS_SUFFIXES
)


class MetadataFiles:
    """Metadata files, each read once."""

    def __init__(self) -> None:
        self._folders: dict[Path, MetadataOverrides] = {}

    def metadata_for(self, file: Path) -> Metadata:
        """Return a file's metadata, from the metadata files of its folders and its own.

        Raises:
            InvalidInput: one of them cannot be read or parsed, or their sum exceeds the limits.
        """
        absolute = file.absolute()
        merged: dict[str, Value | None] = {}
        for folder in reversed(absolute.parents):
            merged.update(self._folder_metadata(folder))
        merged.update(_file_metadata(absolute))
        return apply_overrides(merged, str(absolute))

    def _folder_metadata(self, folder: Path) -> MetadataOverrides:
        if folder not in self._folders:
            refuse_near_misses(folder, _SIDECAR)
            self._folders[folder] = _read_metadata(folder / SUFFIX)
        return self._folders[folder]


def _file_metadata(file: Path) -> MetadataOverrides:
    for ending in _NEAR_MISS_SUFFIXES:
        near_miss = file.with_name(file.name + ending)
        if os.path.isfile(near_miss):  # noqa: PTH113 - Path.is_file raises where the longer name is too long to be one
            raise InvalidInput(f"{near_miss} is not read: call it {file.name}{SUFFIX}, or remove it.")
    sidecar = file.with_name(file.name + SUFFIX)
    return _read_metadata(sidecar) if os.path.lexists(sidecar) else {}


def _read_metadata(path: Path) -> MetadataOverrides:
    text = read_sidecar(path, MAX_METADATA_FILE_BYTES, require_ownership=False)
    return {} if text is None else parse_metadata(text, str(path))
