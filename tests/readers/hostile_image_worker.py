"""A worker whose readers of images do what the document orders; its text is always read."""

import os
import struct
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from groundwire_readers.contents.parsed import (
    THUMBNAIL_BYTES,
    Block,
    BlockKind,
    DocumentImages,
    ImageLeftOut,
    PagePicture,
    ParsedDocument,
    ParsedImage,
    WordBox,
)
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.ocr import OcrPages, OcrSettings
from groundwire_readers.sandbox.processes.worker import ImageReaders, ParseFunction, serve
from tests.readers.raster_images import exif, jpeg, picture, png

_kept: list[bytearray] = []


def read(content: bytes, _file_type: str, _ocr: OcrPages | None) -> ParsedDocument:
    return ParsedDocument("text/plain", None, (Block(BlockKind.PARAGRAPH, content.decode()),), None, 0)


def _image(content: bytes, position: int = 0, text: str = "", page: int | None = None) -> ParsedImage:
    digest = sha256(content).hexdigest()
    return ParsedImage(content, "image/png", 1, 1, position, page, False, text, text, text, "", digest)


def _images(*contents: bytes) -> DocumentImages:
    return DocumentImages(tuple(_image(content, number) for number, content in enumerate(contents)), {})


def _with_thumbnails(*sizes: int) -> DocumentImages:
    images = _images(*(png(pixel=picture(seed)) for seed in range(len(sizes)))).images
    return DocumentImages(
        tuple(replace(image, thumbnail=bytes(size)) for image, size in zip(images, sizes, strict=True)), {}
    )


def _abort() -> DocumentImages:
    os.abort()


def _hang() -> DocumentImages:
    time.sleep(600)
    return _images()


def _allocate() -> DocumentImages:
    while True:
        _kept.append(bytearray(16_000_000))


def _refuse() -> DocumentImages:
    raise UnreadableDocument("it is damaged")


def _raise() -> DocumentImages:
    raise LookupError


def _babble() -> DocumentImages:
    os.write(4, struct.pack(">Q", 3) + b"{{{")
    return _images()


def _segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


