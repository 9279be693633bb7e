"""Bounds on the images of a document: sizes, numbers, decorations, damage; never at the cost of its text."""

import random
import struct
import zlib
from collections.abc import Callable

import pytest

from groundwire_readers import ParserLimits, WorkerParser
from groundwire_readers.contents.limits import (
    MAX_DOCUMENT_IMAGE_PIXELS,
    MAX_IMAGE_BYTES,
    MAX_IMAGE_PIXELS,
    MAX_IMAGE_SIDE,
    MAX_IMAGES,
)
from groundwire_readers.contents.parsed import ImageLeftOut, ParsedDocument, images_notice
from tests.readers.office import docx, paragraph, run
from tests.readers.raster_images import (
    SIGNATURE,
    bmp,
    chunk,
    data_address,
    gif,
    gray_png,
    jpeg,
    picture,
    pixels,
    png,
    with_parts,
)
from tests.support.documents.pdf import assembled

TEXT = "The text of the document."


def page_of(*images: bytes) -> bytes:
    tags = "".join(f"<img src='{data_address(image)}'>" for image in images)
    return f"<p>{TEXT}</p>{tags}".encode()


def read(parser: WorkerParser, *images: bytes) -> ParsedDocument:
    document = parser.parse(page_of(*images), "html", with_images=True)
    assert [block.text for block in document.blocks] == [TEXT]
    return document


def png_header(width: int, height: int) -> bytes:
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def declaring(width: int, height: int) -> dict[str, bytes]:
    """Files of every type that declare this size and hold hardly anything."""
    big_jpeg = bytearray(jpeg())
    frame = big_jpeg.index(b"\xff\xc0")
    big_jpeg[frame + 5 : frame + 9] = struct.pack(">HH", min(height, 65_535), min(width, 65_535))
    tiff = (
        b"II*\0" + struct.pack("<IH", 8, 2) + struct.pack("<HHIIHHII", 256, 4, 1, width, 257, 4, 1, height) + bytes(4)
    )
    webp = b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return {
        "png": png_header(width, height) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""),
        "jpeg": bytes(big_jpeg),
        "gif": gif(60, 50, (1, 2, 3)).replace(struct.pack("<HH", 60, 50), struct.pack("<HH", 65_000, 65_000), 1),
        "bmp": bmp(60, 50, (1, 2, 3)).replace(struct.pack("<ii", 60, 50), struct.pack("<ii", width, height), 1),
        "tiff": tiff,
        "webp": webp,
    }


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "bmp", "tiff", "webp"])
def test_an_image_that_declares_too_many_pixels_is_counted_and_not_decoded(parser: WorkerParser, kind: str) -> None:
    document = read(parser, declaring(60_000, 60_000)[kind], png())
    assert [image.position for image in document.images] == [0]
    assert document.images_left_out == {ImageLeftOut.TOO_LARGE: 1}
    assert images_notice(document.images_left_out) == "1 image left out: 1 larger than 40 megapixels"


