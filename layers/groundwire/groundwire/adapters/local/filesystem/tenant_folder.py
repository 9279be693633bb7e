"""Folder of a tenant."""

import shutil
from contextlib import suppress
from pathlib import Path

from groundwire.adapters.codecs.file_names import validate_tenant_id


def tenant_folder(folder: Path, tenant: str) -> Path:
    """Return `folder/<tenant>`.

    Raises:
        InvalidInput: `tenant` is no tenant id.
    """
    return folder / validate_tenant_id(tenant)


def drop_part(part: Path) -> None:
    """Delete a folder within that of a tenant, if it exists, and that of the tenant when nothing else is in it."""
    if part.is_dir():
        shutil.rmtree(part)
    with suppress(OSError):
        part.parent.rmdir()
