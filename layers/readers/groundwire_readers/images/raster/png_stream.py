"""PNG streams: strict reading, rewriting without anything but pixels, and separation of the transparency.

A PNG filter works on each byte position of a pixel by itself. So the filtered rows of RGBA pixels split into filtered
rows of RGB and of alpha by slices, without undoing the filters, which is slow without a native library.
"""

import struct
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.images.raster.headers import PNG_SIGNATURE

GRAY, RGB, PALETTE, GRAY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
"""Colour types of PNG."""
CHANNELS: Final = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGB_ALPHA: 4}
_DEPTHS: Final = {GRAY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GRAY_ALPHA: (8, 16), RGB_ALPHA: (8, 16)}
_LAST_FILTER: Final = 4
_COMPRESSION: Final = 6
_INFLATED_AT_ONCE: Final = 1 << 20
_PALETTE_BYTES_MAX: Final = 768
PIXEL_CHUNKS: Final = (b"IHDR", b"PLTE", b"IDAT", b"IEND")
"""Chunks of the files that `write_png` returns."""


class ImageDamaged(UnreadableDocument):
    """Error for an image that cannot be decoded."""


class ImageTooLarge(UnreadableDocument):
    """Error for an image that declares more pixels than may be decoded."""


class PngImage(NamedTuple):
    """A PNG file taken apart.

    Attributes:
        has_color_key: it declares transparent colours (`tRNS`).
        data: the compressed rows.
    """

    width: int
    height: int
    bit_depth: int
    color_type: int
    is_interlaced: bool
    has_color_key: bool
    palette: bytes
    data: bytes

    @property
    def has_alpha(self) -> bool:
        """True where each pixel has a transparency of its own."""
        return self.color_type in (GRAY_ALPHA, RGB_ALPHA)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row without the one that names its filter."""
        return (self.width * CHANNELS[self.color_type] * self.bit_depth + 7) // 8

    @property
    def is_plain(self) -> bool:
        """True unless it is interlaced, has 16 bits per channel, or transparent colours."""
        return not self.is_interlaced and not self.has_color_key and self.bit_depth <= 8  # noqa: PLR2004 - a byte


class PngChunk(NamedTuple):
    """A chunk of a PNG file."""

    kind: bytes
    payload: bytes


def png_chunks(content: bytes) -> Iterator[PngChunk]:
    """Yield the chunks up to the end chunk; what follows it is ignored.

    Raises:
        ImageDamaged: cut off, or a checksum is wrong.
    """
    position = len(PNG_SIGNATURE)
    kind = b""
    while kind != b"IEND":
        if position + 12 > len(content):
            raise ImageDamaged("cut off")
        length, kind = struct.unpack_from(">I4s", content, position)
        end = position + 8 + length
        if end + 4 > len(content):
            raise ImageDamaged("cut off")
        (checksum,) = struct.unpack_from(">I", content, end)
        if zlib.crc32(memoryview(content)[position + 4 : end]) != checksum:
            raise ImageDamaged("a wrong checksum")
        yield PngChunk(kind, content[position + 8 : end])
        position = end + 4


def read_png(content: bytes) -> PngImage:
    """Return the parts of a PNG file.

    Raises:
        ImageDamaged: malformed, or of a kind that PNG does not have.
    """
    chunks = list(png_chunks(content)) if content.startswith(PNG_SIGNATURE) else []
    if not chunks or chunks[0].kind != b"IHDR" or len(chunks[0].payload) != 13:  # noqa: PLR2004 - its fixed length
        raise ImageDamaged("no header")
    width, height, depth, color_type, compression, filtering, interlace = struct.unpack(">IIBBBBB", chunks[0].payload)
    palette = next((chunk.payload for chunk in chunks if chunk.kind == b"PLTE"), b"")
    is_known = depth in _DEPTHS.get(color_type, ()) and (compression, filtering) == (0, 0) and interlace in (0, 1)
    has_palette = 0 < len(palette) <= _PALETTE_BYTES_MAX and len(palette) % 3 == 0
    if not is_known or not width or not height or (color_type == PALETTE and not has_palette):
        raise ImageDamaged("no kind of PNG")
    return PngImage(
        width,
        height,
        depth,
        color_type,
        is_interlaced=interlace == 1,
        has_color_key=any(chunk.kind == b"tRNS" for chunk in chunks),
        palette=palette if color_type == PALETTE else b"",
        data=b"".join(chunk.payload for chunk in chunks if chunk.kind == b"IDAT"),
    )


def rows(image: PngImage) -> Iterator[bytes]:
    """Yield the filtered rows of an image without interlacing, each with the byte of its filter.

    Raises:
        ImageDamaged: fewer rows than the header declares, or an unknown filter.
    """
    stride = image.row_bytes + 1
    inflater = zlib.decompressobj()
    waiting, pending = image.data, b""
    for _ in range(image.height):
        while len(pending) < stride:
            try:
                # In pieces, since a few bytes can inflate to gigabytes.
                inflated = inflater.decompress(waiting, max(_INFLATED_AT_ONCE, stride))
            except zlib.error as error:
                raise ImageDamaged("its pixels cannot be unpacked") from error
            waiting = inflater.unconsumed_tail
            if not inflated:
                raise ImageDamaged("pixels are missing")
            pending += inflated
        row, pending = pending[:stride], pending[stride:]
        if row[0] > _LAST_FILTER:
            raise ImageDamaged("an unknown filter")
        yield row


def check_rows(image: PngImage) -> None:
    """Check that an image has all its rows: a renderer would leave the missing ones blank.

    Raises:
        ImageDamaged: see `rows`.
    """
    deque(rows(image), maxlen=0)


def write_png(image: PngImage) -> bytes:
    """Return the image as a file that holds its pixels and nothing else, their stream packed anew.

    Raises:
        ImageDamaged: see `rows`.
    """
    header = struct.pack(">IIBBBBB", image.width, image.height, image.bit_depth, image.color_type, 0, 0, 0)
    packer = zlib.compressobj(_COMPRESSION)
    data = b"".join([*(packer.compress(row) for row in rows(image)), packer.flush()])
    palette = [_chunk(b"PLTE", image.palette)] if image.palette else []
    return b"".join([PNG_SIGNATURE, _chunk(b"IHDR", header), *palette, _chunk(b"IDAT", data), _chunk(b"IEND", b"")])


def split_alpha(image: PngImage) -> tuple[PngImage, PngImage]:
    """Return the colours and the transparency of an image of 8 bits per channel as two images.

    Raises:
        ImageDamaged: see `rows`.
    """
    channels = CHANNELS[image.color_type]
    # Both streams are packed anew later, so the fastest level serves here.
    color_packer, alpha_packer = zlib.compressobj(1), zlib.compressobj(1)
    colors: list[bytes] = []
    alphas: list[bytes] = []
    for row in rows(image):
        colors.append(color_packer.compress(row[:1] + _without_last_channel(row, channels)))
        alphas.append(alpha_packer.compress(row[:1] + row[channels::channels]))
    color_type = RGB if image.color_type == RGB_ALPHA else GRAY
    color = image._replace(color_type=color_type, data=b"".join([*colors, color_packer.flush()]))
    return color, image._replace(color_type=GRAY, data=b"".join([*alphas, alpha_packer.flush()]))


def _without_last_channel(row: bytes, channels: int) -> bytes:
    if channels == 2:  # noqa: PLR2004 - grey and alpha
        return row[1::2]
    color = bytearray((len(row) - 1) // channels * (channels - 1))
    for channel in range(channels - 1):
        color[channel :: channels - 1] = row[1 + channel :: channels]
    return bytes(color)


def _chunk(kind: bytes, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))
