"""Order of a page's words: annotations are placed beside their labels, and overprinted words appear once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.text_layer.page_text import DrawnWord

CHECKED, UNCHECKED = "[x]", "[ ]"
"""Texts of a form's boxes and buttons."""
_MIN_COVERED_SHARE: Final = 0.75
"""Minimum share of a word's box within the box of the word that overprints it."""
_MIN_SIZE_RATIO: Final = 0.8
"""Minimum ratio of the sizes of two overprinted words."""
_CELL_SIDE: Final = 24.0
"""Side of a cell of the grid index by which words at one position are found, in points."""
_MAX_CELL_WORDS: Final = 16
"""Maximum number of words that are kept of a cell."""
_MAX_CELLS: Final = 64
"""Maximum number of cells of a word; a larger word is not indexed."""
_MARGIN: Final = 2.0
"""Margin around an annotation within which page text may be its flattened value, in points."""
_MAX_COMPARISONS: Final = 5_000_000
"""Maximum number of comparisons of annotations with words; beyond it, annotations follow the page's text."""


def with_annotations(
    drawn: Sequence[DrawnWord], stated: Iterable[Sequence[DrawnWord]], boxes: Sequence[PageBox]
) -> list[DrawnWord]:
    """Return the words of a page, with each annotation after the word to its left, and each box beside its label.

    An annotation whose text the page content already has at the same position adds nothing.

    Args:
        drawn: words of the page content.
        stated: words of annotations that the content does not draw.
        boxes: boxes of annotations that were flattened into the content.
    """
    drawn, flattened = _split_by_boxes(drawn, boxes)
    annotations = [*stated, *flattened]
    insertions: defaultdict[int, list[DrawnWord]] = defaultdict(list)
    boxes_of_forms: list[tuple[DrawnWord, int | None, int | None]] = []
    for count, words in enumerate(annotations, 1):
        if count * len(drawn) > _MAX_COMPARISONS:
            insertions[len(drawn) - 1].extend(words)
        elif words[0].word.text in (CHECKED, UNCHECKED):
            boxes_of_forms.append((words[0], *_neighbours(drawn, words[0].word)))
        elif not _has_flattened(drawn, words):
            insertions[_index_before(drawn, words[0].word)].extend(words)
    for item, index in _beside_labels(drawn, boxes_of_forms):
        insertions[index].append(item)
    ordered = insertions[-1]
    for index, item in enumerate(drawn):
        ordered.append(item)
        ordered.extend(insertions.get(index, ()))
    return ordered


def _split_by_boxes(
    drawn: Sequence[DrawnWord], boxes: Sequence[PageBox]
) -> tuple[Sequence[DrawnWord], list[list[DrawnWord]]]:
    """Return the words outside all boxes, and the words within each box."""
    if len(boxes) * len(drawn) > _MAX_COMPARISONS:
        return drawn, []
    groups: list[list[DrawnWord]] = []
    for box in boxes:
        group = [item for item in drawn if box.contains_centre_of(item.word.box)]
        # An annotation around all words, such as a stamp over the page, does not reorder them.
        if group and len(group) < len(drawn):
            inside = set(map(id, group))
            drawn = [item for item in drawn if id(item) not in inside]
            groups.append(group)
    return drawn, groups


