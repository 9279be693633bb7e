"""Texts of like length beside each other, since each is padded to the longest of its batch."""

from collections.abc import Iterator, Sequence
from typing import Final

_BATCH: Final = 32


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of the texts, by rising length, a batch at a time."""
    by_length = sorted(range(len(lengths)), key=lengths.__getitem__)
    for first in range(0, len(by_length), _BATCH):
        yield by_length[first : first + _BATCH]
