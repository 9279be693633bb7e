"""Readers of image files and of the texts around them on arbitrary bytes: no error but their own, and exact results."""

import contextlib
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers import WorkerParser
from groundwire_readers.contents.limits import MAX_IMAGE_TEXT_CHARACTERS
from groundwire_readers.contents.parsed import Block, BlockKind, ImageLeftOut
from groundwire_readers.images.raster import headers
from groundwire_readers.images.raster.headers import (
    ImageHeader,
    is_svg,
    is_whole_jpeg,
    jpeg_segments,
    read_header,
)
from groundwire_readers.images.raster.png_stream import (
    GRAY_ALPHA,
    RGB_ALPHA,
    ImageDamaged,
    PngImage,
    png_chunks,
    read_png,
    rows,
    split_alpha,
    write_png,
)
from groundwire_readers.images.sources.repetition import repeated_on_most_pages
from groundwire_readers.images.texts import clean_text, is_caption, join_texts, without_noise
from groundwire_readers.text.normalisation import normalise
from tests.readers.raster_images import (
    SIGNATURE,
    bmp,
    chunk,
    data_address,
    exif,
    gif,
    jpeg,
    pixels,
    png,
)

BEGINNINGS = (SIGNATURE, b"\xff\xd8\xff", b"GIF89a", b"BM", b"II*\0", b"MM\0*", b"RIFF\0\0\0\0WEBPVP8X", b"<svg ", b"")
FILES = {
    "png": png(52, 50),
    "interlaced": png(52, 50, interlaced=True),
    "transparent": png(52, 50, lambda x, y: (x, y, 0, 99), color_type=6),
    "jpeg": jpeg(80, 64, segments=(exif(6, b"x"),)),
    "gif": gif(60, 50, (1, 2, 3)),
    "bmp": bmp(60, 50, (1, 2, 3)),
}


@given(st.sampled_from(BEGINNINGS), st.binary(max_size=400))
def test_a_header_is_read_or_there_is_none(beginning: bytes, further: bytes) -> None:
    content = beginning + further
    header = read_header(content)
    assert header is None or (header.width > 0 and header.height > 0 and 1 <= header.orientation <= 8)
    assert isinstance(is_svg(content), bool)
    assert isinstance(is_whole_jpeg(content), bool)
    assert sum(4 + len(segment.payload) for segment in jpeg_segments(content)) <= max(len(content), 0) + 4


@pytest.mark.parametrize(
    "content",
    [
        b"<svg",
        b"<svg>",
        b"<svg:svg/>",
        b"\xef\xbb\xbf \n<svg xmlns='x'/>",
        b"<?xml version='1.0'?>\n<!-- a > b --><!---->\n<!DOCTYPE svg PUBLIC 'x'>\t<svg/>",
        b"<!--" + b"a" * 4_000 + b"--><svg/>",
    ],
)
def test_a_drawing_is_known_by_its_root_element(content: bytes) -> None:
    assert is_svg(content)


@pytest.mark.parametrize(
    "content", [b"", b"<svgs>", b"<svg_>", b"<html><svg/>", b"<!-- <svg/>", b"<?xml <svg/>", b"x<svg/>", b"<!--><svg/>"]
)
def test_what_only_mentions_a_drawing_is_none(content: bytes) -> None:
    assert not is_svg(content)


@pytest.mark.parametrize(
    "repeated", [b"<!---->", b"<!-- -->", b" ", b"<?xml?>", b"<!DOCTYPE>", b"<!DOCTYPE> ", b"<!--", b"<?xml", b"<"]
)
def test_what_only_repeats_the_beginning_of_a_drawing_is_none(repeated: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where all of the file is looked at, a quadratic search does not end.
    content = (repeated * 2_000_000)[:2_000_000] + b"x"
    monkeypatch.setattr(headers, "_SVG_WITHIN", len(content))
    assert not is_svg(content)


@pytest.mark.parametrize(
    ("content", "header"),
    [
        (png(70, 49), ImageHeader("image/png", 70, 49)),
        (jpeg(70, 49), ImageHeader("image/jpeg", 70, 49)),
        (jpeg(70, 49, segments=(exif(8, b"x"),)), ImageHeader("image/jpeg", 70, 49, 8)),
        (jpeg(70, 49, segments=(exif(9, b"x"),)), ImageHeader("image/jpeg", 70, 49, 1)),
        (jpeg(70, 49, segments=((0xE1, b"Exif\0\0II*\0\xff\xff\xff\xff"),)), ImageHeader("image/jpeg", 70, 49, 1)),
        (gif(70, 49, (1, 2, 3)), ImageHeader("image/gif", 70, 49)),
        (bmp(70, 49, (1, 2, 3)), ImageHeader("image/bmp", 70, 49)),
        (
            b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (69 | 48 << 14).to_bytes(4, "little"),
            ImageHeader("image/webp", 70, 49),
        ),
        (b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + b"\x46\0\x31\0", ImageHeader("image/webp", 70, 49)),
    ],
)
def test_each_type_declares_its_size_and_orientation(content: bytes, header: ImageHeader) -> None:
    assert read_header(content) == header


@given(st.binary(max_size=300))
def test_arbitrary_chunks_are_read_or_damaged(further: bytes) -> None:
    with contextlib.suppress(ImageDamaged):
        list(png_chunks(SIGNATURE + further))
    with contextlib.suppress(ImageDamaged):
        list(rows(read_png(SIGNATURE + chunk(b"IHDR", further[:13].ljust(13, b"\1")) + chunk(b"IEND", b""))))


@given(st.data())
def test_splitting_off_the_transparency_keeps_every_byte_under_every_filter(data: st.DataObject) -> None:
    color_type = data.draw(st.sampled_from([GRAY_ALPHA, RGB_ALPHA]))
    channels = 2 if color_type == GRAY_ALPHA else 4
    width, height = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    filters = data.draw(st.lists(st.integers(0, 4), min_size=height, max_size=height))
    generator = random.Random(data.draw(st.integers(0, 9_999)))
    raw = b"".join(bytes([kind]) + generator.randbytes(width * channels) for kind in filters)
    image = PngImage(
        width, height, 8, color_type, is_interlaced=False, has_color_key=False, palette=b"", data=zlib.compress(raw)
    )
    color, alpha = split_alpha(image)
    whole, colors, alphas = (pixels(write_png(one)) for one in (image, color, alpha))
    assert whole == [
        [pixel + opacity for pixel, opacity in zip(*pair, strict=True)] for pair in zip(colors, alphas, strict=True)
    ]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 4))
