"""Content of a PDF page as drawn: words with their bounding boxes, and drawn lines (rules)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class PageBox:
    """Rectangle on a page, in points from the displayed page's top left corner; `top` is less than `bottom`."""

    left: float
    top: float
    right: float
    bottom: float

    def contains_centre_of(self, other: "PageBox") -> bool:
        """Return whether the centre of the other box is within this one."""
        x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def intersection(self, other: "PageBox") -> "PageBox":
        """Return the intersection; of separate boxes, right is less than left, or bottom less than top."""
        return PageBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word: characters of one line without a space between them.

    Attributes:
        position: index of its first character in the text layer.
        size: font size, in points.
        font: name of the font; empty if the word comes from text recognition (OCR).
        is_monospaced: whether all letters of the font have one width.
        angle: rotation as displayed, counterclockwise, in degrees: 0, 90, 180 or 270.
        is_before_space: whether the text layer has a space after it, even at a line end; known for Korean only.
        line: number of the right-to-left line that it belongs to, within which `position` is the logical order; else 0.
    """

    text: str
    box: PageBox
    position: int
    size: float
    is_bold: bool
    font: str
    is_monospaced: bool = False
    angle: int = 0
    is_before_space: bool = True
    line: int = 0


class HiddenReason(StrEnum):
    """Reason why a word of the text layer is not visible to a person."""

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
        number: page number, from 1.
        width, height: size as displayed (rotation applied), in points.
        words: the visible words, in the order of the text layer.
        rules: drawn lines and thin filled rectangles.
        areas: filled rectangles of any colour but white.
        bars: those of a dark colour.
        has_drawing: whether an image or a filled shape is drawn, which may show text.
        hidden: number of hidden words by reason.
        is_unverified: whether the words are an invisible OCR layer over an image of the page.
        is_unmapped: whether the words were dropped because the fonts have no Unicode map, or a wrong one.
    """

    number: int
    width: float
    height: float
    words: tuple[PageWord, ...]
    rules: tuple[PageBox, ...]
    hidden: Mapping[HiddenReason, int] = field(default_factory=dict[HiddenReason, int])
    is_unverified: bool = False
    is_unmapped: bool = False
    areas: tuple[PageBox, ...] = ()
    bars: tuple[PageBox, ...] = ()
    has_drawing: bool = True
