"""What a file is by its place: below its tenant's prefix, `<collection>/<path>`."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

POLICY_FILE: Final = ".policy.yaml"
METADATA_FILE: Final = ".meta.yaml"
UPLOADS: Final = ".uploads"
_YAML: Final = ".yaml"
_TENANTS_PREFIX: Final = "tenants/"


class SourceFileKind(StrEnum):
    """What becomes of a file."""

    DOCUMENT = "document"
    POLICY = "policy"
    METADATA = "metadata"
    OWN_METADATA = "own_metadata"
    UPLOAD = "upload"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class SourcePath:
    """Where a file lies.

    Attributes:
        path: whole, below the tenant's prefix. collection: empty above all collections.
        folder: that holds it, with its slash; empty for the tenant's own.
    """

    kind: SourceFileKind
    path: str
    collection: str
    folder: str
    name: str

    @property
    def ticket(self) -> str:
        """Of an upload."""
        return self.path.split("/")[2]

    @property
    def described_path(self) -> str:
        """The file that a metadata file of one file speaks of."""
        return self.path.removesuffix(METADATA_FILE)


def classify_path(path: str) -> SourcePath:
    """Hidden files and folders are no documents, nor is what lies outside a collection or is a folder itself."""
    folder, slash, name = path.rpartition("/")
    parts = folder.split("/") if slash else []
    return SourcePath(_kind(parts, name), path, parts[0] if parts else "", folder + slash, name)


def enclosing_folders(path: str) -> list[str]:
    """The folders that hold the file, the nearest first, the tenant's own last."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1)] + [""]


def source_path(tenant: str, path: str) -> str:
    """Where the record of a document says that it lies."""
    return f"{_TENANTS_PREFIX}{tenant}/{path}"


def split_source_path(stored: str) -> tuple[str, str] | None:
    """Tenant and path of what `source_path` made; None for what it did not."""
    tenant, slash, path = stored.removeprefix(_TENANTS_PREFIX).partition("/")
    return (tenant, path) if stored.startswith(_TENANTS_PREFIX) and slash and tenant and path else None


def is_uploaded_by_ticket(stored: str) -> bool:
    """Whether the record's source is a file that came by an upload ticket: it lies nowhere, and is not lost."""
    place = split_source_path(stored)
    return place is not None and classify_path(place[1]).kind is SourceFileKind.UPLOAD


def resembles_sidecar(sidecar_name: str, name: str) -> bool:
    """Whether whoever gave the name meant a side file; to pass over it would leave the files to what stands above."""
    pattern = re.escape(sidecar_name.removesuffix(_YAML)) + r"\.ya?ml(?:\.txt)?"
    return re.fullmatch(pattern, name, re.IGNORECASE) is not None


def _kind(folders: list[str], name: str) -> SourceFileKind:
    if len(folders) == 3 and folders[1] == UPLOADS and folders[2] and name:  # noqa: PLR2004 - collection, uploads, ticket
        return SourceFileKind.UPLOAD
    if any(each.startswith(".") for each in folders) or not name:
        return SourceFileKind.IGNORED
    if resembles_sidecar(POLICY_FILE, name):
        # One with nearly the right name is not read, but while it lies there nobody reads what it was to close.
        return SourceFileKind.POLICY
    if name == METADATA_FILE:
        return SourceFileKind.METADATA
    if name.startswith(".") or not folders:
        return SourceFileKind.IGNORED
    return SourceFileKind.OWN_METADATA if name.endswith(METADATA_FILE) else SourceFileKind.DOCUMENT