def _has_flattened(drawn: Sequence[DrawnWord], words: Sequence[DrawnWord]) -> bool:
    left, right = min(item.word.box.left for item in words), max(item.word.box.right for item in words)
    top, bottom = min(item.word.box.top for item in words), max(item.word.box.bottom for item in words)
    box = PageBox(left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    inside = "".join(item.word.text for item in drawn if box.contains_centre_of(item.word.box))
    return "".join(item.word.text for item in words) in inside


def _index_before(drawn: Sequence[DrawnWord], word: PageWord) -> int:
    """Return the index of the nearest word to the left on the same line, else of the lowest word above; -1 for none."""
    middle = (word.box.top + word.box.bottom) / 2
    to_the_left = [
        (item.word.box.right, index)
        for index, item in enumerate(drawn)
        if item.word.box.top <= middle <= item.word.box.bottom and item.word.box.left <= word.box.left
    ]
    if to_the_left:
        return max(to_the_left)[1]
    above = [(item.word.box.bottom, index) for index, item in enumerate(drawn) if item.word.box.bottom <= middle]
    return max(above)[1] if above else -1


def _neighbours(drawn: Sequence[DrawnWord], word: PageWord) -> tuple[int | None, int | None]:
    """Return the indexes of the nearest words to the left and to the right on the same line."""
    middle = (word.box.left + word.box.right) / 2
    on_line = [
        (item.word.box, index)
        for index, item in enumerate(drawn)
        if item.word.box.top < word.box.bottom and item.word.box.bottom > word.box.top
    ]
    left = max(((box.right, index) for box, index in on_line if box.right <= middle), default=None)
    right = min(((box.left, index) for box, index in on_line if box.left >= middle), default=None)
    return (None if left is None else left[1]), (None if right is None else right[1])


def _beside_labels(
    drawn: Sequence[DrawnWord], boxes: Sequence[tuple[DrawnWord, int | None, int | None]]
) -> Iterator[tuple[DrawnWord, int]]:
    """Yield each box of a form with the index of the word that it follows; its label is before or behind it."""
    # A row that starts with a box has its labels behind the boxes.
    rows = {round(item.word.box.bottom) for item, left, _ in boxes if left is None}
    for item, left, right in boxes:
        word = item.word
        gap_left = word.box.left - drawn[left].word.box.right if left is not None else float("inf")
        gap_right = drawn[right].word.box.left - word.box.right if right is not None else float("inf")
        if right is not None and (round(word.box.bottom) in rows or gap_right <= gap_left):
            yield item, right - 1
        else:
            yield item, _index_before(drawn, word)


def without_overprints(words: Sequence[PageWord]) -> tuple[PageWord, ...]:
    """Return the words without those that are overprinted: drawn again at the same position, as for simulated bold."""
    index_by_cell: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        for cell in _cells(word.box):
            if len(index_by_cell[cell]) < _MAX_CELL_WORDS:
                index_by_cell[cell].append(index)
    ranks = [(len(word.text), _adjacent_words(words, index), index) for index, word in enumerate(words)]
    return tuple(
        word
        for index, word in enumerate(words)
        if not any(
            ranks[other] > ranks[index] and _is_overprinted_by(word, words[other])
            for other in index_by_cell[_cell_of_centre(word.box)]
        )
    )


def _adjacent_words(words: Sequence[PageWord], index: int) -> int:
    """Return how many of the previous and next words are adjacent to the word on its line; fragments have fewer."""
    pairs = ((index - 1, index), (index, index + 1))
    return sum(left >= 0 and right < len(words) and _are_adjacent(words[left], words[right]) for left, right in pairs)


def _are_adjacent(left: PageWord, right: PageWord) -> bool:
    first, second = left.box, right.box
    is_one_line = first.top < second.bottom and second.top < first.bottom
    return is_one_line and -left.size <= second.left - first.right <= left.size


def _is_overprinted_by(word: PageWord, other: PageWord) -> bool:
    """Return whether the other word draws this word's letters at the same position."""
    offset = other.text.find(word.text)
    box, other_box = word.box, other.box
    is_alike = _are_alike(word.size, other.size) and _are_alike(_height(box), _height(other_box))
    if offset < 0 or word.angle != other.angle or not is_alike:
        return False
    overlap_width = min(box.right, other_box.right) - max(box.left, other_box.left)
    overlap_height = min(box.bottom, other_box.bottom) - max(box.top, other_box.top)
    area = (box.right - box.left) * _height(box)
    if overlap_width <= 0 or overlap_height <= 0 or overlap_width * overlap_height < _MIN_COVERED_SHARE * area:
        return False
    # Letters differ in width, so the position of a substring is an estimate.
    expected = other_box.left + (other_box.right - other_box.left) * offset / len(other.text)
    return word.angle != 0 or abs(box.left - expected) <= word.size


def _are_alike(first: float, second: float) -> bool:
    return min(first, second) >= _MIN_SIZE_RATIO * max(first, second)


def _height(box: PageBox) -> float:
    return box.bottom - box.top


def _cells(box: PageBox) -> Iterator[tuple[int, int]]:
    left, right = int(box.left // _CELL_SIDE), int(box.right // _CELL_SIDE)
    top, bottom = int(box.top // _CELL_SIDE), int(box.bottom // _CELL_SIDE)
    if (right - left + 1) * (bottom - top + 1) <= _MAX_CELLS:
        yield from ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _cell_of_centre(box: PageBox) -> tuple[int, int]:
    return int((box.left + box.right) / 2 // _CELL_SIDE), int((box.top + box.bottom) / 2 // _CELL_SIDE)