def test_a_pdfs_image_with_too_many_pixels_is_counted_and_the_others_are_read(parser: WorkerParser) -> None:
    side = 6_500
    assert side * side > MAX_IMAGE_PIXELS
    data = random.Random(3).randbytes((side + 7) // 8 * side)
    small = bytes(48 * 60)
    head = "/Type /XObject /Subtype /Image /ColorSpace /DeviceGray"
    stream = (
        f"BT /F1 11 Tf 72 700 Td ({TEXT}) Tj ET q 90 0 0 90 72 500 cm /A Do Q q 90 0 0 90 72 300 cm /B Do Q".encode()
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources 8 0 R >>",
        f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
        f"<< {head} /Width {side} /Height {side} /BitsPerComponent 1 /Length {len(data)} >>\nstream\n".encode()
        + data
        + b"\nendstream",
        f"<< {head} /Width 48 /Height 60 /BitsPerComponent 8 /Length {len(small)} >>\nstream\n".encode()
        + small
        + b"\nendstream",
        b"<< /Font << /F1 3 0 R >> /XObject << /A 6 0 R /B 7 0 R >> >>",
    ]
    document = parser.parse(assembled(objects), "pdf", with_images=True)
    assert [block.text for block in document.blocks] == [TEXT]
    assert [(image.width, image.height) for image in document.images] == [(48, 60)]
    assert document.images_left_out == {ImageLeftOut.TOO_LARGE: 1}


def test_the_first_fifty_images_are_kept_and_the_others_counted(parser: WorkerParser) -> None:
    document = read(parser, *(png(48, 48, picture(seed)) for seed in range(MAX_IMAGES + 10)))
    assert [image.position for image in document.images] == list(range(MAX_IMAGES))
    assert document.images_left_out == {ImageLeftOut.OVER_LIMIT: 10}
    assert pixels(document.images[-1].content)[1][1] == picture(MAX_IMAGES - 1)(1, 1)


def test_all_images_of_a_document_share_a_limit_of_pixels(parser: WorkerParser) -> None:
    side = 6_300
    damaged = [
        png_header(side, side) + chunk(b"IDAT", zlib.compress(bytes(number))) + chunk(b"IEND", b"")
        for number in range(12)
    ]
    within = MAX_DOCUMENT_IMAGE_PIXELS // (side * side)
    document = read(parser, *damaged)
    assert document.images_left_out == {ImageLeftOut.DAMAGED: within, ImageLeftOut.OVER_LIMIT: 12 - within}


def test_images_that_are_not_decoded_in_time_are_counted() -> None:
    side, count = 4_000, 24
    images = [gray_png(side, side, zlib.compress(bytes([10 * number]) * (side * side), 1)) for number in range(count)]
    with WorkerParser(ParserLimits(cpu_seconds=8)) as parser:
        document = read(parser, *images)
    left_out = document.images_left_out.get(ImageLeftOut.OUT_OF_TIME, 0)
    assert 0 < left_out < count
    assert len(document.images) == count - left_out


def test_equal_images_are_kept_once_however_they_are_stored(parser: WorkerParser) -> None:
    red, with_comment = bmp(60, 50, (255, 0, 0)), png(chunks={b"tEXt": b"Comment\0x"})
    document = read(parser, png(), png(), with_comment, red, gif(60, 50, (255, 0, 0)))
    assert len(document.images) == 2
    assert document.images_left_out == {}


@pytest.mark.parametrize(("width", "height"), [(47, 100), (100, 47), (1, 1), (48, 48 * 20 + 1)])
def test_icons_and_rules_are_left_out_without_being_counted(parser: WorkerParser, width: int, height: int) -> None:
    document = read(parser, png(width, height, lambda _x, _y: (9, 9, 9)))
    assert (document.images, document.images_left_out) == ((), {})


def test_the_smallest_and_the_longest_image_that_are_no_decoration_are_kept(parser: WorkerParser) -> None:
    document = read(parser, png(48, 48), png(48, 48 * 20))
    assert [(image.width, image.height) for image in document.images] == [(48, 48), (48, 960)]


DAMAGED = {
    "a PNG cut off": png()[:-40],
    "a PNG with a wrong checksum": png().replace(b"IDAT", b"IDAU"),
    "a PNG with too few rows": SIGNATURE
    + png_header(64, 56)[8:]
    + chunk(b"IDAT", zlib.compress(bytes(64 * 3 + 1)))
    + chunk(b"IEND", b""),
    "a PNG with an unknown filter": SIGNATURE
    + png_header(64, 56)[8:]
    + chunk(b"IDAT", zlib.compress(b"\x09" * (64 * 3 + 1) * 56))
    + chunk(b"IEND", b""),
    "a PNG with too few rows that is scaled down": SIGNATURE
    + png_header(3_000, 200)[8:]
    + chunk(b"IDAT", zlib.compress(bytes(3_000 * 3 * 100)))
    + chunk(b"IEND", b""),
    "a PNG that is no stream": SIGNATURE + png_header(64, 56)[8:] + chunk(b"IDAT", b"xxxx") + chunk(b"IEND", b""),
    "a JPEG cut off": jpeg(320, 320)[:-30],
    "a JPEG of noise": jpeg()[:40] + bytes(range(256)) * 4,
    "a GIF cut off": gif(60, 50, (1, 2, 3))[:-60],
    "a BMP cut off": bmp(60, 50, (1, 2, 3))[:-3000],
    "base64 of nothing": b"nothing that is an image",
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_image_is_counted_and_the_next_one_is_read(parser: WorkerParser, kind: str) -> None:
    document = read(parser, DAMAGED[kind], png())
    assert [pixels(image.content)[1][1] for image in document.images] == [picture()(1, 1)]
    assert document.images_left_out == {ImageLeftOut.DAMAGED: 1}
    assert images_notice(document.images_left_out) == "1 image left out: 1 damaged"


def test_a_damaged_entry_of_a_package_is_counted_and_the_text_is_read(parser: WorkerParser) -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    place = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    blip = (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{place}"><a:blip xmlns:a="{drawing}" r:embed="i"/></wp:inline>'
        "</w:drawing></w:r>"
    )
    relation = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="i" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/a.png"/>'
        "</Relationships>"
    )
    image = png()
    content = with_parts(
        docx(paragraph(run(TEXT), blip)), {"word/_rels/document.xml.rels": relation, "word/media/a.png": image}
    )
    packed = zlib.compressobj(wbits=-15)
    stored = packed.compress(image) + packed.flush()
    assert content.count(stored) == 1
    broken = content.replace(stored, bytes(len(stored)))
    document = parser.parse(broken, "docx", with_images=True)
    assert [block.text for block in document.blocks] == [TEXT]
    assert document.images_left_out == {ImageLeftOut.DAMAGED: 1}


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    "content",
    [
        SVG,
        b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n' + SVG,
        b"\xd7\xcd\xc6\x9a" + bytes(100),
        b"\x01\0\0\0" + bytes(100),
        b"\0\0\0\x18ftypavif" + bytes(100),
        b"%!PS-Adobe-3.0 EPSF-3.0",
    ],
)
def test_drawings_and_other_types_are_counted_and_never_rendered(parser: WorkerParser, content: bytes) -> None:
    document = read(parser, content)
    assert (document.images, document.images_left_out) == ((), {ImageLeftOut.UNSUPPORTED: 1})
    assert images_notice(document.images_left_out) == "1 image left out: 1 of a type that is not supported"


