"""PDF pages in any script: a font whose Unicode map names each glyph."""

from collections.abc import Sequence

from tests.support.documents.pdf import assembled

WIDTH = 6
"""Width of each glyph, in points."""

Placed = tuple[float, float, Sequence[str]]
"""Left edge, base line, and the text of each glyph from left to right."""


def any_script(*texts: Placed) -> bytes:
    """A PDF of one page with these texts in 10 points."""
    glyphs = sorted({glyph for _, _, line in texts for glyph in line})
    codes = {glyph: code for code, glyph in enumerate(glyphs, 1)}
    stream = b"".join(
        b"BT /F1 10 Tf %d %d Td <%b> Tj ET\n" % (x, y, bytes(codes[glyph] for glyph in line).hex().encode())
        for x, y, line in texts
    )
    entries = "\n".join(f"<{code:02x}> <{glyph.encode('utf-16-be').hex()}>" for glyph, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Any def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(codes)} beginbfchar\n{entries}\nendbfchar\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()
    drawing = b"600 0 0 0 500 700 d1 0 0 500 700 re f"
    procedures = " ".join(f"/g{code} 6 0 R" for code in codes.values())
    names = " ".join(f"/g{code}" for code in codes.values())
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
                b"/Resources << /Font << /F1 4 0 R >> >> /Contents 7 0 R >>"
            ),
            (
                "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] "
                f"/FirstChar 1 /LastChar {len(codes)} /Widths [{'600 ' * len(codes)}] /CharProcs << {procedures} >> "
                f"/Encoding << /Type /Encoding /Differences [1 {names}] >> /ToUnicode 5 0 R >>"
            ).encode(),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(cmap), cmap),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        ]
    )
