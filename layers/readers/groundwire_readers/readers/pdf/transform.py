"""Affine transformation of page coordinates to positions on the page as displayed."""

from typing import NamedTuple

from groundwire_readers.readers.pdf.page_content import PageBox


class Transform(NamedTuple):
    """Affine transformation (ISO 32000-1, 8.3.3): x' = a x + c y + e, y' = b x + d y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Return the transformed point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> PageBox:
        """Return the bounding box of the transformed rectangle."""
        (x1, y1), (x2, y2) = self.apply(left, bottom), self.apply(right, top)
        return PageBox(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))

    def after(self, first: "Transform") -> "Transform":
        """Return the transformation that applies `first`, then this one."""
        a, b, c, d, e, f = first
        return Transform(
            self.a * a + self.c * b,
            self.b * a + self.d * b,
            self.a * c + self.c * d,
            self.b * c + self.d * d,
            self.a * e + self.c * f + self.e,
            self.b * e + self.d * f + self.f,
        )
