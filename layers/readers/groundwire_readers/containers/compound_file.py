"""Compound files, the containers of Outlook's mails and of Office before 2007 ([MS-CFB], version 9).

A chain of sectors is followed for at most as many steps as the file has sectors, so that a cycle ends.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from groundwire_readers.errors import UnreadableDocument

SIGNATURE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER_BYTES: Final = 512
_LAST_SECTOR: Final = 0xFFFFFFFA
"""Greatest sector number; greater ones are marks, such as the end of a chain."""
_NO_ENTRY: Final = 0xFFFFFFFF
_IN_HEADER: Final = 109
# [MS-CFB] 2.2: sectors have 512 bytes in version 3 of the format, and 4,096 in version 4.
_SECTOR_SHIFTS: Final = (9, 12)
_STORAGE, _STREAM, _ROOT = 1, 2, 5
# [MS-CFB] 2.6.1; the bytes that are skipped are class id, state bits and times.
_ENTRY: Final = struct.Struct("<64sHBBIII36xIQ")
_DAMAGED: Final = "it is damaged: open it in its own program and save it anew"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the directory; `left` and `right` are its siblings, `child` the first of a storage's members."""

    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int


class CompoundFile:
    """An opened compound file; its storages and streams are identified by their number in its directory."""

    root: Final = 0

    def __init__(self, content: bytes) -> None:
        """Read the header and the directory.

        Raises:
            UnreadableDocument: the file is damaged.
        """
        if len(content) < _HEADER_BYTES or not content.startswith(SIGNATURE):
            raise UnreadableDocument(_DAMAGED)
        shift, mini_shift = struct.unpack_from("<HH", content, 30)
        directory, cutoff, mini_fat = struct.unpack_from("<I4xII", content, 48)
        if shift not in _SECTOR_SHIFTS or mini_shift > shift:
            raise UnreadableDocument(_DAMAGED)
        self._content = content
        self._sector, self._mini_sector, self._cutoff = 1 << shift, 1 << mini_shift, cutoff
        self._fat = self._numbers(b"".join(self._sector_bytes(number) for number in self._fat_sectors()))
        self._entries = list(_entries(self._chain(directory)))
        if not self._entries:
            raise UnreadableDocument(_DAMAGED)
        self._mini_fat = self._numbers(self._chain(mini_fat))
        # The stream of the root holds the sectors of all streams that are shorter than the cutoff.
        self._mini = self._chain(self._entries[0].start)

    def members(self, storage: int) -> Mapping[str, int]:
        """Return the numbers of a storage's members by their names."""
        found: dict[str, int] = {}
        seen: set[int] = set()
        pending = [self._entries[storage].child]
        while pending:
            number = pending.pop()
            # Siblings are a tree; in a damaged file they can be a circle.
            if number >= len(self._entries) or number in seen:
                continue
            seen.add(number)
            entry = self._entries[number]
            found[entry.name] = number
            pending += [entry.left, entry.right]
        return found

    def is_storage(self, number: int) -> bool:
        """Return whether the entry can hold other members."""
        return self._entries[number].kind in (_STORAGE, _ROOT)

    def stream(self, number: int) -> bytes:
        """Return the bytes of a stream; empty for a storage."""
        entry = self._entries[number]
        if entry.kind != _STREAM:
            return b""
        if entry.size >= self._cutoff:
            return self._chain(entry.start)[: entry.size]
        return b"".join(self._mini_chain(entry.start, entry.size))[: entry.size]

    def _mini_chain(self, start: int, size: int) -> Iterator[bytes]:
        number = start
        for _ in range(size // self._mini_sector + 1):
            if number >= len(self._mini_fat):
                return
            yield self._mini[number * self._mini_sector : (number + 1) * self._mini_sector]
            number = self._mini_fat[number]

    def _chain(self, start: int) -> bytes:
        found: list[bytes] = []
        number = start
        while number < len(self._fat):
            found.append(self._sector_bytes(number))
            if len(found) > len(self._fat):
                raise UnreadableDocument(_DAMAGED)
            number = self._fat[number]
        return b"".join(found)

    def _sector_bytes(self, number: int) -> bytes:
        # Sector 0 follows the header, which fills a sector of its own.
        start = (number + 1) * self._sector
        return self._content[start : start + self._sector]

    def _fat_sectors(self) -> Iterator[int]:
        """Yield the sectors of the allocation table: 109 named in the header, the others in a chain of their own."""
        sectors = len(self._content) // self._sector
        # [MS-CFB] 2.2: 109 numbers begin at byte 76, the first sector of the chain is at byte 68.
        yield from self._existing_sectors(struct.unpack_from(f"<{_IN_HEADER}I", self._content, 76))
        (number,) = struct.unpack_from("<I", self._content, 68)
        for _ in range(sectors):
            if number > _LAST_SECTOR or number >= sectors:
                return
            *listed, number = self._numbers(self._sector_bytes(number)) or (_NO_ENTRY,)
            yield from self._existing_sectors(tuple(listed))

    def _existing_sectors(self, numbers: tuple[int, ...]) -> Iterator[int]:
        yield from (number for number in numbers if number < len(self._content) // self._sector)

    @staticmethod
    def _numbers(raw: bytes) -> tuple[int, ...]:
        return struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4])


def _entries(directory: bytes) -> Iterator[_Entry]:
    for name, length, kind, _, left, right, child, start, size in _ENTRY.iter_unpack(
        directory[: len(directory) // _ENTRY.size * _ENTRY.size]
    ):
        text = bytes(name)[: max(0, length - 2)].decode("utf-16-le", errors="replace")
        # [MS-CFB] 2.6.1: in files of version 3, the upper half of the size can hold anything.
        yield _Entry(text, kind, left, right, child, start, size & 0xFFFFFFFF)


def detect_kind(content: bytes) -> str:
    """Return the usual extension of such a file, "encrypted" for an encrypted package, or "" for others."""
    try:
        compound = CompoundFile(content)
    except UnreadableDocument:
        return ""
    names = compound.members(CompoundFile.root).keys()
    for kind, member_names in _KINDS.items():
        if not names.isdisjoint(member_names):
            return kind
    return ""


_KINDS: Final = {
    "encrypted": ("EncryptedPackage",),
    "xls": ("Workbook", "Book"),
    "doc": ("WordDocument",),
    "ppt": ("PowerPoint Document",),
    "msg": ("__properties_version1.0",),
}
