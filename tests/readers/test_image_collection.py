"""Collection of images from many candidates: what is beyond a limit is counted without being loaded or drawn."""

import struct
from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from groundwire_readers.contents.limits import MAX_DOCUMENT_IMAGE_PIXELS, MAX_IMAGES
from groundwire_readers.contents.parsed import Block, BlockKind, ImageLeftOut
from groundwire_readers.images import collection
from groundwire_readers.images.collection import TimeLimit, collect_images
from groundwire_readers.images.flow import Candidate, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.raster.headers import ImageHeader
from groundwire_readers.images.sources import markdown
from groundwire_readers.images.texts import ImageTexts
from tests.readers.raster_images import data_address, jpeg, picture, png
from tests.readers.steps import MOST_GROWTH
from tests.support.documents.step_count import growth_of_steps


class Images:
    """An endless source of different images that counts how many are produced, loaded and described."""

    def __init__(self) -> None:
        self.produced = self.loaded = self.described = 0

    def __iter__(self) -> Iterator[Candidate]:
        for seed in count():
            self.produced += 1
            yield Candidate(lambda seed=seed: self._load(seed), self._describe)

    def _load(self, seed: int) -> bytes:
        self.loaded += 1
        return png(48, 48, picture(seed))

    def _describe(self) -> ImageTexts:
        self.described += 1
        return ImageTexts("A caption")


def test_after_the_time_no_image_is_loaded_and_all_are_counted() -> None:
    images = Images()
    collected = collect_images(islice(images, 1_500), TimeLimit(-1))
    assert (images.loaded, images.described) == (0, 0)
    assert (collected.images, collected.left_out) == ((), {ImageLeftOut.OUT_OF_TIME: 1_500})


def test_after_the_last_image_that_is_kept_no_other_is_loaded() -> None:
    images = Images()
    collected = collect_images(islice(images, 500), TimeLimit(60))
    assert (images.loaded, images.described) == (MAX_IMAGES, MAX_IMAGES)
    assert {image.caption for image in collected.images} == {"A caption"}
    assert collected.left_out == {ImageLeftOut.OVER_LIMIT: 500 - MAX_IMAGES}


@pytest.mark.parametrize("seconds", [-1, 60])
def test_a_document_of_endless_images_is_read_to_an_end(seconds: float) -> None:
    images = Images()
    collected = collect_images(images, TimeLimit(seconds))
    assert images.produced == 2_001
    assert len(collected.images) + sum(collected.left_out.values()) == 2_001


def test_counting_what_is_left_out_has_a_time_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "_COUNTING_SECONDS", -1.0)
    images = Images()
    assert collect_images(images, TimeLimit(-1)).left_out == {ImageLeftOut.OUT_OF_TIME: 1}
    assert images.produced == 2


def inks(width: int, height: int) -> bytes:
    """A photograph in CMYK that declares this size."""
    content = bytearray(jpeg(components=4))
    frame = content.index(b"\xff\xc0")
    content[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(content)


def drawn(*contents: bytes, monkeypatch: pytest.MonkeyPatch, seconds: float = 60) -> list[tuple[int, int]]:
    """The sizes of the photographs that are drawn when these are collected."""
    sizes: list[tuple[int, int]] = []

    def draw(_content: bytes, header: ImageHeader) -> bytes:
        sizes.append((header.width, header.height))
        return png(header.width, header.height)

    monkeypatch.setattr(collection, "draw_cmyk_jpeg", draw)
    candidates = [Candidate(lambda content=content: content, ImageTexts, is_drawn=True) for content in contents]
    collect_images(candidates, TimeLimit(seconds))
    return sizes


def test_a_photograph_in_inks_is_drawn_only_if_it_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    good = inks(64, 56)
    assert drawn(inks(40, 40), inks(2_000, 60), inks(60_000, 60_000), good, good, monkeypatch=monkeypatch) == [(64, 56)]
    assert drawn(good, monkeypatch=monkeypatch, seconds=-1) == []


def test_only_a_jpeg_file_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(png(), monkeypatch=monkeypatch) == []


def test_masks_share_the_documents_limit_of_pixels() -> None:
    side = 6_300
    mask = bytearray(png(48, 48, lambda x, _y: (x,), color_type=0))
    mask[16:24] = struct.pack(">II", side, side)
    candidates = [
        Candidate(lambda seed=seed: png(48, 48, picture(seed)), ImageTexts, mask=bytes(mask)) for seed in range(12)
    ]
    within = MAX_DOCUMENT_IMAGE_PIXELS // (side * side + 48 * 48)
    left_out = collect_images(candidates, TimeLimit(60)).left_out
    assert left_out == {ImageLeftOut.DAMAGED: within, ImageLeftOut.OVER_LIMIT: 12 - within}


def described(images: int) -> Callable[[], list[ImageTexts]]:
    """Return the description of images below ten times as many headings."""
    headings = [Block(BlockKind.HEADING, f"Heading {number}", level=1 + number % 6) for number in range(10 * images)]
    flow: list[FlowItem] = [*headings, *(FlowImage(bytes) for _ in range(images))]
    return lambda: [candidate.describe() for candidate in candidates_of_flow(flow)]


def test_images_below_many_headings_are_described_in_linear_time() -> None:
    assert [text.nearby_text for text in described(2_000)()] == ["Heading 19998 > Heading 19999"] * 2_000
    assert growth_of_steps(described, 100, 400) < MOST_GROWTH


# A quadratic match of so long a heading does not end.
@pytest.mark.parametrize(
    "heading", ["# a" + " " * 2_000_000 + "b", "# a" + "#" * 2_000_000 + "b", "# " + "a #" * 600_000]
)
def test_a_heading_of_any_length_is_read(heading: str) -> None:
    content = f"{heading}\n\n![An image]({data_address(png())})".encode()
    assert len(list(markdown.find_images(content))) == 1


@pytest.mark.parametrize(
    ("line", "text"),
    [("# Levels ##", "Levels"), ("## C#", "C#"), ("# ##", ""), ("#  Levels \t# ", "Levels"), ("# a # b", "a # b")],
)
def test_number_signs_that_close_a_heading_are_no_text(line: str, text: str) -> None:
    (candidate,) = markdown.find_images(f"{line}\n\n![An image]({data_address(png())})".encode())
    assert candidate.describe().nearby_text == text
