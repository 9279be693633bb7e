"""Notes of a text beside what they belong to."""

from collections.abc import Iterable

from groundwire_readers.contents.parsed import Block


def notes_beside(others: Iterable[tuple[list[str], list[Block]]], notes: dict[str, list[Block]]) -> list[Block]:
    """Return the blocks, each followed by the notes that it has a mark of; notes without a mark stay at the end.

    Args:
        others: blocks in order, with the labels of the notes whose marks they have.
        notes: blocks of the notes by label.
    """
    found: list[Block] = []
    remaining = dict(notes)
    for marks, blocks in others:
        found += blocks
        for mark in marks:
            found += remaining.pop(mark, [])
    for blocks in remaining.values():
        found += blocks
    return found
