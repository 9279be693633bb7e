"""Folder of a tenant."""

from pathlib import Path

from groundwire.adapters.codecs.file_names import validate_tenant_id


def tenant_folder(folder: Path, tenant: str) -> Path:
    """Return `folder/<tenant>`.

    Raises:
        InvalidInput: `tenant` is no tenant id.
    """
    return folder / validate_tenant_id(tenant)
