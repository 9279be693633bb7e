"""Content of a PDF page as drawn: words with their boxes, and drawn rules."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle on a page, in points from the page's top left corner as shown; `top` is less than `bottom`."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Word:
    """Characters of one line without a blank between them.

    Attributes:
        position: of the first character in the page's text layer. size: of its font, in points.
        font: name of its font; empty where unknown.
    """

    text: str
    box: Box
    position: int
    size: float
    is_bold: bool
    font: str


@dataclass(frozen=True, slots=True)
class PageContent:
    """Visible content of one page.

    Attributes:
        number: from 1. width, height: in points, as shown (rotation applied).
        words: in the order of the text layer. rules: drawn lines and thin filled rectangles.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Box, ...]
