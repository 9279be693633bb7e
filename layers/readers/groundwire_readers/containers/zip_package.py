"""ZIP packages, opened only when their directory declares sizes that are safe to unpack."""

import zipfile
import zlib
from io import BytesIO
from typing import Final

from groundwire_readers.errors import UnreadableDocument

_UNPACKED_MAX: Final = 256 * 1_048_576
_RATIO_MAX: Final = 100
_ENTRIES_MAX: Final = 10_000
"""Limits of a package; one beyond them is a decompression bomb, or no document."""


def open_package(content: bytes) -> zipfile.ZipFile:
    """Open a package whose directory declares sizes that are safe to unpack.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    try:
        package = zipfile.ZipFile(BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise UnreadableDocument("it is damaged: open it in its own program and save it anew") from error
    entries = package.infolist()
    unpacked, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    # The directory can lie, but `zipfile` never unpacks more of an entry than it declares.
    if len(entries) > _ENTRIES_MAX or unpacked > _UNPACKED_MAX or unpacked > _RATIO_MAX * max(packed, 10_240):
        raise UnreadableDocument("it unpacks to more than is safe to read")
    # Bit 0 marks an encrypted entry (APPNOTE.TXT, 4.4.4).
    if any(entry.flag_bits & 1 for entry in entries):
        raise UnreadableDocument("it is encrypted: save it without a password")
    return package


def read_entry(package: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of the entry of that name; empty if it is missing.

    Raises:
        UnreadableDocument: the entry is damaged.
    """
    try:
        return package.read(name)
    except KeyError:
        return b""
    # `zipfile` raises RuntimeError for encryption and NotImplementedError for unknown compression.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnreadableDocument("it is damaged: open it in its own program and save it anew") from error