def test_a_file_written_anew_has_the_same_pixels_and_no_other_chunk(width: int, height: int, seed: int) -> None:
    content = png(width, height, lambda x, y: (x * seed, y, x ^ y), chunks={b"tEXt": b"Comment\0x", b"gAMA": bytes(4)})
    written = write_png(read_png(content))
    assert pixels(written) == pixels(content)
    assert [one.kind for one in png_chunks(written)] == [b"IHDR", b"IDAT", b"IEND"]


@pytest.mark.parametrize("kind", FILES)
def test_no_mutation_of_an_image_costs_the_text_or_the_next_image(parser: WorkerParser, kind: str) -> None:
    generator = random.Random(kind)
    good = png(48, 48)
    for _ in range(6):
        mutants = [_mutated(FILES[kind], generator) for _ in range(8)]
        tags = "".join(f"<img src='{data_address(content)}'>" for content in [*mutants, good])
        document = parser.parse(f"<p>Text.</p>{tags}".encode(), "html", with_images=True)
        assert document.blocks[0].text == "Text."
        assert pixels(document.images[-1].content) == pixels(good)
        assert set(document.images_left_out) <= {ImageLeftOut.DAMAGED, ImageLeftOut.TOO_LARGE}
        assert len(document.images) + sum(document.images_left_out.values()) <= 9


def _mutated(content: bytes, generator: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(generator.randrange(1, 6)):
        at = generator.randrange(3, len(changed))
        match generator.randrange(4):
            case 0:
                changed[at] = generator.randrange(256)
            case 1:
                changed[at : at + 4] = generator.randbytes(4)
            case 2:
                del changed[at : at + generator.randrange(1, 40)]
            case _:
                changed[at:at] = generator.randbytes(generator.randrange(1, 40))
    return bytes(changed)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_joined_texts_are_normalised_and_limited(texts: list[str]) -> None:
    joined = join_texts(*texts)
    assert normalise(joined) == joined
    assert len(joined) <= MAX_IMAGE_TEXT_CHARACTERS


@given(st.text())
def test_a_cleaned_text_is_clean(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Figure 1: A gauge",
            "Fig. 2.3 Levels",
            "FIGURE IV Levels",
            "Fig. A.2 Levels",
            "Chart 3 – the levels",
            "Fig. 7",
        ),
        *("Abbildung 3: Pegel", "Abb. 4 Pegel", "Bild 2: Pegel", "Figura 5. Niveles", "Gráfico 2: niveles"),
        *(
            "Schéma 1 : niveaux",
            "Figuur 2. Peilen",
            "Рис. 4. Уровни",
            "Рисунок 2 Уровни",
            "Rys. 3. Poziomy",
            "Kuva 2: Taso",
        ),
        *("図1 水位", "图 2：水位", "그림 3. 수위", "Şekil 2. Düzeyler", "Σχήμα 3. Στάθμες", "شكل 3: المستويات"),
    ],
)
def test_a_figure_word_with_a_number_begins_a_caption(text: str) -> None:
    assert is_caption(Block(BlockKind.PARAGRAPH, text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Figure 1 shows a gauge.",
            "Figures of speech are common.",
            "Figured bass",
            "Maps are useful.",
            "Image quality",
        ),
        *("Abbildung 3 zeigt den Pegel.", "Bildung für alle", "See Figure 1: A gauge", "Figure 1: " + "x" * 700, ""),
    ],
)
def test_a_sentence_that_mentions_a_figure_is_no_caption(text: str) -> None:
    assert not is_caption(Block(BlockKind.PARAGRAPH, text))


@pytest.mark.parametrize(
    ("recognised", "is_text"),
    [
        ("Installation of foo (Not Installed) FAILED Files are unpacked OK", True),
        ("2023 1,204 17.5 % 2024 1,377 18.1 %", True),
        ("潮位計の水位", True),
        ("ti a 5 ro? sf “ t ee re. ~e +” i F ore tf} ee, + Ae 7 ~ aa -* ~ “yy ats ei! ' i wy", False),
        ("PF fe Fel —— > ~ vA en rig a ae wes = ~~ Ses Be SS \\\\ ‘NS nr ‘SY PS % »~ ay WwW A) ' a", False),
        ("oe ce", False),
        ("", False),
    ],
)
def test_noise_that_recognition_makes_of_a_photograph_is_no_text(recognised: str, is_text: bool) -> None:  # noqa: FBT001
    assert without_noise(recognised) == (recognised if is_text else "")


def test_a_table_is_no_caption() -> None:
    assert not is_caption(Block(BlockKind.TABLE, "Figure 1: x", rows=(("Figure 1: x", "y"),)))


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3))), st.integers(1, 6))
def test_repetition_counts_pages_and_not_images(images: list[tuple[int, int]], pages: int) -> None:
    found = repeated_on_most_pages(images, pages)
    for identity in range(4):
        on = len({page for page, one in images if one == identity})
        assert (identity in found) == (pages >= 3 and 2 * on > pages)
