"""PDF files whose pages are pictures of text, as a scanner makes them: letters of five by seven dots, drawn large."""

import zlib
from collections.abc import Sequence
from typing import Final

from tests.support.documents.pdf import assembled

_LETTERS: Final = {
    row.split()[0]: [int(bits, 16) for bits in row.split()[1:]]
    for row in """
A 0E 11 11 1F 11 11 11
B 1E 11 11 1E 11 11 1E
C 0E 11 10 10 10 11 0E
D 1E 11 11 11 11 11 1E
E 1F 10 10 1E 10 10 1F
F 1F 10 10 1E 10 10 10
G 0E 11 10 17 11 11 0F
H 11 11 11 1F 11 11 11
I 0E 04 04 04 04 04 0E
L 10 10 10 10 10 10 1F
M 11 1B 15 15 11 11 11
N 11 19 15 13 11 11 11
O 0E 11 11 11 11 11 0E
R 1E 11 11 1E 14 12 11
S 0F 10 10 0E 01 01 1E
T 1F 04 04 04 04 04 04
U 11 11 11 11 11 11 0E
W 11 11 11 15 15 1B 11
""".strip().splitlines()
} | {" ": [0] * 7}
_WIDTH, _HEIGHT, _DOT = 1275, 1650, 6
_TALL, _WIDE, _BETWEEN = 7, 5, 6

Page = str | Sequence[str]
"""Text that can be copied, or the lines of a picture."""


def scanned_pdf(pages: Sequence[Page], layer: str = "", rotation: int = 0) -> bytes:
    """A PDF of such pages, turned clockwise by the rotation; the layer is invisible text over each picture."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids: list[str] = []
    for page in pages:
        drawing, resources = _text(page) if isinstance(page, str) else _picture(page, objects, layer)
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n".encode() + drawing + b"\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {rotation} /Resources << {resources} >> "
            f"/Contents {len(objects)} 0 R >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    return assembled(objects)


def _text(line: str) -> tuple[bytes, str]:
    return f"BT /F1 11 Tf 72 740 Td ({line}) Tj ET".encode(), "/Font << /F1 3 0 R >>"


def _picture(lines: Sequence[str], objects: list[bytes], layer: str) -> tuple[bytes, str]:
    packed = zlib.compress(_dots(lines))
    size = f"/Width {_WIDTH} /Height {_HEIGHT} /ColorSpace /DeviceGray /BitsPerComponent 8"
    head = f"<< /Type /XObject /Subtype /Image {size} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
    objects.append(head.encode() + packed + b"\nendstream")
    text, fonts = _text(layer)
    drawing = b"q 612 0 0 792 0 0 cm /Scan Do Q" + (b" 3 Tr " + text if layer else b"")
    return drawing, f"/XObject << /Scan {len(objects)} 0 R >> {fonts}"


def _dots(lines: Sequence[str]) -> bytes:
    rows = [bytearray(b"\xff" * _WIDTH) for _ in range(_HEIGHT)]
    for number, line in enumerate(lines):
        for place, letter in enumerate(line):
            _draw(rows, 120 + place * _BETWEEN * _DOT, 150 + number * 2 * _TALL * _DOT, _LETTERS[letter])
    return b"".join(rows)


def _draw(rows: list[bytearray], left: int, top: int, bits: Sequence[int]) -> None:
    for y, row in enumerate(bits):
        for x in range(_WIDE):
            if row >> (_WIDE - 1 - x) & 1:
                for line in rows[top + y * _DOT : top + (y + 1) * _DOT]:
                    line[left + x * _DOT : left + (x + 1) * _DOT] = b"\0" * _DOT
