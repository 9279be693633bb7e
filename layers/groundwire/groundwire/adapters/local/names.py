"""Which folder belongs to a tenant."""

import re
from pathlib import Path
from typing import Final

from groundwire.domain import errors

_TENANT_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")


def tenant_folder(folder: Path, tenant: str) -> Path:
    """`folder/<tenant>`.

    Raises:
        Invalid: `tenant` is no tenant id, so it could lead elsewhere.
    """
    if _TENANT_ID.fullmatch(tenant) is None:
        raise errors.Invalid("A tenant id consists of letters, digits, - and _, at most 64.")
    return folder / tenant
