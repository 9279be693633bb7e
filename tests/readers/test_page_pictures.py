"""Pictures of PDF pages: as displayed, with each word where its ink is, and bounded whatever the file orders."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import pytest

from groundwire_readers import PagePicture, ParserLimits, UnreadableDocument, WordBox, WorkerParser, draw_page
from groundwire_readers.contents.limits import MAX_IMAGE_BYTES, MAX_PAGE_PICTURE_SIDE, MAX_PAGE_WORDS
from groundwire_readers.contents.parsed import PAGE_PARTS
from groundwire_readers.images.raster.png_stream import CHANNELS, read_png, rows
from tests.support.documents.pdf import assembled, page_as_displayed, pdf
from tests.support.documents.scanned_pdf import scanned_pdf

HOSTILE: Final = "tests.readers.hostile_image_worker"
WORDS: Final = ((100, 700, "upper"), (300, 400, "middle"), (420, 130, "lower"))


def darkest_and_lightest(picture: PagePicture, box: WordBox, margin: int = 0) -> tuple[int, int]:
    """Smallest and largest sum of the colours of the pixels in a box, which is wider by so many pixels."""
    image = read_png(picture.content)
    channels = CHANNELS[image.color_type]
    lines = [row[1:] for row in rows(image)]
    left, right = (round(place * picture.width / PAGE_PARTS) for place in (box.left, box.right))
    top, bottom = (round(place * picture.height / PAGE_PARTS) for place in (box.top, box.bottom))
    sums = [
        sum(lines[y][x * channels : (x + 1) * channels])
        for y, x in product(
            range(max(0, top - margin), min(bottom + margin, picture.height)),
            range(max(0, left - margin), min(right + margin, picture.width)),
        )
    ]
    return min(sums), max(sums)


def ink(picture: PagePicture) -> int:
    """Number of pixels that are not white."""
    image = read_png(picture.content)
    channels = CHANNELS[image.color_type]
    return sum(
        any(value < 200 for value in row[1 + x * channels : 1 + (x + 1) * channels])
        for row in rows(image)
        for x in range(image.width)
    )


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("media_box", "crop_box"),
    [
        ((0, 0, 612, 792), None),
        ((0, 0, 612, 792), (60, 90, 560, 760)),
        ((-200, -100, 700, 900), (50, 100, 600, 780)),
        # Given from the other corners (ISO 32000-1, 7.9.5).
        ((612, 792, 0, 0), (560, 760, 60, 90)),
    ],
)
def test_the_box_of_each_word_holds_its_ink_and_nothing_else_does(
    parser: WorkerParser, rotation: int, media_box: Sequence[int], crop_box: Sequence[int] | None
) -> None:
    picture = parser.draw_page(page_as_displayed(WORDS, rotation, media_box, crop_box), 1)
    assert [word.text for word in picture.words] == [text for _, _, text in WORDS]
    box = crop_box or media_box
    width, height = abs(box[2] - box[0]), abs(box[3] - box[1])
    assert (picture.width > picture.height) == ((width > height) != (rotation in (90, 270)))
    within = 0
    for word in picture.words:
        assert darkest_and_lightest(picture, word)[0] < 200
        area = (word.right - word.left) * picture.width * (word.bottom - word.top) * picture.height
        within += area // PAGE_PARTS**2
    # The words fill less than a hundredth of the page, so boxes elsewhere would hold no ink.
    assert within < picture.width * picture.height / 50
    blank = WordBox("", 4_500, 300, 5_500, 700)
    assert darkest_and_lightest(picture, blank) == (765, 765)


def test_a_page_is_drawn_in_colour_by_its_number(parser: WorkerParser) -> None:
    file = pdf([[(12, "first page")], [(12, "second page")]])
    first, second = (parser.draw_page(file, number) for number in (1, 2))
    assert ([word.text for word in first.words], [word.text for word in second.words]) == (
        ["first", "page"],
        ["second", "page"],
    )
    assert first.media_type == "image/png"
    assert max(first.width, first.height) == MAX_PAGE_PICTURE_SIDE
    assert first.content != second.content


def test_one_page_is_drawn_without_a_parser_that_is_kept() -> None:
    picture = draw_page(pdf([[(12, "one page")]]), 1, ParserLimits())
    assert [word.text for word in picture.words] == ["one", "page"]


def test_a_scan_has_a_picture_and_no_words(parser: WorkerParser) -> None:
    picture = parser.draw_page(scanned_pdf([["A LINE"]]), 1)
    assert picture.words == ()
    assert ink(picture) > 0


@pytest.mark.parametrize(
    ("media_box", "largest"),
    [
        ((0, 0, 10_000_000, 10_000_000), MAX_PAGE_PICTURE_SIDE),
        ((0, 0, 14_400, 1), MAX_PAGE_PICTURE_SIDE),
        ((0, 0, 1, 1), 3),
    ],
)
def test_no_size_of_a_page_makes_a_larger_picture(parser: WorkerParser, media_box: Sequence[int], largest: int) -> None:
    picture = parser.draw_page(page_as_displayed(WORDS, 0, media_box, None), 1)
    assert min(picture.width, picture.height) >= 1
    assert max(picture.width, picture.height) <= largest
    assert len(picture.content) <= MAX_IMAGE_BYTES


def test_the_last_page_of_many_is_drawn_and_its_words_are_bounded(parser: WorkerParser) -> None:
    pages = [[(12, f"page {number}")] for number in range(1, 10_000)]
    picture = parser.draw_page(pdf([*pages, [(2, "a " * 100)] * (MAX_PAGE_WORDS // 100 + 1)]), 10_000)
    assert len(picture.words) == MAX_PAGE_WORDS


def test_words_beside_the_page_have_no_place_and_those_at_its_edge_end_there(parser: WorkerParser) -> None:
    texts = [(-500, 400, "outside"), (100, 5_000, "above"), (590, 400, "edge"), (100, 400, "inside")]
    picture = parser.draw_page(page_as_displayed(texts, 0, (0, 0, 612, 792), None), 1)
    assert {word.text: word.right == PAGE_PARTS for word in picture.words} == {"edge": True, "inside": False}


DAMAGED: Mapping[str, tuple[bytes, int]] = {
    "no such page": (pdf([[(12, "one page")]]), 2),
    "page zero": (pdf([[(12, "one page")]]), 0),
    "a negative page": (pdf([[(12, "one page")]]), -1),
    "a page beyond any number": (pdf([[(12, "one page")]]), 2**40),
    "encrypted": (pdf([[(12, "one page")]], encrypted=True), 1),
    "cut off": (pdf([[(12, "one page")]])[:60], 1),
    "another type": (b"<p>A page.</p>", 1),
    "empty": (b"", 1),
    "a page without a size": (page_as_displayed(WORDS, 0, (0, 0, 0, 0), (5, 5, 5, 5)), 7),
    "no page": (assembled([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 0 /Kids [] >>"]), 1),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_no_page_of_a_readable_pdf_is_refused_and_the_next_is_drawn(parser: WorkerParser, case: str) -> None:
    content, page = DAMAGED[case]
    lost = parser.lost_workers
    with pytest.raises(UnreadableDocument):
        parser.draw_page(content, page)
    assert parser.lost_workers == lost
    assert parser.draw_page(pdf([[(12, "good")]]), 1).words[0].text == "good"


@pytest.fixture(scope="module")
def hostile() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits(memory_mb=512, documents_per_worker=1_000), HOSTILE) as parser:
        yield parser


def test_the_texts_of_a_picture_are_normalised_again(hostile: WorkerParser) -> None:
    assert hostile.draw_page(b"good", 1).words == (WordBox("invisible", 0, 0, PAGE_PARTS, PAGE_PARTS),)


@pytest.mark.parametrize(
    "order",
    [
        *("abort", "refuse", "no picture", "metadata", "too wide", "too large", "far word", "long word"),
        *("many words", "part of a word"),
    ],
)
def test_a_worker_that_a_file_has_taken_over_gives_pixels_and_places_or_nothing(
    hostile: WorkerParser, order: str
) -> None:
    with pytest.raises(UnreadableDocument):
        hostile.draw_page(order.encode(), 1)
    assert hostile.draw_page(b"good", 1).media_type == "image/png"


def test_a_page_that_takes_too_long_ends_at_the_limit_of_time() -> None:
    with (
        WorkerParser(ParserLimits(wall_seconds=0.2), HOSTILE) as parser,
        pytest.raises(UnreadableDocument, match=r"longer than 0\.2 s"),
    ):
        parser.draw_page(b"hang", 1)
