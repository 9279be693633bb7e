"""Thumbnails for an image model: the middle of a picture as pixels, on request alone, exact in size or refused."""

import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from groundwire_readers import ParserLimits, WorkerParser
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES, THUMBNAIL_SIDE, ImageLeftOut
from groundwire_readers.images.raster.png_stream import PngImage
from groundwire_readers.images.raster.thumbnail import pixel_rows
from groundwire_readers.sandbox.image_wire import images_from_json
from groundwire_readers.sandbox.processes.process import WorkerProcess
from groundwire_readers.sandbox.wire import InvalidReply
from tests.readers.raster_images import Pixel, bmp, data_address, exif, gif, jpeg, png

HOSTILE = "tests.readers.hostile_image_worker"
FAILED = {ImageLeftOut.EXTRACTION_FAILED: 1}
RED, GREEN, BLUE, GREY, BLACK, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (90, 90, 90), (0, 0, 0), (255, 255, 255)
CORNERS = {(20, 20): RED, (200, 20): GREEN, (20, 200): BLUE, (200, 200): GREY}
"""Colours of a thumbnail of four squares, by places given as column and row."""


def squares(side: int = 100) -> Callable[[int, int], Pixel]:
    """Four squares: red and green above, blue and grey below."""
    return lambda x, y: ((RED, GREEN), (BLUE, GREY))[2 * y >= side][2 * x >= side]


def page_of(content: bytes, media_type: str = "image/png") -> bytes:
    return f"<p>Text.</p><img src='{data_address(content, media_type)}'>".encode()


def thumbnail(parser: WorkerParser, content: bytes, media_type: str = "image/png") -> bytes:
    document = parser.parse(page_of(content, media_type), "html", with_images=True, with_thumbnails=True)
    (image,) = document.images
    return image.thumbnail


def colors(pixels: bytes, *places: tuple[int, int]) -> list[Pixel]:
    assert len(pixels) == THUMBNAIL_BYTES == 3 * 224 * 224
    starts = [3 * (THUMBNAIL_SIDE * row + column) for column, row in places]
    return [tuple(pixels[start : start + 3]) for start in starts]


def assert_near(found: list[Pixel], wanted: list[Pixel], off: int = 2) -> None:
    assert all(
        abs(a - b) <= off for one, other in zip(found, wanted, strict=True) for a, b in zip(one, other, strict=True)
    ), found


