"""The folder of one release's stored things."""

import json
import tarfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fixture:
    """Stored things of one release.

    Attributes:
        scratch: an empty folder for copies that may be changed.
    """

    folder: Path
    scratch: Path

    @cached_property
    def made(self) -> Any:
        """Names, keys and the moment of what was made."""
        return self.json("made")

    def json(self, name: str) -> Any:
        """Return the content of one of the fixture's files."""
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))

    def lines(self, name: str) -> list[Any]:
        """Return the objects in one of the fixture's files of JSON lines."""
        return [json.loads(line) for line in (self.folder / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()]

    def unpacked(self, name: str, place: str) -> Path:
        """A new folder with what is in the archive."""
        target = self.scratch / place
        with tarfile.open(self.folder / f"{name}.tar.xz") as archive:
            archive.extractall(target, filter="data")
        return target
