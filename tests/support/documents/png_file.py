"""A small PNG file, and a Markdown page that holds it."""

import struct
from base64 import b64encode
from typing import Final
from zlib import compress, crc32

_SIDE: Final = 64
_GRAY: Final = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 0, 0, 0, 0)


def png_file() -> bytes:
    """A square with a pattern, large enough to be no decoration."""
    rows = b"".join(bytes([0, *(row * column % 251 for column in range(_SIDE))]) for row in range(_SIDE))
    chunks = ((b"IHDR", _GRAY), (b"IDAT", compress(rows)), (b"IEND", b""))
    packed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def page_with_png(title: str, alternative_text: str) -> str:
    """A Markdown page of this title that holds the file."""
    address = f"data:image/png;base64,{b64encode(png_file()).decode()}"
    return f"# {title}\n\nSome words about it.\n\n![{alternative_text}]({address})\n"
