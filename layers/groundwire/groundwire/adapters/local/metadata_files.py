"""`.meta.yaml` in a folder and `<file>.meta.yaml` beside a file: metadata of the files beneath, and of the one file.

They are laid over each other from the outermost folder to the file itself, field by field; `field: null` takes away
what an outer one said.
"""

import os
import re
from pathlib import Path
from typing import Final

from groundwire.adapters.local.side_files import SideFile, refuse_near_misses, text_of
from groundwire.adapters.side_texts import metadata_in
from groundwire.domain.errors import Invalid
from groundwire.domain.limits import MAX_METADATA_FILE_BYTES
from groundwire.domain.metadata import Metadata, Said, Value, held_together

SUFFIX: Final = ".meta.yaml"
"""The whole name in a folder, and the end of the name beside a file."""
_NEARLY: Final = (".meta.yml", ".meta.yaml.txt", ".meta.yml.txt")
_SIDE_FILE: Final = SideFile(SUFFIX, "a metadata file", re.compile(r"\.meta\.ya?ml(?:\.txt)?", re.IGNORECASE), _NEARLY)


class MetadataFiles:
    """Reads each file once."""

    def __init__(self) -> None:
        self._folders: dict[Path, Said] = {}

    def of(self, file: Path) -> Metadata:
        """What the metadata files of its folders and its own say of a file.

        Raises:
            Invalid: one of them cannot be followed or understood, or together they say too much.
        """
        place = file.absolute()
        said: dict[str, Value | None] = {}
        for folder in reversed(place.parents):
            said.update(self._of_folder(folder))
        said.update(_of_file(place))
        return held_together(said, str(place))

    def _of_folder(self, folder: Path) -> Said:
        if folder not in self._folders:
            refuse_near_misses(folder, _SIDE_FILE)
            self._folders[folder] = _said(folder / SUFFIX)
        return self._folders[folder]


def _of_file(file: Path) -> Said:
    for ending in _NEARLY:
        near = file.with_name(file.name + ending)
        if os.path.isfile(near):  # noqa: PTH113 - Path.is_file raises where the longer name is too long to be one
            raise Invalid(f"{near} is not read: call it {file.name}{SUFFIX}, or remove it.")
    own = file.with_name(file.name + SUFFIX)
    return _said(own) if os.path.lexists(own) else {}


def _said(path: Path) -> Said:
    text = text_of(path, MAX_METADATA_FILE_BYTES, only_ours=False)
    return {} if text is None else metadata_in(text, str(path))