PALETTE = b"".join(bytes(color) for color in (RED, GREEN, BLUE, GREY))
PICTURES = {
    "rgb": png(100, 100, squares()),
    "rgb of 16 bits": png(100, 100, lambda x, y: tuple(257 * c for c in squares()(x, y)), depth=16),
    "rgb in seven passes": png(104, 104, squares(104), interlaced=True),
    "palette": png(100, 100, lambda x, y: ((x >= 50) + 2 * (y >= 50),), color_type=3, chunks={b"PLTE": PALETTE}),
    "rgb and alpha": png(100, 100, lambda x, y: (*squares()(x, y), 255), color_type=6),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_colours_of_a_picture_are_at_their_places(parser: WorkerParser, kind: str) -> None:
    assert_near(colors(thumbnail(parser, PICTURES[kind]), *CORNERS), list(CORNERS.values()))


@pytest.mark.parametrize(("color_type", "pixel"), [(0, (90,)), (4, (90, 255))])
def test_shades_of_grey_are_three_equal_channels(parser: WorkerParser, color_type: int, pixel: Pixel) -> None:
    content = png(100, 100, lambda x, y: pixel if x < 50 else (0, *pixel[1:]), color_type=color_type)
    assert_near(colors(thumbnail(parser, content), (20, 112), (200, 112)), [GREY, BLACK])


def test_what_is_transparent_is_white(parser: WorkerParser) -> None:
    content = png(100, 100, lambda x, y: (*RED, 255 if x < 50 else 0), color_type=6)
    assert_near(colors(thumbnail(parser, content), (20, 112), (200, 112)), [RED, WHITE])


@pytest.mark.parametrize(
    ("content", "media_type"), [(gif(80, 60, RED, BLUE), "image/gif"), (bmp(80, 60, RED), "image/bmp")]
)
def test_pictures_of_other_formats_have_thumbnails(parser: WorkerParser, content: bytes, media_type: str) -> None:
    assert_near(colors(thumbnail(parser, content, media_type), (0, 0), (223, 223)), [RED, RED])


@pytest.mark.parametrize("components", [1, 3])
def test_a_jpeg_has_the_shades_of_its_squares(parser: WorkerParser, components: int) -> None:
    # Three equal components are shades of YCbCr, of which only 128 is a grey.
    def shade(x: int, _y: int) -> int:
        return 128 if components == 3 else 90 if x < 4 else 200

    pixels = thumbnail(parser, jpeg(64, 64, shade, components=components), "image/jpeg")
    wanted = [(90,) * 3, (200,) * 3] if components == 1 else [(128,) * 3] * 2
    assert_near(colors(pixels, (20, 112), (200, 112)), [tuple(color) for color in wanted], off=6)


def test_a_jpeg_is_upright(parser: WorkerParser) -> None:
    content = jpeg(64, 64, lambda x, y: 90 if x < 4 else 200, segments=(exif(6),))
    pixels = thumbnail(parser, content, "image/jpeg")
    assert_near(colors(pixels, (112, 20), (112, 200)), [(90,) * 3, (200,) * 3], off=6)


@pytest.mark.parametrize(("width", "height"), [(300, 100), (100, 300)])
def test_the_middle_of_an_oblong_picture_is_kept_and_its_ends_are_cut(
    parser: WorkerParser, width: int, height: int
) -> None:
    def pixel(x: int, y: int) -> Pixel:
        along = x if width > height else y
        return RED if along < 100 else (GREEN if along < 150 else BLUE) if along < 200 else BLACK

    places = [(3, 112), (100, 112), (124, 112), (220, 112)]
    found = colors(
        thumbnail(parser, png(width, height, pixel)),
        *(place if width > height else (place[1], place[0]) for place in places),
    )
    assert_near(found, [GREEN, GREEN, BLUE, BLUE])


def test_a_large_picture_is_averaged_and_not_sampled(parser: WorkerParser) -> None:
    board = png(1120, 1120, lambda x, y: WHITE if (x + y) % 2 else BLACK)
    assert_near(colors(thumbnail(parser, board), (0, 0), (111, 112), (223, 100)), [(128,) * 3] * 3, off=8)


@pytest.mark.parametrize("seed", [1, 5])
def test_a_picture_of_the_size_of_its_thumbnail_is_its_thumbnail(parser: WorkerParser, seed: int) -> None:
    def pixel(x: int, y: int) -> Pixel:
        return x, y, (x * y * seed + x // 3) % 256

    content = png(THUMBNAIL_SIDE, THUMBNAIL_SIDE, pixel)
    places = [(x, y) for x in range(0, 224, 7) for y in range(0, 224, 5)]
    assert colors(thumbnail(parser, content), *places) == [pixel(x, y) for x, y in places]


def filtered(kind: int, row: bytes, above: bytes) -> bytes:
    """A row of RGB as the filter of this number stores it."""
    left, corner = bytes(3) + row[:-3], bytes(3) + above[:-3]

    def predicted(at: int) -> int:
        guess = left[at] + above[at] - corner[at]
        nearest = min((left[at], above[at], corner[at]), key=lambda value: abs(guess - value))
        return (0, left[at], above[at], (left[at] + above[at]) // 2, nearest)[kind]

    return bytes([kind, *((value - predicted(at)) % 256 for at, value in enumerate(row))])


@pytest.mark.parametrize("kinds", [*((kind,) for kind in range(5)), (4, 3, 2, 1, 0)])
def test_every_filter_of_a_row_is_undone(kinds: tuple[int, ...]) -> None:
    source = random.Random(1)
    wanted = [source.randbytes(3 * 40) for _ in range(25)]
    above = [bytes(3 * 40), *wanted]
    data = b"".join(filtered(kinds[y % len(kinds)], row, above[y]) for y, row in enumerate(wanted))
    image = PngImage(40, 25, 8, 2, False, False, b"", zlib.compress(data))
    assert list(pixel_rows(image)) == wanted


def test_thumbnails_come_on_request_alone_and_change_nothing_else(parser: WorkerParser) -> None:
    page = page_of(png(100, 100, squares()))
    plain = parser.parse(page, "html", with_images=True)
    assert [image.thumbnail for image in plain.images] == [b""]
    wanted = parser.parse(page, "html", with_images=True, with_thumbnails=True)
    assert replace(wanted, images=tuple(replace(image, thumbnail=b"") for image in wanted.images)) == plain
    assert parser.parse(page, "html", with_thumbnails=True).images == ()


def test_a_reply_without_the_request_has_no_word_of_thumbnails(
    worker_process: WorkerProcess,
) -> None:
    plain = worker_process.extract_images(page_of(png()), "html")
    wanted = worker_process.extract_images(page_of(png()), "html", with_thumbnails=True)
    assert set(wanted) - set(plain) == {"thumbnails"}
    assert len(bytes(wanted["files"])) == len(bytes(plain["files"])) + THUMBNAIL_BYTES  # pyright: ignore[reportArgumentType]


def test_images_of_several_sizes_keep_their_own_thumbnails(parser: WorkerParser) -> None:
    shades = [10 * number for number in range(8)]
    tags = "".join(
        f"<img src='{data_address(png(60 + shade, 80, lambda x, y, shade=shade: (shade, 0, 255)))}'>"
        for shade in shades
    )
    images = parser.parse(f"<p>x</p>{tags}".encode(), "html", with_images=True, with_thumbnails=True).images
    assert [colors(image.thumbnail, (112, 112))[0] for image in images] == [(shade, 0, 255) for shade in shades]


# --- hostile replies ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits(memory_mb=512, documents_per_worker=1_000), HOSTILE) as parser:
        yield parser


@pytest.mark.parametrize("order", ["short thumbnail", "long thumbnail"])
def test_a_thumbnail_of_another_size_is_not_believed(hostile: WorkerParser, order: str) -> None:
    document = hostile.parse(f"{order}: text".encode(), "txt", with_images=True, with_thumbnails=True)
    assert (document.images, document.images_left_out) == ((), FAILED)


def test_thumbnails_that_nobody_requested_are_not_believed(hostile: WorkerParser) -> None:
    assert len(hostile.parse(b"thumbnails: x", "txt", with_images=True, with_thumbnails=True).images) == 2
    document = hostile.parse(b"thumbnails: x", "txt", with_images=True)
    assert (document.images, document.images_left_out) == ((), FAILED)


def test_an_image_without_a_thumbnail_is_kept_beside_one_with_it(hostile: WorkerParser) -> None:
    images = hostile.parse(b"one thumbnail: x", "txt", with_images=True, with_thumbnails=True).images
    assert [len(image.thumbnail) for image in images] == [0, THUMBNAIL_BYTES]


def message(content: bytes, thumbnails: object) -> dict[str, object]:
    return {"images": [[len(content), None, False, "", "", ""]], "left_out": {}, "thumbnails": thumbnails}


@pytest.mark.parametrize(
    ("thumbnails", "pixels"),
    [
        ([True], 0),
        ([True], THUMBNAIL_BYTES - 1),
        ([True], THUMBNAIL_BYTES + 1),
        ([False], 1),
        ([1], THUMBNAIL_BYTES),
        ([True, True], 2 * THUMBNAIL_BYTES),
        ([True, "x"], THUMBNAIL_BYTES),
        ([], 0),
        ({}, 0),
        (None, 0),
    ],
)
def test_thumbnails_that_are_not_one_for_each_image_are_invalid(thumbnails: object, pixels: int) -> None:
    content = png()
    assert images_from_json(message(content, [True]), content + bytes(THUMBNAIL_BYTES), with_thumbnails=True).images
    with pytest.raises(InvalidReply):
        images_from_json(message(content, thumbnails), content + bytes(pixels), with_thumbnails=True)
