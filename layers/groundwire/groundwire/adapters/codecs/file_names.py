"""Safe names of stored files: any key becomes a harmless name, and only a tenant id names a folder."""

import re
from hashlib import sha256
from typing import Final

from groundwire.domain import errors

_TENANT_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_UNESCAPED_BYTES: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_.")
_MAX_NAME_LENGTH: Final = 200
_LONG_NAME_PREFIX_LENGTH: Final = 120


def validate_tenant_id(tenant: str) -> str:
    """Return the tenant id unchanged.

    Raises:
        InvalidInput: `tenant` is no tenant id, so it could escape its folder.
    """
    if _TENANT_ID.fullmatch(tenant) is None:
        raise errors.InvalidInput("A tenant id consists of letters, digits, - and _, at most 64.")
    return tenant


def file_name(key: str) -> str:
    """Return a unique name for `key`, also on file systems that ignore case or normalise Unicode.

    Lower-case letters, digits, `-`, `_` and inner dots stay; every other byte of the UTF-8 text becomes `%xx`. A name
    that would be too long is cut and ends in `~` and the SHA-256 of the key.

    Raises:
        InvalidInput: the key is empty.
    """
    if not key:
        raise errors.InvalidInput("A stored file needs a key that is not empty.")
    raw = key.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if byte in _UNESCAPED_BYTES else f"%{byte:02x}" for byte in raw)
    # A name such as `..` would mean another folder.
    if name.startswith("."):
        name = f"%2e{name[1:]}"
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    # No other name has a `~`, so a cut name never equals a whole one.
    return f"{name[:_LONG_NAME_PREFIX_LENGTH]}~{sha256(raw).hexdigest()}"
