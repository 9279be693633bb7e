"""Source files and their sidecar files on this machine."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.adapters.local.index_export import IndexExportFile
    from groundwire.adapters.local.ingest.metadata_files import MetadataFiles
    from groundwire.adapters.local.ingest.policy_files import PolicyFiles


class SourceFiles:
    """File access of the command line; it caches nothing."""

    def policy_files(self) -> "PolicyFiles":
        """Return a new reader of `.policy.yaml` files."""
        from groundwire.adapters.local.ingest.policy_files import PolicyFiles

        return PolicyFiles()

    def metadata_files(self) -> "MetadataFiles":
        """Return a new reader of `.meta.yaml` files."""
        from groundwire.adapters.local.ingest.metadata_files import MetadataFiles

        return MetadataFiles()

    def find_files(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Return the files to ingest.

        Raises:
            InvalidInput: a path does not exist.
        """
        from groundwire.adapters.local.ingest.source_files import find_files

        return find_files(paths)

    def read_file(self, path: Path) -> bytes:
        """Return the content of a source file.

        Raises:
            DocumentRefused: the file cannot be read.
        """
        from groundwire.adapters.local.ingest.source_files import read_file

        return read_file(path)

    def is_missing(self, path: str) -> bool:
        """Return whether the path certainly has no file; False where this cannot be determined."""
        from groundwire.adapters.local.ingest.source_files import is_missing as is_missing_path

        return is_missing_path(path)

    def path_exists(self, path: str) -> bool:
        """Return whether the path may have a file; True where this cannot be determined."""
        return not self.is_missing(path)

    def storable_path(self, path: Path) -> str:
        """Return the path as text that can be stored."""
        from groundwire.adapters.local.ingest.source_files import printable_path

        return printable_path(path)

    def index_file(self, path: Path) -> "IndexExportFile":
        """Return the export file of an index, for writing or reading."""
        from groundwire.adapters.local.index_export import IndexExportFile

        return IndexExportFile(path)
