"""Content of a PDF page as drawn: words with their boxes, and drawn rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class PageBox:
    """Rectangle on a page, in points from the page's top left corner as shown; `top` is less than `bottom`."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "PageBox") -> bool:
        """Return whether the middle of the other box is within this one."""
        x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def intersection(self, other: "PageBox") -> "PageBox":
        """Return what both boxes have in common; its right or bottom is less than its left or top for nothing."""
        return PageBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class PageWord:
    """Characters of one line without a blank between them.

    Attributes:
        position: of the first character in the page's text layer. size: of its font, in points.
        font: name of its font; empty where unknown.
        is_monospaced: each letter of its font has the same width.
        is_before_blank: a written blank follows, even at the end of a line; known for Korean alone.
        angle: counterclockwise, in degrees, as shown: 0, 90, 180 or 270.
    """

    text: str
    box: PageBox
    position: int
    size: float
    is_bold: bool
    font: str
    is_monospaced: bool = False
    angle: int = 0
    is_before_blank: bool = True


class HiddenReason(StrEnum):
    """Reason for which a person does not see a word of the text layer."""

    INVISIBLE = "invisible"
    SAME_COLOUR = "same_colour"
    TINY = "tiny"
    OFF_PAGE = "off_page"
    CLIPPED = "clipped"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class PageContent:
    """Visible content of one page.

    Attributes:
        number: from 1. width, height: in points, as shown (rotation applied).
        words: in the order of the text layer. rules: drawn lines and thin filled rectangles.
        hidden: number of words left out, by reason.
        is_unverified: the words are an invisible layer over a picture of the whole page, as recognition writes it.
        is_unmapped: it has no words, since its fonts have no Unicode map.
    """

    number: int
    width: float
    height: float
    words: tuple[PageWord, ...]
    rules: tuple[PageBox, ...]
    hidden: Mapping[HiddenReason, int] = field(default_factory=dict[HiddenReason, int])
    is_unverified: bool = False
    is_unmapped: bool = False
