"""Notes of a text beside what they belong to: the parser library gives them at the end."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from groundwire_readers.contents.notes import notes_beside
from groundwire_readers.contents.parsed import Block
from groundwire_readers.readers.xberg.extraction import Node
from groundwire_readers.text.runs import noted_by, notes_of

_NOTES: Final = "footnote"


def with_notes_beside(nodes: Sequence[Node], numbered: Iterable[tuple[int, Block]]) -> list[Block]:
    """Return the blocks, each followed by the notes that it has a mark of; notes without a mark stay at the end.

    Args:
        nodes: nodes of the library.
        numbered: blocks in order, each with the index of its node.
    """
    notes: dict[str, list[Block]] = {}
    others: list[tuple[list[str], list[Block]]] = []
    for number, group in groupby(numbered, key=lambda each: each[0]):
        blocks = [block for _, block in group]
        content = nodes[number].content
        label = noted_by(str(content.get("text", "")))
        if label is not None:
            notes.setdefault(label, []).extend(blocks)
        elif notes and nodes[number].layer == _NOTES:
            next(reversed(notes.values())).extend(blocks)  # a further paragraph of the note
        else:
            others.append((notes_of(json.dumps(content, ensure_ascii=False)), blocks))
    return notes_beside(others, notes)
