"""Headings of a page without heading elements, by their typography.

Evidence are bold or larger type, entries of a table of contents, capitals, and labels such as "Item 1." or "2.1".
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html.css.appearance import Appearance
from groundwire_readers.readers.html.furniture import Region
from groundwire_readers.text.runs import rendered

_MAX_CHARACTERS: Final = 150
_MAX_IN_ROW: Final = 3
"""Candidates without other text between them from which they are a cover or a list, not headings."""
_MAX_LABEL_CELLS: Final = 3
_MAX_OCCURRENCES: Final = 4
"""Occurrences of a line above which it is the running header of printed pages."""
_LARGER_RATIO: Final = 1.15
_MAX_LABEL_WORDS: Final = 12
"""Words of a numbered heading, which may end with a full stop."""
_WHOLE: Final = 0.95
"""Share of letters from which a line counts as bold, or as a link, as a whole."""
_LABEL: Final = re.compile(
    r"(?:(?P<part>part|teil|partie|parte)|item|section|article|chapter|appendix|annex|schedule|exhibit|note|kapitel|abschnitt"
    r"|artikel|anhang|anlage|chapitre|annexe|capítulo|capitolo|artículo|sezione)\s+(?:\d{1,3}|[A-Z]|[IVX]{1,6})\w?\b"
    r"|\d{1,2}(?:[.)]|(?:\.\d{1,2}){1,4}\.?)\s",
    re.IGNORECASE,
)
_LONG_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_SENTENCE_END: Final = (".", ",", ";", "!", "?", "…")


@dataclass(slots=True)
class BlockLook:
    """Letters of a block by their look.

    Attributes:
        bold, linked, monospaced: letters in bold type, in links within the page, and in the type of code.
        sizes: letters by font size in pixels.
        names: anchors at its start.
    """

    bold: int = 0
    linked: int = 0
    monospaced: int = 0
    sizes: Counter[float] = field(default_factory=Counter[float])
    names: list[str] = field(default_factory=list[str])

    def add(self, text: str, appearance: Appearance, *, is_linked: bool) -> None:
        """Add a piece of text."""
        letters = sum(map(str.isalnum, text))
        self.sizes[round(appearance.pixels, 1)] += letters
        self.bold += letters * appearance.is_bold
        self.linked += letters * is_linked
        self.monospaced += letters * appearance.is_monospaced

    @property
    def letters(self) -> int:
        """The number of its letters and digits."""
        return self.sizes.total()

    @property
    def size(self) -> float:
        """The font size of most of its letters; 0 without any."""
        return max(self.sizes, key=lambda size: self.sizes[size], default=0.0)


@dataclass(slots=True)
class PageLooks:
    """Looks of the blocks of a page.

    Attributes:
        blocks, regions: look and region of each block so far.
        entries: texts of the links within the page, by the anchor that they lead to.
    """

    blocks: list[BlockLook] = field(default_factory=list[BlockLook])
    regions: list[Region] = field(default_factory=list[Region])
    entries: dict[str, str] = field(default_factory=dict[str, str])
    _open: BlockLook = field(default_factory=BlockLook)

    def add(self, text: str, appearance: Appearance, link: str) -> None:
        """Add a piece of text to the open block, with the address of the link around it; empty without one."""
        self._open.add(text, appearance, is_linked=link.startswith("#"))

    def add_anchor(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Add the anchor of an element, if it is before the text of the open block."""
        name = attributes.get("id") or (attributes.get("name") if tag == "a" else None)
        if name and not self._open.letters:
            self._open.names.append(name)

    def add_link(self, address: str, text: str) -> None:
        """Add a link; the first link to each anchor counts."""
        if address.startswith("#"):
            self.entries.setdefault(address[1:], rendered(text))

    def end_block(self, region: Region) -> None:
        """End the open block, which is in this region."""
        self.blocks.append(self._open)
        self.regions.append(region)
        self._open = BlockLook()


def with_typographic_headings(blocks: list[Block], looks: PageLooks) -> list[Block]:
    """Return the blocks of a whole page with headings; one with elements beside a single h1 is unchanged."""
    declared = [block.level for block in blocks if block.kind is BlockKind.HEADING]
    if declared not in ([], [1]):
        return blocks
    blocks = [_with_label_as_text(block) for block in blocks]
    page = _Page(blocks, looks.blocks, looks.entries)
    kept = list(page.headings())
    ranks = {position: page.rank(position) for position in kept}
    levels = {rank: min(level, MAX_LEVEL) for level, rank in enumerate(sorted(set(ranks.values())), sum(declared) + 1)}
    found = {
        position: replace(blocks[position], kind=BlockKind.HEADING, level=levels[rank])
        for position, rank in ranks.items()
    }
    return [found.get(position, block) for position, block in enumerate(blocks)]


