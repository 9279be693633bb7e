"""Small PDF files, written without a library."""

from collections.abc import Sequence


def pdf(pages: Sequence[Sequence[tuple[int, str]]], *, encrypted: bool = False) -> bytes:
    """A PDF with lines of (font size, ASCII text) per page; `encrypted` asks for an unknown password."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            + f"/Contents {5 + 2 * number} 0 R >>".encode()
        )
        stream = _stream(lines)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    if encrypted:
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /P -44 /O <" + b"5a" * 32 + b"> /U <" + b"a5" * 32 + b"> >>")
    return assembled(objects, encrypted=encrypted)


def _stream(lines: Sequence[tuple[int, str]]) -> bytes:
    height, parts = 740, list[str]()
    for size, text in lines:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        parts.append(f"BT /F1 {size} Tf 72 {height} Td ({escaped}) Tj ET")
        height -= 2 * size
    return "\n".join(parts).encode("ascii")


def placed(texts: Sequence[tuple[int, int, int, str]]) -> bytes:
    """A PDF of one page with each text at (x, y) in the font size that follows."""
    stream = "\n".join(f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET" for x, y, size, text in texts).encode("ascii")
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources 6 0 R /Contents 5 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
            b"<< /Font << /F1 3 0 R >> >>",
        ]
    )


def page_as_displayed(
    texts: Sequence[tuple[int, int, str]], rotation: int, media_box: Sequence[int], crop_box: Sequence[int] | None
) -> bytes:
    """A PDF of one page with each text at (x, y), rotated clockwise, of which viewers show the crop box."""
    stream = "\n".join(f"BT /F1 12 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in texts).encode("ascii")
    boxes = {"MediaBox": media_box, **({} if crop_box is None else {"CropBox": crop_box})}
    sizes = " ".join(f"/{name} [{' '.join(map(str, box))}]" for name, box in boxes.items())
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"<< /Type /Page /Parent 2 0 R {sizes} /Rotate {rotation} ".encode()
            + b"/Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    )


def assembled(objects: Sequence[bytes], *, encrypted: bool = False) -> bytes:
    """A PDF file of these objects, the catalogue first."""
    body, offsets = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    identity = "5a" * 16
    locked = f" /Encrypt {len(objects)} 0 R /ID [<{identity}> <{identity}>]" if encrypted else ""
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R{locked} >>\nstartxref\n{len(body)}\n%%EOF\n"
    return bytes(body) + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()
