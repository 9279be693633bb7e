"""Small files of the kinds that Office wrote before 2007, made record by record: workbooks and Outlook's mails."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_END, _FREE, _FAT_SECTOR, _NOBODY = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF

Tree = Mapping[str, "bytes | Tree"]


@dataclass
class _Layout:
    """Sectors and their chains as they grow."""

    sectors: list[bytes] = field(default_factory=list[bytes])
    chains: list[int] = field(default_factory=list[int])
    mini: bytearray = field(default_factory=bytearray)
    mini_chains: list[int] = field(default_factory=list[int])

    def add(self, content: bytes) -> int:
        """The first sector of the content."""
        if not content:
            return _END
        first = len(self.sectors)
        parts = [content[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(content), _SECTOR)]
        self.sectors += parts
        self.chains += [*range(first + 1, first + len(parts)), _END]
        return first

    def add_mini(self, content: bytes) -> int:
        """The first small sector of the content."""
        first, count = len(self.mini) // _MINI, -(-len(content) // _MINI)
        self.mini += content.ljust(count * _MINI, b"\0")
        self.mini_chains += [*range(first + 1, first + count), _END]
        return first


def compound(tree: Tree) -> bytes:
    """A compound file of these storages and streams."""
    layout, entries = _Layout(), [dict[str, int | str]()]
    child = _add(tree, layout, entries)
    entries[0] = {"name": "Root Entry", "kind": 5, "child": child, "size": len(layout.mini)}
    entries[0]["start"] = layout.add(bytes(layout.mini))
    mini_fat = layout.add(struct.pack(f"<{len(layout.mini_chains)}I", *layout.mini_chains).ljust(_SECTOR, b"\xff"))
    directory = layout.add(b"".join(_entry(entry) for entry in entries))
    count = -(-(len(layout.chains) + 2) // (_SECTOR // 4))
    first = len(layout.sectors)
    chains = layout.chains + [_FAT_SECTOR] * count
    fat = struct.pack(f"<{len(chains)}I", *chains).ljust(count * _SECTOR, b"\xff")
    places = struct.pack("<109I", *range(first, first + count), *[_FREE] * (109 - count))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6xI", 0x3E, 3, 0xFFFE, 9, 6, 0)
    header += struct.pack("<IIIIIIII", count, directory, 0, _CUTOFF, mini_fat, 1, _END, 0) + places
    return header + b"".join(layout.sectors) + fat


def _add(tree: Tree, layout: _Layout, entries: list[dict[str, int | str]]) -> int:
    """The number of the first member; each leads to the next on its right."""
    first = previous = _NOBODY
    for name, member in tree.items():
        number = len(entries)
        entry: dict[str, int | str] = {"name": name}
        entries.append(entry)
        if isinstance(member, bytes):
            start = layout.add(member) if len(member) >= _CUTOFF else layout.add_mini(member)
            entry |= {"kind": 2, "size": len(member), "start": start}
        else:
            entry |= {"kind": 1, "child": _add(member, layout, entries)}
        if previous == _NOBODY:
            first = number
        else:
            entries[previous]["right"] = number
        previous = number
    return first


def _entry(entry: Mapping[str, int | str]) -> bytes:
    name = str(entry["name"]).encode("utf-16-le") + b"\0\0"
    right, child, start = (int(entry.get(key, _NOBODY)) for key in ("right", "child", "start"))
    fixed = struct.pack(
        "<HBBIII36xIQ", len(name), int(entry["kind"]), 1, _NOBODY, right, child, start, int(entry.get("size", 0))
    )
    return name.ljust(64, b"\0") + fixed


# --- Workbooks ----------------------------------------------------------------------------------------------


def xls(sheets: Mapping[str, Sequence[Sequence[str]]], hidden: frozenset[str] = frozenset()) -> bytes:
    """A workbook: sheet name to rows of text cells."""
    parts = [
        _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0)) + _cells(rows) + _record(0x0A)
        for rows in sheets.values()
    ]
    start = _record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0))
    listed = [
        struct.pack("<BB", name in hidden, 0) + struct.pack("<BB", len(name), 1) + name.encode("utf-16-le")
        for name in sheets
    ]
    position = len(start) + sum(len(one) + 8 for one in listed) + 4
    book = start
    for one, part in zip(listed, parts, strict=True):
        book += _record(0x85, struct.pack("<I", position) + one)
        position += len(part)
    return compound({"Workbook": (book + _record(0x0A) + b"".join(parts)).ljust(_CUTOFF, b"\0")})


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _cells(rows: Sequence[Sequence[str]]) -> bytes:
    return b"".join(
        _record(0x0204, struct.pack("<HHHHB", y, x, 0, len(cell), 1) + cell.encode("utf-16-le"))
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    )


# --- Mails --------------------------------------------------------------------------------------------------


def message(texts: Mapping[str, str], sent: int, members: Tree | None = None, *, is_inner: bool = False) -> Tree:
    """A message: text properties by number, when it was sent in tenths of microseconds since 1601, and its files."""
    fixed = bytes(24 if is_inner else 32) + struct.pack("<IIQ", 0x00390040, 6, sent)
    found = {f"__substg1.0_{number}001F": text.encode("utf-16-le") for number, text in texts.items()}
    return {"__properties_version1.0": fixed, **found, **(members or {})}


def attachment(name: str, content: "bytes | Tree", content_id: str = "", kind: str = "") -> Tree:
    """An attached file, or a message within a message."""
    texts = {"3707": name, "3712": content_id, "370E": kind}
    found: dict[str, bytes | Tree] = {
        f"__substg1.0_{number}001F": text.encode("utf-16-le") for number, text in texts.items() if text
    }
    found[f"__substg1.0_3701{'0102' if isinstance(content, bytes) else '000D'}"] = content
    return {"__properties_version1.0": bytes(8), **found}
