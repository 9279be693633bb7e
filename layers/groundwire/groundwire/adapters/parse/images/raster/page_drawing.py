"""A PDF page that is filled by one image: the parser library's renderer scales, turns and flattens it."""

from typing import Final

from groundwire.adapters.parse.images.raster.png_stream import CHANNELS, GRAY, PALETTE, PngImage

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
    return _page(size, orientation, _image_object(image, "" if mask is None else "/SMask 6 0 R "), mask)


def page_of_cmyk_jpeg(content: bytes, size: tuple[int, int]) -> bytes:
    """Return a PDF whose only page, of this size in points, shows a JPEG file in CMYK as a PDF defines its colours.

    In a PDF the values mean ink, whatever the file's own markers declare; in a file of its own they are often inverted.
    """
    width, height = size
    image = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8 "
    return _page(size, 1, _stream(f"{image}/ColorSpace /DeviceCMYK /Filter /DCTDecode ", content), None)


def _page(size: tuple[int, int], orientation: int, image: bytes, mask: PngImage | None) -> bytes:
    width, height = size
    matrix = _MATRICES[orientation].format(w=width, h=height)
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
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, position)
    return b"".join([*parts, b"xref\n0 %d\n0000000000 65535 f \n" % count, entries, trailer])
