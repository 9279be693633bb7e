"""Generator of small PDF files: text in fonts and colours, pictures, rotation, an outline."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.documents.pdf import assembled

REGULAR, BOLD, FIXED = "F1", "F2", "F3"
_FONTS = ("Helvetica", "Helvetica-Bold", "Courier")


@dataclass(frozen=True)
class Page:
    """A page's drawing in the language of PDF, its rotation and its size."""

    stream: str
    rotation: int = 0
    width: int = 612
    height: int = 792


def text(x: float, y: float, words: str, size: float = 10, font: str = REGULAR) -> str:
    """The words with their base line at a place from the lower left corner."""
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n"


def lines(x: float, y: float, texts: Sequence[str], size: float = 10, font: str = REGULAR) -> str:
    """The texts below each other."""
    return "".join(text(x, y - 1.2 * size * number, line, size, font) for number, line in enumerate(texts))


def filled(x: float, y: float, width: float, height: float, colour: str = "0 0 0") -> str:
    """A rectangle of one colour."""
    return f"q {colour} rg {x} {y} {width} {height} re f Q\n"


def picture(x: float, y: float, width: float, height: float) -> str:
    """A grey picture."""
    return f"q {width} 0 0 {height} {x} {y} cm /I1 Do Q\n"


def drawn(
    pages: Sequence[Page | str], *, title: str = "", outline: Sequence[tuple[str, int]] = (), form: str = ""
) -> bytes:
    """A PDF of these pages; the outline has titles and page numbers from 1.

    The pages may draw the form as X1: it shows what is in a box of 400 by 100 points, on half the scale.
    """
    first, count = 12, len(pages)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(count))
    fonts = [f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>" for name in _FONTS]
    entries = first + 2 * count
    root = f" /Outlines {entries} 0 R" if outline else ""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R{root} >>",
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>",
        *fonts,
        (
            "<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /I1 7 0 R /X1 10 0 R >> "
            "/ExtGState << /Half 8 0 R >> >>"
        ),
        (
            "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
            "/Length 1 >>"
            "\nstream\n\x40\nendstream"
        ),
        "<< /Type /ExtGState /BM /Multiply /ca 0.5 >>",
        f"<< /Title ({title}) >>",
        (
            "<< /Type /XObject /Subtype /Form /BBox [0 0 400 100] /Matrix [.5 0 0 .5 0 0] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Length {len(form)} >>\nstream\n{form}\nendstream"
        ),
        "<< >>",
    ]
    for number, page in enumerate(pages):
        sheet = Page(page) if isinstance(page, str) else page
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {sheet.width} {sheet.height}] /Rotate {sheet.rotation} "
            f"/Resources 6 0 R /Contents {first + 2 * number + 1} 0 R >>"
        )
        objects.append(f"<< /Length {len(sheet.stream)} >>\nstream\n{sheet.stream}\nendstream")
    if outline:
        last = entries + len(outline)
        objects.append(f"<< /Type /Outlines /First {entries + 1} 0 R /Last {last} 0 R /Count {len(outline)} >>")
        for number, (entry, page) in enumerate(outline, entries + 1):
            following = f" /Next {number + 1} 0 R" if number < last else ""
            target = f"[{first + 2 * (page - 1)} 0 R /Fit]"
            objects.append(f"<< /Title ({entry}) /Parent {entries} 0 R /Dest {target}{following} >>")
    content = assembled([each.encode("cp1252") for each in objects])
    return content.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 9 0 R")
