"""`.meta.yaml` in a folder and `<file>.meta.yaml` beside a file: metadata of the files beneath, and of the one file.

They are laid over each other from the outermost folder to the file itself, field by field; `field: null` takes away
what an outer one said.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.local.side_files import SideFile, refuse_near_misses, text_of, yaml_in
from groundwire.domain.errors import Invalid
from groundwire.domain.metadata import Metadata, Value, typed

SUFFIX: Final = ".meta.yaml"
"""The whole name in a folder, and the end of the name beside a file."""
_NEARLY: Final = (".meta.yml", ".meta.yaml.txt", ".meta.yml.txt")
_SIDE_FILE: Final = SideFile(SUFFIX, "a metadata file", re.compile(r"\.meta\.ya?ml(?:\.txt)?", re.IGNORECASE), _NEARLY)

_Said = Mapping[str, Value | None]
"""By field; None takes the field away."""


class MetadataFiles:
    """Reads each file once."""

    def __init__(self) -> None:
        self._folders: dict[Path, _Said] = {}

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
        held = {name: value for name, value in said.items() if value is not None}
        try:
            return typed(held)
        except Invalid as error:
            raise Invalid(f"The metadata files that speak of {place} say too much together: {error}") from error

    def _of_folder(self, folder: Path) -> _Said:
        if folder not in self._folders:
            refuse_near_misses(folder, _SIDE_FILE)
            self._folders[folder] = _said(folder / SUFFIX)
        return self._folders[folder]


def _of_file(file: Path) -> _Said:
    for ending in _NEARLY:
        near = file.with_name(file.name + ending)
        if os.path.isfile(near):  # noqa: PTH113 - Path.is_file raises where the longer name is too long to be one
            raise Invalid(f"{near} is not read: call it {file.name}{SUFFIX}, or remove it.")
    own = file.with_name(file.name + SUFFIX)
    return _said(own) if os.path.lexists(own) else {}


def _said(path: Path) -> _Said:
    text = text_of(path, only_ours=False)
    loaded = None if text is None else yaml_in(text, path)
    if loaded is None:
        return {}
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in cast("dict[object, object]", loaded)):
        raise Invalid(f"{path} must hold a field and its value on each line, such as `year: 2024`.")
    fields = cast("dict[str, object]", loaded)
    try:
        kept = typed({name: value for name, value in fields.items() if value is not None})
    except Invalid as error:
        raise Invalid(f"{path}: {error}") from error
    return {name: kept.get(name) for name in fields}