def test_a_drawing_within_the_markup_is_not_looked_at(parser: WorkerParser) -> None:
    inline = f"<p>{TEXT}</p><svg><image href='{data_address(png())}'/></svg>"
    document = parser.parse(inline.encode(), "html", with_images=True)
    assert (document.images, document.images_left_out) == ((), {})


def test_a_large_image_is_scaled_down_to_the_side_of_a_kept_one(parser: WorkerParser) -> None:
    (image,) = read(parser, png(4096, 256, lambda x, _y: (255, 0, 0) if x < 2048 else (0, 0, 255))).images
    rows = pixels(image.content)
    assert (image.width, image.height) == (MAX_IMAGE_SIDE, 128)
    assert (rows[64][512], rows[64][1536]) == ((255, 0, 0), (0, 0, 255))


def test_an_image_that_packs_badly_is_kept_as_jpeg_within_the_size_of_a_kept_one(parser: WorkerParser) -> None:
    noise = random.Random(7).randbytes(1_500 * 1_500 * 3)
    content = png(
        1_500,
        1_500,
        lambda x, y: tuple(noise[(y * 1_500 + x) * 3 : (y * 1_500 + x) * 3 + 3]) if x % 2 else (x % 256, 0, 0),
    )
    (image,) = read(parser, content).images
    assert image.media_type == "image/jpeg"
    assert len(image.content) <= MAX_IMAGE_BYTES
    assert image.width == image.height
    assert 3 * MAX_IMAGE_BYTES < 2_000_000


def test_a_stream_of_more_rows_than_declared_is_not_unpacked_further(parser: WorkerParser) -> None:
    rows = zlib.compress(bytes(300_000_000), 9)
    bomb = png_header(64, 56) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    (image,) = read(parser, bomb).images
    assert (image.width, image.height) == (64, 56)
    assert len(image.content) < 1000
    assert parser.worker_pid is not None  # its memory has not grown beyond what a worker is replaced for


@pytest.mark.parametrize(
    "make",
    [
        lambda: png() + b"PK\x03\x04<script>MARK</script>",
        lambda: jpeg() + b"<html>MARK</html>",
        lambda: gif(60, 50, (1, 2, 3)) + b"MARK" * 20,
        lambda: png(chunks={b"maRk": b"MARK" * 100}),
        lambda: jpeg(segments=((0xFE, b"/*MARK*/"),)),
    ],
)
def test_nothing_but_the_pixels_of_a_file_of_two_kinds_is_kept(parser: WorkerParser, make: Callable[[], bytes]) -> None:
    content = make()
    assert b"MARK" in content
    (image,) = read(parser, content).images
    assert b"MARK" not in image.content
    assert image.content[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0")
    assert image.content.endswith((b"IEND\xaeB`\x82", b"\xff\xd9"))


def test_one_notice_names_each_reason_once() -> None:
    left_out = {ImageLeftOut.DAMAGED: 2, ImageLeftOut.UNSUPPORTED: 1, ImageLeftOut.OUT_OF_TIME: 3}
    expected = "6 images left out: 2 damaged, 1 of a type that is not supported, 3 not read in time"
    assert images_notice(left_out) == expected
    assert images_notice({}) is None
    assert images_notice({ImageLeftOut.EXTRACTION_FAILED: 1}) == "its images cannot be extracted"
