"""Files to ingest, and those that speak of them, as this machine has them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.adapters.local.index_export import IndexExportFile
    from groundwire.adapters.local.ingest.metadata_files import MetadataFiles
    from groundwire.adapters.local.ingest.policy_files import PolicyFiles


class SourceFiles:
    """What the command line asks of the disk; nothing is kept between two questions."""

    def policy_files(self) -> "PolicyFiles":
        """A fresh reader of `.policy.yaml` files."""
        from groundwire.adapters.local.ingest.policy_files import PolicyFiles

        return PolicyFiles()

    def metadata_files(self) -> "MetadataFiles":
        """A fresh reader of `.meta.yaml` files."""
        from groundwire.adapters.local.ingest.metadata_files import MetadataFiles

        return MetadataFiles()

    def find_files(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Files to ingest; Raises Invalid for a path that does not exist."""
        from groundwire.adapters.local.ingest.source_files import find_files

        return find_files(paths)

    def read_file(self, path: Path) -> bytes:
        """What a file to ingest holds; Raises DocumentRefused."""
        from groundwire.adapters.local.ingest.source_files import read_file

        return read_file(path)

    def is_gone(self, path: str) -> bool:
        """Whether there is surely no file of this name."""
        from groundwire.adapters.local.ingest.source_files import is_missing

        return is_missing(path)

    def storable_path(self, path: Path) -> str:
        """The path as text that can be stored."""
        from groundwire.adapters.local.ingest.source_files import printable_path

        return printable_path(path)

    def index_file(self, path: Path) -> "IndexExportFile":
        """A copy of an index, to be written or read."""
        from groundwire.adapters.local.index_export import IndexExportFile

        return IndexExportFile(path)
