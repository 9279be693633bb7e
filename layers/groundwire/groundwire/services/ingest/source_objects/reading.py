"""Reading of the current version of a source file."""

from typing import Final

from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound
from groundwire.ports import SourceObject, SourceObjects

_ATTEMPTS: Final = 5
"""Attempts to read a file that is replaced between two steps."""


def read_current(sources: SourceObjects, tenant: str, path: str) -> bytes:
    """Return the content of the file's current version.

    Raises:
        DocumentRefused: the file does not exist, cannot be read, or changes each time that it is read.
        Unavailable: it cannot be looked at.
    """
    found = find_and_read(sources, tenant, path, None)
    if found is None:
        raise DocumentRefused("the file cannot be read: it does not exist")
    return found[1]


def read_sidecar_text(
    sources: SourceObjects, tenant: str, path: str, max_bytes: int
) -> tuple[SourceObject, str] | None:
    """Return a sidecar file and its text; None where it does not exist.

    Raises:
        InvalidInput: it is too long, no text, or cannot be read.
        Unavailable: it cannot be looked at.
    """
    try:
        found = find_and_read(sources, tenant, path, max_bytes)
        return None if found is None else (found[0], found[1].decode())
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} cannot be read: it is not UTF-8 text.") from error
    except DocumentRefused as error:
        raise InvalidInput(f"{path}: {error}") from error


def find_and_read(
    sources: SourceObjects, tenant: str, path: str, max_bytes: int | None
) -> tuple[SourceObject, bytes] | None:
    """Return a file and its content, both of one version; None where it does not exist.

    A file that is replaced meanwhile is read again, because to treat it as missing would apply an outer policy file.

    Raises:
        InvalidInput: the file has more than `max_bytes`.
        DocumentRefused: it cannot be read, or changes each time that it is read.
        Unavailable: it cannot be looked at.
    """
    for _ in range(_ATTEMPTS):
        file = sources.find(tenant, path)
        if file is None:
            return None
        if max_bytes is not None and file.size > max_bytes:
            raise InvalidInput(f"{path} is too long: {max_bytes} bytes at most.")
        try:
            return file, sources.read(tenant, path, file.version)
        except NotFound:
            continue
    raise DocumentRefused("the file cannot be read: it changed while it was read. Ingest it again later")
