"""Raster images made with the standard library, PNG files decoded to their pixels, and packages with further parts."""

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from tests.readers.office import package

Pixel = tuple[int, ...]
PixelAt = Callable[[int, int], Pixel]

_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def picture(seed: int = 0) -> PixelAt:
    """A pattern in red, green and blue that differs with the seed."""
    return lambda x, y: ((x * 3 + seed * 41) % 256, (y * 5 + seed * 17) % 256, (x * y + seed) % 256)


def png(
    width: int = 64,
    height: int = 56,
    pixel: PixelAt | None = None,
    *,
    color_type: int = 2,
    depth: int = 8,
    chunks: Mapping[bytes, bytes] | None = None,
    interlaced: bool = False,
) -> bytes:
    """Return a PNG file with `chunks` after its header; `interlaced` stores the picture in seven passes."""
    paint = pixel or picture()
    passes = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)]
    data = b"".join(
        b"\0" + b"".join(_sample(paint(x, y), depth) for x in range(left, width, right))
        for left, right, top, down in (passes if interlaced else [(0, 1, 0, 1)])
        for y in range(top, height, down)
        if left < width
    )
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, int(interlaced))
    parts = [(b"IHDR", header), *(chunks or {}).items(), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    return SIGNATURE + b"".join(chunk(kind, payload) for kind, payload in parts)


def gray_png(width: int, height: int, packed: bytes) -> bytes:
    """A PNG file in shades of grey of the packed pixels, row by row."""
    raw = zlib.decompress(packed)
    data = b"".join(b"\0" + raw[start : start + width] for start in range(0, width * height, width))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def _sample(pixel: Pixel, depth: int) -> bytes:
    return struct.pack(f">{len(pixel)}H", *pixel) if depth == 16 else bytes(pixel)


def chunk(kind: bytes, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def pixels(content: bytes) -> list[list[Pixel]]:
    """The rows of a PNG file of 8 bits per channel that is not interlaced."""
    width, height, depth, color_type = struct.unpack_from(">IIBB", content, 16)
    assert depth == 8
    data, position = b"", 8
    while position < len(content):
        length, kind = struct.unpack_from(">I4s", content, position)
        data += content[position + 8 : position + 8 + length] if kind == b"IDAT" else b""
        position += 12 + length
    raw, count = zlib.decompress(data), _CHANNELS[color_type]
    stride, above, rows = width * count, bytearray(width * count), list[list[Pixel]]()
    for y in range(height):
        row = bytearray(raw[y * (stride + 1) : (y + 1) * (stride + 1)])
        above = _unfiltered(row[0], row[1:], above, count)
        rows.append([tuple(above[x : x + count]) for x in range(0, stride, count)])
    return rows


def _unfiltered(kind: int, row: bytearray, above: bytearray, count: int) -> bytearray:
    for at in range(len(row)):
        left = row[at - count] if at >= count else 0
        corner = above[at - count] if at >= count else 0
        guess = left + above[at] - corner
        nearest = min((left, above[at], corner), key=lambda value: abs(guess - value))
        row[at] = (row[at] + (0, left, above[at], (left + above[at]) // 2, nearest)[kind]) % 256
    return row


def gif(width: int, height: int, *frames: Pixel) -> bytes:
    """An animation: each frame is filled with one colour."""
    palette = b"".join(bytes(color) for color in frames).ljust(3 * 256, b"\0")
    pictures = b"".join(
        b"\x21\xf9\x04\x04\x0a\0\0\0"
        b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x08" + _gif_blocks(number, width * height)
        for number in range(len(frames))
    )
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + palette + pictures + b"\x3b"


def _gif_blocks(color: int, count: int) -> bytes:
    """Pixels of one colour as LZW codes of nine bits, with a clear code before the table would grow them."""
    bits = size = 0
    packed = bytearray()
    codes = [code for at in range(count) for code in ([256] if at % 200 == 0 else []) + [color]] + [257]
    for code in codes:
        bits |= code << size
        size += 9
        while size >= 8:
            packed.append(bits & 0xFF)
            bits >>= 8
            size -= 8
    packed.append(bits & 0xFF)
    blocks = [bytes(packed[at : at + 255]) for at in range(0, len(packed), 255)]
    return b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def bmp(width: int, height: int, color: Pixel) -> bytes:
    row = (bytes(reversed(color)) * width).ljust((3 * width + 3) // 4 * 4, b"\0")
    data = row * height
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(data), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54) + header + data


# --- JPEG: blocks of one shade each, which need no transformation ------------------------------------------------


def jpeg(
    width: int = 64,
    height: int = 56,
    shade: Callable[[int, int], int] = lambda x, y: (x * 32 + y * 32) % 256,
    *,
    components: int = 1,
    segments: tuple[tuple[int, bytes], ...] = (),
) -> bytes:
    """A JPEG file of squares of eight pixels, each of one shade, in as many equal components."""
    sizes = bytes([0, 0, 0, 12, *([0] * 12)])
    tables = b"\0" + sizes + bytes(range(12)) + b"\x10" + bytes([1, *([0] * 15)]) + b"\0"
    frame = struct.pack(">BHHB", 8, height, width, components)
    frame += b"".join(bytes([number, 0x11, 0]) for number in range(1, components + 1))
    scan = bytes([components]) + b"".join(bytes([number, 0]) for number in range(1, components + 1)) + b"\0\x3f\0"
    parts = [*segments, (0xDB, b"\0" + bytes([8] * 64)), (0xC0, frame), (0xC4, tables), (0xDA, scan)]
    head = b"".join(bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body for marker, body in parts)
    return b"\xff\xd8" + head + _blocks(width, height, shade, components) + b"\xff\xd9"


def _blocks(width: int, height: int, shade: Callable[[int, int], int], components: int) -> bytes:
    bits: list[str] = []
    before = 0
    for y in range(-(-height // 8)):
        for x in range(-(-width // 8)):
            value = shade(x, y) - 128
            for number in range(components):
                # The differences are those of each component, which all have the same shade.
                bits.append(_difference(value - before) + "0")
                if number == components - 1:
                    before = value
    joined = "".join(bits)
    joined += "1" * (-len(joined) % 8)
    return int(joined, 2).to_bytes(len(joined) // 8, "big").replace(b"\xff", b"\xff\0")


def _difference(value: int) -> str:
    size = abs(value).bit_length()
    code = f"{size:04b}"
    if size == 0:
        return code
    return code + f"{value if value > 0 else value + (1 << size) - 1:0{size}b}"


def exif(orientation: int, text: bytes = b"") -> tuple[int, bytes]:
    """A segment that states the orientation and, as GPS data would, carries a text."""
    entries = struct.pack("<HHHIHH", 2, 0x0112, 3, 1, orientation, 0) + struct.pack("<HHII", 0x010E, 2, len(text), 38)
    return 0xE1, b"Exif\0\0II*\0" + struct.pack("<I", 8) + entries + struct.pack("<I", 0) + text


# --- files that hold images ---------------------------------------------------------------------------------------


def data_address(content: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def with_parts(content: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """The package with these parts added, or in place of those of the same name."""
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        present = {name: source.read(name) for name in source.namelist()}
    return package({**present, **parts})
