"""Which folder belongs to a tenant."""

from pathlib import Path

from groundwire.adapters.key_names import checked_tenant


def tenant_folder(folder: Path, tenant: str) -> Path:
    """`folder/<tenant>`; Raises Invalid for what is no tenant id."""
    return folder / checked_tenant(tenant)
