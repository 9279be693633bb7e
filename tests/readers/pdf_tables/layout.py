"""Pages made of words at given places, as the reader of a PDF's text layer gives them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord

SIZE = 10.0
LETTER = 5.0
LINE = 14.0

Side = Literal["left", "right", "middle"]


def width(text: str) -> float:
    return LETTER * len(text)


@dataclass(frozen=True)
class Text:
    """Text in one piece: `x` is its left edge, its right edge or its middle."""

    x: float
    y: float
    text: str
    side: Side = "left"
    is_bold: bool = False

    def words(self) -> list[PageWord]:
        shift = {"left": 0.0, "right": width(self.text), "middle": width(self.text) / 2}[self.side]
        left, words = self.x - shift, list[PageWord]()
        for text in self.text.split():
            box = PageBox(left, self.y, left + width(text), self.y + SIZE)
            words.append(PageWord(text, box, 0, SIZE, self.is_bold, "Font"))
            left += width(text) + LETTER
        return words


def page(texts: Sequence[Text], rules: Sequence[PageBox] = ()) -> PageContent:
    words = [word for text in texts for word in text.words()]
    placed = tuple(
        PageWord(word.text, word.box, position * 20, word.size, word.is_bold, word.font)
        for position, word in enumerate(words)
    )
    return PageContent(1, 612, 792, placed, tuple(rules))


def statement(rows: Sequence[Sequence[str]], top: float = 100, left: float = 50, last: float = 560) -> list[Text]:
    """Rows of a label and of right-aligned values, the last of which ends at `last`."""
    texts: list[Text] = []
    for number, (label, *values) in enumerate(rows):
        y = top + LINE * number
        texts += [Text(left, y, label)] if label else []
        ends = (last - 90 * place for place in range(len(values) - 1, -1, -1))
        texts += [Text(end, y, value, "right") for end, value in zip(ends, values, strict=True) if value]
    return texts