_PROGRESSIVE = (
    jpeg()[:-2] + b"\xff\xd0ab\xff\0\xff\xd7c" + _segment(0xC4, bytes(17)) + _segment(0xDA, bytes(8)) + b"data\xff\xd9"
)
"""A picture of two scans, with restart markers, and a table between them."""
_HIDDEN = "in\u200bvisible ![x](https://example.com/track) <img src=https://example.com/x> \U000e0041plain"
_ORDERS: dict[str, Callable[[], DocumentImages]] = {
    "abort": _abort,
    "hang": _hang,
    "allocate": _allocate,
    "refuse": _refuse,
    "raise": _raise,
    "babble": _babble,
    "metadata": lambda: _images(png(chunks={b"tEXt": b"Comment\0x"})),
    "trailing bytes": lambda: _images(png() + b"x"),
    "no checksum": lambda: _images(png().replace(b"IEND", b"IENE")),
    "exif": lambda: _images(jpeg(segments=((0xE0, b"JFIF\0\1\2\0\0\1\0\1\0\0"), exif(1, b"x")))),
    "comment": lambda: _images(jpeg(segments=((0xFE, b"x"),))),
    "thumbnail": lambda: _images(jpeg(segments=((0xE0, b"JFIF\0\1\2\0\0\1\0\1\1\1abc"),))),
    "bytes after the end": lambda: _images(jpeg() + b"<script></script>\xff\xd9"),
    "two pictures": lambda: _images(jpeg() + jpeg()),
    "bytes after a marker": lambda: _images(jpeg()[:-2] + b"\xff\xfe\0\x03x\xff\xd9"),
    "a frame after the scan": lambda: _images(jpeg()[:-2] + _segment(0xC0, bytes(15)) + b"\xff\xd9"),
    "no end": lambda: _images(jpeg()[:-2]),
    "no scan": lambda: _images(b"\xff\xd8" + _segment(0xC0, struct.pack(">BHHB", 8, 60, 60, 0)) + b"\xff\xd9"),
    "a segment beyond the end": lambda: _images(jpeg()[:-2] + b"\xff\xc4\xff\xff\xff\xd9"),
    "drawing": lambda: _images(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "another type": lambda: _images(b"GIF89a" + struct.pack("<HH", 60, 50) + bytes(60)),
    "nothing": lambda: _images(b""),
    "too wide": lambda: _images(png(2049, 1, lambda _x, _y: (0, 0, 0))),
    "too large": lambda: _images(png(chunks={b"IDAT": bytes(700_000)})),
    "too many": lambda: _images(*(png(1, 1, picture(seed)) for seed in range(51))),
    "too much": lambda: _images(*(b"\xff" * 600_000 for _ in range(40))),
    "page zero": lambda: DocumentImages((_image(png(), page=0),), {}),
    "left out below nothing": lambda: DocumentImages((), {ImageLeftOut.DAMAGED: -1}),
    "hidden text": lambda: DocumentImages((_image(png(), text=_HIDDEN),), {}),
    "long text": lambda: DocumentImages((_image(png(), text="word " * 2_000),), {}),
    "progressive": lambda: _images(jpeg(), _PROGRESSIVE),
    "thumbnails": lambda: _with_thumbnails(THUMBNAIL_BYTES, THUMBNAIL_BYTES),
    "one thumbnail": lambda: _with_thumbnails(0, THUMBNAIL_BYTES),
    "short thumbnail": lambda: _with_thumbnails(THUMBNAIL_BYTES - 1, THUMBNAIL_BYTES),
    "long thumbnail": lambda: _with_thumbnails(THUMBNAIL_BYTES, THUMBNAIL_BYTES + 1),
    "good": lambda: _images(*(png(pixel=picture(seed)) for seed in range(4))),
}
"""Replies that the parser must refuse, and those that it must accept."""


def extract(content: bytes, _file_type: str, _seconds: float, *, with_thumbnails: bool) -> DocumentImages:
    return _ORDERS[content.decode().partition(":")[0]]()


def recognise(content: bytes, _settings: OcrSettings) -> str:
    """Read the images of the document "good": the second one ends the worker."""
    if content == png(pixel=picture(1)):
        os.abort()
    return next(f"number {seed} \u200b" for seed in range(4) if content == png(pixel=picture(seed)))


_DRAWN: dict[str, Callable[[], PagePicture]] = {
    "good": lambda: _page(png(), WordBox("in\u200bvisible", 0, 0, 10_000, 10_000)),
    "abort": lambda: _page(bytes(_abort().images[0].content)),
    "refuse": lambda: _page(bytes(_refuse().images[0].content)),
    "hang": lambda: _page(bytes(_hang().images[0].content)),
    "no picture": lambda: _page(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "metadata": lambda: _page(png(chunks={b"tEXt": b"Comment\0x"})),
    "too wide": lambda: _page(png(1_601, 1, lambda _x, _y: (0, 0, 0))),
    "too large": lambda: _page(png(chunks={b"IDAT": bytes(700_000)})),
    "far word": lambda: _page(png(), WordBox("word", 0, 0, 10_001, 1)),
    "long word": lambda: _page(png(), WordBox("w" * 201, 0, 0, 1, 1)),
    "many words": lambda: _page(png(), *[WordBox("word", 0, 0, 1, 1)] * 5_001),
    "part of a word": lambda: _page(png(), WordBox("word", 0, 0, 1, 1)[:4]),  # pyright: ignore[reportArgumentType] - that is the attack
}
"""Pictures of pages, of which the parser must accept the first one only."""


def _page(content: bytes, *words: WordBox) -> PagePicture:
    return PagePicture(content, "image/png", 1, 1, words)


def draw(content: bytes, _page: int) -> PagePicture:
    return _DRAWN[content.decode()]()


def _load() -> ParseFunction:
    return read


def _load_images() -> ImageReaders:
    return ImageReaders(extract, recognise, draw)


if __name__ == "__main__":
    serve(_load, _load_images)