def _with_label_as_text(block: Block) -> Block:
    """Return a table that is only the label and the title of a section, such as "Item 1." and "Business", as text."""
    cells = [cell for row in block.rows[:2] for cell in row if cell]
    text = " ".join(cells)
    is_title = len(block.rows) == 1 and 1 < len(cells) <= _MAX_LABEL_CELLS and len(text) <= _MAX_CHARACTERS
    label = _LABEL.match(cells[0]) if is_title else None
    if label is None or len(cells[0].rstrip(".:")) > label.end():
        return block
    return Block(BlockKind.PARAGRAPH, text, page=block.page, group=block.group)


class _Page:
    def __init__(self, blocks: Sequence[Block], looks: Sequence[BlockLook], entries: Mapping[str, str]) -> None:
        self._blocks = blocks
        self._looks = looks
        self._entries = entries
        sizes = sum((look.sizes for look in looks), Counter[float]())
        self._body_size = max(sizes, key=lambda size: sizes[size], default=0.0)
        # On a page in bold type, weight distinguishes nothing.
        self._is_bold = sum(look.bold for look in looks) > sizes.total() / 2
        self._occurrences = Counter(block.text for block in blocks if block.kind is BlockKind.PARAGRAPH)

    def headings(self) -> Iterator[int]:
        """Yield the positions of the headings: candidates that text follows."""
        run: list[int] = []
        for position in range(len(self._blocks)):
            if self._is_candidate(position):
                run.append(position)
                continue
            yield from run if len(run) <= _MAX_IN_ROW else (each for each in run if self._is_certain(each))
            run = []

    def rank(self, position: int) -> tuple[float, int]:
        """Return the rank of a heading, the lowest for the outermost: by size, then by its label or its capitals."""
        text = self._blocks[position].text
        label = _LABEL.match(text)
        unlabelled = 2 if text.isupper() else 3
        return -round(self._looks[position].size), unlabelled if label is None else int(not label["part"])

    def _is_candidate(self, position: int) -> bool:
        block, look = self._blocks[position], self._looks[position]
        text = block.text
        if block.kind is not BlockKind.PARAGRAPH or len(text) > _MAX_CHARACTERS or not any(map(str.isalpha, text)):
            return False
        least = _WHOLE * look.letters
        if max(look.linked, look.monospaced) >= least or self._occurrences[text] > _MAX_OCCURRENCES:
            return False
        if self._is_entry(position):
            return True
        is_label = _LABEL.match(text) is not None and len(text.split()) <= _MAX_LABEL_WORDS
        if text[:1].islower() or (text.endswith(_SENTENCE_END) and not is_label):
            return False
        is_bold = look.bold >= _WHOLE * look.letters > 0 and not self._is_bold
        return is_bold or look.size >= _LARGER_RATIO * self._body_size > 0 or self._is_plain_title(position)

    def _is_plain_title(self, position: int) -> bool:
        """Return whether a line in ordinary type is a title: a label or capitals, with longer text below it."""
        text = self._blocks[position].text
        below = self._blocks[position + 1] if position + 1 < len(self._blocks) else None
        is_above_text = below is not None and below.kind is not BlockKind.TABLE and len(below.text) > len(text)
        if not is_above_text or below is None or len(text.split()) > _MAX_LABEL_WORDS or text.endswith(":"):
            return False
        is_capitals = text.isupper() and _LONG_WORD.search(text) is not None and not below.text.isupper()
        return is_capitals or (_LABEL.match(text) is not None and _LABEL.match(below.text) is None)

    def _is_certain(self, position: int) -> bool:
        return _LABEL.match(self._blocks[position].text) is not None or self._is_entry(position)

    def _is_entry(self, position: int) -> bool:
        """Return whether an entry of the table of contents leads to the block, and its text is in that of the block."""
        words = _letters(self._blocks[position].text)
        texts = (_letters(self._entries.get(name, "")) for name in self._looks[position].names)
        return any(text and any(map(str.isalpha, text)) and text in words for text in texts)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
