"""Source files and their sidecar files on this machine."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.adapters.local.index_export import IndexExportFile
    from groundwire.adapters.local.ingest.folder_objects import FolderObjects
    from groundwire.ports import SourceObjects
    from groundwire.services.ingest.source_objects.sidecars import SidecarResolver


class SourceFiles:
    """File access of the command line; it caches nothing."""

    def folder_objects(self, paths: Iterable[Path], started_at: float) -> "FolderObjects":
        """Return the source files of a run: those at and below the paths, which are opened now.

        Raises:
            InvalidInput: a path does not exist, or a folder cannot be opened.
        """
        from groundwire.adapters.local.ingest.folder_objects import FolderObjects

        return FolderObjects(paths, started_at)

    def sidecar_resolver(self, sources: "SourceObjects") -> "SidecarResolver":
        """Return a new resolver, which reads each sidecar file once."""
        from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
        from groundwire.services.ingest.source_objects.sidecars import SidecarResolver

        return SidecarResolver("", sources, YamlSidecarParser())

    def is_missing(self, path: str) -> bool:
        """Return whether the path certainly has no file; False where this cannot be determined."""
        from groundwire.domain.errors import DomainError

        try:
            # No tenant: a machine has the same files for each.
            return self.folder_objects((), 0.0).find("", path) is None
        # A doubt is no absence, which would delete documents.
        except DomainError:
            return False

    def path_exists(self, path: str) -> bool:
        """Return whether the path may have a file; True where this cannot be determined."""
        return not self.is_missing(path)

    def storable_path(self, path: Path) -> str:
        """Return the path as text that can be stored."""
        from groundwire.adapters.local.ingest.folder_objects import printable_path

        return printable_path(path)

    def index_file(self, path: Path) -> "IndexExportFile":
        """Return the export file of an index, for writing or reading."""
        from groundwire.adapters.local.index_export import IndexExportFile

        return IndexExportFile(path)
