"""A PDF page that is filled by one image: the parser library's renderer scales, turns and flattens it."""

from typing import Final

from groundwire_readers.images.raster.headers import ImageHeader
from groundwire_readers.images.raster.png_stream import CHANNELS, GRAY, PALETTE, PngImage

_MATRICES: Final = {
    1: "{w} 0 0 {h} 0 0",
    2: "-{w} 0 0 {h} {w} 0",
    3: "-{w} 0 0 -{h} {w} {h}",
    4: "{w} 0 0 -{h} 0 {h}",
    5: "0 -{h} -{w} 0 {w} {h}",
    6: "0 -{h} {w} 0 0 {h}",
    7: "0 {h} {w} 0 0 0",
    8: "0 {h} -{w} 0 {w} 0",
}
"""Transformations of the unit square to a page of this width and height, by EXIF orientation."""
TURNED: Final = (5, 6, 7, 8)
"""Orientations that exchange width and height."""


def page_of_image(image: PngImage, mask: PngImage | None, size: tuple[int, int], orientation: int) -> bytes:
    """Return a PDF whose only page, white and of this size in points, shows the image upright.

    Args:
        image: neither interlaced nor with 16 bits or transparency of its own.
        mask: the transparency as an image in shades of grey; its size may differ.
        size: width and height after the orientation is applied.
        orientation: as EXIF numbers it.
    """
    matrix = _MATRICES[orientation].format(w=size[0], h=size[1])
    return _page(size, matrix, _image_object(image, "" if mask is None else "/SMask 6 0 R "), mask)


def square_page_of_png(image: PngImage, side: int) -> bytes:
    """Return a PDF whose only page, a square, shows the middle of the image: its shorter side fills the page.

    Args:
        image: upright, neither interlaced nor with 16 bits or transparency of its own.
        side: width and height in points.
    """
    return _page((side, side), _covering(image.width, image.height, side), _image_object(image, ""), None)


def square_page_of_jpeg(content: bytes, header: ImageHeader, *, is_gray: bool, side: int) -> bytes:
    """Return a PDF like `square_page_of_png` of an upright JPEG file in shades of grey or in RGB."""
    color_space = "/DeviceGray" if is_gray else "/DeviceRGB"
    image = _jpeg_object(content, (header.width, header.height), color_space)
    return _page((side, side), _covering(header.width, header.height, side), image, None)


def _covering(width: int, height: int, side: int) -> str:
    """Return the transformation that centres an image of this size on a square page and leaves none of it blank."""
    scale = side / min(width, height)
    drawn_width, drawn_height = width * scale, height * scale
    left, bottom = (side - drawn_width) / 2, (side - drawn_height) / 2
    return f"{drawn_width:.4f} 0 0 {drawn_height:.4f} {left:.4f} {bottom:.4f}"


def page_of_cmyk_jpeg(content: bytes, size: tuple[int, int]) -> bytes:
    """Return a PDF whose only page, of this size in points, shows a JPEG file in CMYK as a PDF defines its colours.

    In a PDF the values mean ink, whatever the file's own markers declare; in a file of its own they are often inverted.
    """
    matrix = _MATRICES[1].format(w=size[0], h=size[1])
    return _page(size, matrix, _jpeg_object(content, size, "/DeviceCMYK"), None)


def _jpeg_object(content: bytes, size: tuple[int, int], color_space: str) -> bytes:
    width, height = size
    image = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8 "
    return _stream(f"{image}/ColorSpace {color_space} /Filter /DCTDecode ", content)


def _page(size: tuple[int, int], matrix: str, image: bytes, mask: PngImage | None) -> bytes:
    width, height = size
    resources = "/Resources << /XObject << /I 5 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] {resources} /Contents 4 0 R >>".encode(),
        _stream("", f"q {matrix} cm /I Do Q".encode()),
        image,
        *([] if mask is None else [_image_object(mask, "")]),
    ]
    return _file(objects)


def _image_object(image: PngImage, extra: str) -> bytes:
    # A PDF undoes PNG's filters itself (predictor 15), so the compressed rows are used as they are.
    channels = CHANNELS[image.color_type]
    shape = f"/Columns {image.width} /Colors {channels} /BitsPerComponent {image.bit_depth}"
    return _stream(
        f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} {extra}"
        f"/BitsPerComponent {image.bit_depth} /ColorSpace {_color_space(image)} "
        f"/Filter /FlateDecode /DecodeParms << /Predictor 15 {shape} >> ",
        image.data,
    )


def _color_space(image: PngImage) -> str:
    if image.color_type == PALETTE:
        return f"[/Indexed /DeviceRGB {len(image.palette) // 3 - 1} <{image.palette.hex()}>]"
    return "/DeviceGray" if image.color_type == GRAY else "/DeviceRGB"


def _stream(dictionary: str, data: bytes) -> bytes:
    return f"<< {dictionary}/Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    parts = [b"%PDF-1.4\n"]
    offsets: list[int] = []
    position = len(parts[0])
    for number, body in enumerate(objects, 1):
        offsets.append(position)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        position += len(parts[-1])
    # ISO 32000-1, 7.5.4: each entry of the table has exactly 20 bytes, the line's end included.
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, position)
    return b"".join([*parts, b"xref\n0 %d\n0000000000 65535 f \n" % count, entries, trailer])
