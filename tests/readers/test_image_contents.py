"""Kept images: upright, flat, of eight bits, the first frame, and without a trace of metadata."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import ParsedImage
from tests.readers.raster_images import Pixel, data_address, exif, gif, jpeg, picture, pixels, png
from tests.support.documents.pdf import assembled
from tests.support.documents.scanned_pdf import scanned_pdf

SECRET = b"48 51 29.6 N 2 17 40.2 E"
_DECODE = """
import os, sys
from groundwire_readers.images.raster.conversion import convert
sys.stdout.buffer.write(convert(sys.stdin.buffer.read(), "image/jpeg", "png"))
sys.stdout.flush()
os._exit(0)
"""


def kept(parser: WorkerParser, content: bytes) -> ParsedImage:
    page = f"<p>Text.</p><img src='{data_address(content)}'>"
    document = parser.parse(page.encode(), "html", with_images=True)
    assert not document.images_left_out
    (image,) = document.images
    assert SECRET not in image.content
    return image


def decoded(image: ParsedImage) -> list[list[Pixel]]:
    """The pixels of a JPEG file, decoded in a process of its own: the library may abort at its end."""
    command = [sys.executable, "-c", _DECODE]
    return pixels(subprocess.run(command, input=image.content, capture_output=True, check=True).stdout)


@pytest.mark.parametrize(
    "make",
    [
        lambda: png(chunks={b"tEXt": b"Comment\0" + SECRET}),
        lambda: png(chunks={b"iTXt": b"XML:com.adobe.xmp\0\0\0\0\0" + SECRET}),
        lambda: png(chunks={b"eXIf": b"II*\0" + SECRET}),
        lambda: png(chunks={b"prVt": SECRET}),
        lambda: jpeg(segments=(exif(1, SECRET),)),
        lambda: jpeg(segments=(exif(6, SECRET),)),
        lambda: jpeg(segments=((0xFE, SECRET),)),
        lambda: jpeg(segments=((0xE2, b"ICC_PROFILE\0\1\1" + SECRET),)),
        lambda: jpeg(segments=((0xED, b"Photoshop 3.0\0" + SECRET),)),
        lambda: gif(60, 50, (1, 2, 3)).replace(b"\x21\xf9", b"\x21\xfe\x18" + SECRET + b"\0\x21\xf9"),
    ],
)
def test_metadata_is_removed(parser: WorkerParser, make: Callable[[], bytes]) -> None:
    content = make()
    assert SECRET in content
    image = kept(parser, content)
    assert b"Exif" not in image.content
    assert b"ICC" not in image.content


def test_transparent_parts_are_white_and_half_transparent_ones_lighter(parser: WorkerParser) -> None:
    def paint(x: int, _y: int) -> Pixel:
        return (200, 100, 0, (0, 128, 255)[x // 22])

    rows = pixels(kept(parser, png(66, 56, paint, color_type=6)).content)
    assert rows[20][5] == (255, 255, 255)
    assert rows[20][60] == (200, 100, 0)
    for value, expected in zip(rows[20][30], (227, 177, 127), strict=True):
        assert abs(value - expected) <= 1


def test_transparent_grey_is_flattened_too(parser: WorkerParser) -> None:
    rows = pixels(kept(parser, png(64, 56, lambda x, _y: (90, 0 if x < 32 else 255), color_type=4)).content)
    assert (set(rows[9][3]), set(rows[9][60])) == ({255}, {90})


def test_a_colour_that_a_palette_declares_transparent_is_white(parser: WorkerParser) -> None:
    chunks = {b"PLTE": bytes([10, 20, 30, 200, 0, 0]), b"tRNS": b"\0"}
    rows = pixels(kept(parser, png(64, 56, lambda x, _y: (x % 2,), color_type=3, chunks=chunks)).content)
    assert (rows[3][0], rows[3][1]) == ((255, 255, 255), (200, 0, 0))


def test_sixteen_bits_become_eight(parser: WorkerParser) -> None:
    rows = pixels(kept(parser, png(64, 56, lambda x, y: (x << 10, y << 10, 0), depth=16)).content)
    assert all(
        abs(value - expected) <= 1
        for y, row in enumerate(rows)
        for x, pixel in enumerate(row)
        for value, expected in zip(pixel, (x << 2, y << 2, 0), strict=True)
    )


def test_interlaced_images_keep_their_pixels(parser: WorkerParser) -> None:
    rows = pixels(kept(parser, png(interlaced=True)).content)
    assert rows == [[picture()(x, y) for x in range(64)] for y in range(56)]


def test_of_an_animation_the_first_frame_is_kept(parser: WorkerParser) -> None:
    image = kept(parser, gif(60, 50, (250, 10, 20), (0, 0, 255), (0, 255, 0)))
    assert image.media_type == "image/png"
    assert {pixel for row in pixels(image.content) for pixel in row} == {(250, 10, 20)}


CORNERS = {1: "abcd", 2: "badc", 3: "dcba", 4: "cdab", 5: "acbd", 6: "cadb", 7: "dbca", 8: "bdac"}
"""The corners of the stored picture, row by row, as they are seen when it is turned by its orientation."""
SHADES = {"a": 0, "b": 80, "c": 160, "d": 240}


@pytest.mark.parametrize("orientation", CORNERS)
def test_a_photograph_is_turned_as_its_camera_declares(parser: WorkerParser, orientation: int) -> None:
    def shade(x: int, y: int) -> int:
        return SHADES["abcd"[(x >= 5) + 2 * (y >= 4)]]

    image = kept(parser, jpeg(80, 64, shade, segments=(exif(orientation, SECRET),)))
    assert image.media_type == "image/jpeg"
    assert (image.width, image.height) == ((64, 80) if orientation > 4 else (80, 64))
    rows = decoded(image)
    seen = [rows[y][x][0] for y in (12, image.height - 12) for x in (12, image.width - 12)]
    for value, corner in zip(seen, CORNERS[orientation], strict=True):
        assert abs(value - SHADES[corner]) <= 6


def stacked(gap: int) -> bytes:
    """A page with some text, on which two images are one below the other."""
    strips = [bytes([shade]) * (400 * 300) for shade in (60, 200)]
    stream = (
        b"BT /F1 11 Tf 72 770 Td (A page of text that was recognised.) Tj ET "
        b"q 500 0 0 370 50 %d cm /A Do Q q 500 0 0 370 50 10 cm /B Do Q" % (380 + gap)
    )
    head = b"<< /Type /XObject /Subtype /Image /Width 400 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8 "
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 800] /Contents 5 0 R /Resources 8 0 R >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
            *(head + b"/Length %d >>\nstream\n%b\nendstream" % (len(strip), strip) for strip in strips),
            b"<< /Font << /F1 3 0 R >> /XObject << /A 6 0 R /B 7 0 R >> >>",
        ]
    )


def test_the_strips_of_a_scanned_page_are_one_image_of_the_page(parser: WorkerParser) -> None:
    (image,) = parser.parse(stacked(0), "pdf", with_images=True).images
    assert image.is_page
    assert image.height > image.width


def test_two_figures_on_a_page_are_two_images(parser: WorkerParser) -> None:
    images = parser.parse(stacked(9), "pdf", with_images=True).images
    assert [(image.is_page, pixels(image.content)[5][5]) for image in images] == [(False, (60,)), (False, (200,))]


def page_with_photograph(photograph: bytes, colors: bytes) -> bytes:
    """A page with some text and a photograph of 80 by 64 pixels."""
    stream = b"BT /F1 11 Tf 72 700 Td (A page of text with a photograph.) Tj ET q 160 0 0 128 72 400 cm /I Do Q"
    image_object = (
        b"<< /Type /XObject /Subtype /Image /Width 80 /Height 64 /ColorSpace /%b /BitsPerComponent 8 "
        b"/Filter /DCTDecode /Length %d >>\nstream\n" % (colors, len(photograph))
    )
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources 7 0 R >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
            image_object + photograph + b"\nendstream",
            b"<< /Font << /F1 3 0 R >> /XObject << /I 6 0 R >> >>",
        ]
    )


def test_a_pdf_shows_a_photograph_as_it_is_stored(parser: WorkerParser) -> None:
    photograph = jpeg(80, 64, lambda x, _y: 0 if x < 5 else 240, segments=(exif(6, SECRET),))
    (image,) = parser.parse(page_with_photograph(photograph, b"DeviceGray"), "pdf", with_images=True).images
    assert SECRET not in image.content
    assert (image.width, image.height) == (80, 64)
    row = decoded(image)[30]
    assert row[10][0] < 20
    assert row[70][0] > 220


def test_a_pdfs_photograph_in_inks_is_kept_with_exact_pixels(parser: WorkerParser) -> None:
    photograph = jpeg(80, 64, lambda x, _y: 0 if x < 5 else 255, components=4)
    (image,) = parser.parse(page_with_photograph(photograph, b"DeviceCMYK"), "pdf", with_images=True).images
    assert (image.width, image.height, image.media_type) == (80, 64, "image/png")
    row = pixels(image.content)[30]
    assert abs(row[10][0] - row[70][0]) > 200


def test_a_photograph_in_inks_is_kept_in_red_green_and_blue(parser: WorkerParser) -> None:
    image = kept(parser, jpeg(64, 56, lambda x, _y: 0 if x < 4 else 255, components=4))
    rows = decoded(image)
    assert all(len(pixel) == 3 for pixel in rows[0])
    assert abs(rows[20][10][0] - rows[20][50][0]) > 200


def test_a_scanned_page_is_one_image_of_the_whole_page(parser: WorkerParser) -> None:
    content = scanned_pdf(["A page of text that every reader can copy.", ["MINUTES OF THE BOARD"]])
    (image,) = parser.parse(content, "pdf", with_images=True).images
    assert (image.page, image.is_page) == (2, True)
    assert 1_500 <= image.height <= 2_048
    assert abs(image.width / image.height - 612 / 792) < 0.01
