"""Pages of PDF files with each text at its place."""

from collections.abc import Sequence

from tests.support.documents.pdf import assembled

Placed = tuple[float, float, str]
"""Points from the left and from the bottom of a page of 612 by 792 points, and the text in 10 points."""


def pdf_of(
    pages: Sequence[Sequence[Placed]], *, rotation: int = 0, more: str = "", outline: Sequence[str] = ()
) -> bytes:
    """A PDF; `more` is drawn on its first page, too, and the outline's titles lead there."""
    first = 4 + bool(outline) * (1 + len(outline))
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    marks = " /Outlines 4 0 R" if outline else ""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R{marks} >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *_outline(outline, first),
    ]
    for number, placed in enumerate(pages):
        stream = _stream(placed) + (more if number == 0 else "")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {rotation} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {first + 2 * number + 1} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return assembled([each.encode("ascii") for each in objects])


def text_at(x: float, y: float, text: str, size: float = 10, turn: str = "1 0 0 1", mode: int = 0) -> str:
    """The text in the language of PDF: turned by a matrix, drawn in a mode."""
    escaped = text.replace("(", r"\(").replace(")", r"\)")
    return f"BT {mode} Tr /F1 {size} Tf {turn} {x} {y} Tm ({escaped}) Tj ET\n"


def _stream(placed: Sequence[Placed]) -> str:
    return "".join(text_at(x, y, text) for x, y, text in placed)


def _outline(titles: Sequence[str], page: int) -> list[str]:
    if not titles:
        return []
    last = 4 + len(titles)
    entries = [
        f"<< /Title ({title}) /Parent 4 0 R /Dest [{page} 0 R /Fit]"
        + (f" /Next {number + 1} 0 R >>" if number < last else " >>")
        for number, title in enumerate(titles, 5)
    ]
    return [f"<< /Type /Outlines /First 5 0 R /Last {last} 0 R /Count {len(titles)} >>", *entries]
