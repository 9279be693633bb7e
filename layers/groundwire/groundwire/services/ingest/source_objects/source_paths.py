"""Source paths: the kind of a file by its path `<collection>/<path>` below the tenant's prefix."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

POLICY_FILE: Final = ".policy.yaml"
METADATA_FILE: Final = ".meta.yaml"
UPLOADS: Final = ".uploads"
_YAML: Final = ".yaml"
_TENANTS_PREFIX: Final = "tenants/"


LOCK_FILE: Final = "~$"
"""Start of the names of Office's lock files (`~$report.docx`), which are no documents."""


class SourceFileKind(StrEnum):
    """Kind of a source file."""

    DOCUMENT = "document"
    POLICY = "policy"
    METADATA = "metadata"
    OWN_METADATA = "own_metadata"
    UPLOAD = "upload"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class SourcePath:
    """Path of a source file and its parts.

    Attributes:
        path: whole, below the tenant's prefix. collection: empty above all collections.
        folder: its folder, with the slash; empty for the tenant's own.
    """

    kind: SourceFileKind
    path: str
    collection: str
    folder: str
    name: str

    @property
    def ticket(self) -> str:
        """Ticket of an upload."""
        return self.path.split("/")[2]

    @property
    def is_lock_file(self) -> bool:
        """True for a file that Office keeps while it has a document open: it names a person, and is no document."""
        return self.name.startswith(LOCK_FILE)

    @property
    def described_path(self) -> str:
        """File that a metadata file for a single file describes."""
        return self.path.removesuffix(METADATA_FILE)


def classify_path(path: str) -> SourcePath:
    """Classify the path; hidden files and folders, files outside a collection, and folders are no documents."""
    folder, slash, name = path.rpartition("/")
    parts = folder.split("/") if slash else []
    return SourcePath(_kind(parts, name), path, parts[0] if parts else "", folder + slash, name)


def enclosing_folders(path: str) -> list[str]:
    """Return the folders that contain the file, the nearest first, the tenant's own last."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1)] + [""]


def source_path(tenant: str, path: str) -> str:
    """Return the source path as a document's record stores it."""
    return f"{_TENANTS_PREFIX}{tenant}/{path}"


def split_source_path(stored: str) -> tuple[str, str] | None:
    """Return tenant and path of a `source_path`; None for other text."""
    tenant, slash, path = stored.removeprefix(_TENANTS_PREFIX).partition("/")
    return (tenant, path) if stored.startswith(_TENANTS_PREFIX) and slash and tenant and path else None


def is_uploaded_by_ticket(stored: str) -> bool:
    """Return whether the source is an upload with a ticket: its file is temporary, and never missing."""
    split = split_source_path(stored)
    return split is not None and classify_path(split[1]).kind is SourceFileKind.UPLOAD


def resembles_sidecar(sidecar_name: str, name: str) -> bool:
    """Return whether the name was meant as this sidecar file.

    Ignoring such a file would leave its documents to the policies above.
    """
    pattern = re.escape(sidecar_name.removesuffix(_YAML)) + r"\.ya?ml(?:\.txt)?"
    return re.fullmatch(pattern, name, re.IGNORECASE) is not None


def _kind(folders: list[str], name: str) -> SourceFileKind:
    if len(folders) == 3 and folders[1] == UPLOADS and folders[2] and name:  # noqa: PLR2004 - collection, uploads, ticket
        return SourceFileKind.UPLOAD
    if any(each.startswith(".") for each in folders) or not name:
        return SourceFileKind.IGNORED
    if resembles_sidecar(POLICY_FILE, name):
        # A file with nearly the right name is not parsed, but while it exists nobody may read the files below it.
        return SourceFileKind.POLICY
    if name == METADATA_FILE:
        return SourceFileKind.METADATA
    if name.startswith(".") or not folders:
        return SourceFileKind.IGNORED
    return SourceFileKind.OWN_METADATA if name.endswith(METADATA_FILE) else SourceFileKind.DOCUMENT
