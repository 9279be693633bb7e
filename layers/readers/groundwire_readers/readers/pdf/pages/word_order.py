"""Order of a page's words: annotations beside their labels, and what is drawn twice once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.pages.page_text import DrawnWord

_COVERED: Final = 0.75
"""Minimum share of a word's box that lies in the box of the same letters drawn again."""
_SIZES: Final = 0.8
"""Minimum ratio of the sizes of letters that are drawn twice."""
_CELL: Final = 24.0
"""Side of a cell of the grid in which words at one place are found, in points."""
_CELL_WORDS: Final = 16
"""Maximum number of a cell's words that a word is compared with."""
_CELLS: Final = 64
"""Maximum number of cells that a word is in."""
_MARGIN: Final = 2.0
"""Distance from an annotation within which the page's own text is its flattened value, in points."""

_LOOK_UPS: Final = 5_000_000
"""Maximum number of comparisons of an annotation with a word of the page; beyond it, annotations follow the page."""


def with_annotations(
    drawn: Sequence[DrawnWord], stated: Iterable[Sequence[DrawnWord]], places: Sequence[PageBox]
) -> list[DrawnWord]:
    """Return the words of a page with those of its annotations, each after the word before it on its line.

    A stated annotation whose words the page's own content has at the same place adds nothing.

    Args:
        drawn: the words of the page's content.
        stated: words of annotations that the content does not draw.
        places: boxes of annotations whose words the content draws.
    """
    drawn, groups = _without_places(drawn, places)
    annotations = [*stated, *groups]
    following: defaultdict[int, list[DrawnWord]] = defaultdict(list)
    for count, words in enumerate(annotations, 1):
        if count * len(drawn) > _LOOK_UPS:
            following[len(drawn) - 1].extend(words)
        elif not _has_flattened(drawn, words):
            following[_place(drawn, words[0].word)].extend(words)
    ordered = following[-1]
    for index, item in enumerate(drawn):
        ordered.append(item)
        ordered.extend(following.get(index, ()))
    return ordered


def _without_places(
    drawn: Sequence[DrawnWord], places: Sequence[PageBox]
) -> tuple[Sequence[DrawnWord], list[list[DrawnWord]]]:
    """Return the words outside of all boxes, and those within each of them."""
    if len(places) * len(drawn) > _LOOK_UPS:
        return drawn, []
    groups: list[list[DrawnWord]] = []
    for box in places:
        group = [item for item in drawn if box.holds(item.word.box)]
        # An annotation around all words, such as a stamp over the page, moves none of them.
        if group and len(group) < len(drawn):
            inside = set(map(id, group))
            drawn = [item for item in drawn if id(item) not in inside]
            groups.append(group)
    return drawn, groups


def _has_flattened(drawn: Sequence[DrawnWord], words: Sequence[DrawnWord]) -> bool:
    left, right = min(item.word.box.left for item in words), max(item.word.box.right for item in words)
    top, bottom = min(item.word.box.top for item in words), max(item.word.box.bottom for item in words)
    box = PageBox(left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    inside = "".join(item.word.text for item in drawn if box.holds(item.word.box))
    return "".join(item.word.text for item in words) in inside


def _place(drawn: Sequence[DrawnWord], word: PageWord) -> int:
    """Return the index of the last word to the left on the same line, else of the last word above; -1 for none."""
    middle = (word.box.top + word.box.bottom) / 2
    beside = [
        (item.word.box.right, index)
        for index, item in enumerate(drawn)
        if item.word.box.top <= middle <= item.word.box.bottom and item.word.box.left <= word.box.left
    ]
    if beside:
        return max(beside)[1]
    above = [(item.word.box.bottom, index) for index, item in enumerate(drawn) if item.word.box.bottom <= middle]
    return max(above)[1] if above else -1


def without_overprints(words: Sequence[PageWord]) -> tuple[PageWord, ...]:
    """Return the words without those whose letters are drawn again at the same place, as for bold letters."""
    grid: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        for cell in _cells(word.box):
            if len(grid[cell]) < _CELL_WORDS:
                grid[cell].append(index)
    ranks = [(len(word.text), _neighbours(words, index), index) for index, word in enumerate(words)]
    return tuple(
        word
        for index, word in enumerate(words)
        if not any(
            ranks[other] > ranks[index] and _is_drawn_by(word, words[other]) for other in grid[_middle(word.box)]
        )
    )


def _neighbours(words: Sequence[PageWord], index: int) -> int:
    """Return how many of the words before and after it are beside the word: of a line's repeated parts, none is."""
    pairs = ((index - 1, index), (index, index + 1))
    return sum(left >= 0 and right < len(words) and _are_beside(words[left], words[right]) for left, right in pairs)


def _are_beside(left: PageWord, right: PageWord) -> bool:
    first, second = left.box, right.box
    is_one_line = first.top < second.bottom and second.top < first.bottom
    return is_one_line and -left.size <= second.left - first.right <= left.size


def _is_drawn_by(word: PageWord, other: PageWord) -> bool:
    """Return whether the other word has this word's letters at this place."""
    offset = other.text.find(word.text)
    box, cover = word.box, other.box
    is_alike = _are_alike(word.size, other.size) and _are_alike(_height(box), _height(cover))
    if offset < 0 or word.angle != other.angle or not is_alike:
        return False
    across = min(box.right, cover.right) - max(box.left, cover.left)
    down = min(box.bottom, cover.bottom) - max(box.top, cover.top)
    area = (box.right - box.left) * _height(box)
    if across <= 0 or down <= 0 or across * down < _COVERED * area:
        return False
    # Letters differ in width, so the place of a part is an estimate.
    expected = cover.left + (cover.right - cover.left) * offset / len(other.text)
    return word.angle != 0 or abs(box.left - expected) <= word.size


def _are_alike(first: float, second: float) -> bool:
    return min(first, second) >= _SIZES * max(first, second)


def _height(box: PageBox) -> float:
    return box.bottom - box.top


def _cells(box: PageBox) -> Iterator[tuple[int, int]]:
    left, right = int(box.left // _CELL), int(box.right // _CELL)
    top, bottom = int(box.top // _CELL), int(box.bottom // _CELL)
    if (right - left + 1) * (bottom - top + 1) <= _CELLS:
        yield from ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _middle(box: PageBox) -> tuple[int, int]:
    return int((box.left + box.right) / 2 // _CELL), int((box.top + box.bottom) / 2 // _CELL)
