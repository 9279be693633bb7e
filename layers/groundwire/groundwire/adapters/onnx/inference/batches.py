"""Texts of like length beside each other, since each is padded to the longest of its batch."""

from collections.abc import Iterator, Sequence
from typing import Final

_BATCH: Final = 32
_PADDING_MAX: Final = 64
"""Tokens of padding that cost about as much as another call of the model."""
_PADDING_SHARE: Final = 16
"""A batch may waste one token of so many besides: a long one is multiplied faster."""


def batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of the texts, by rising length, a batch at a time; little of a batch is padding.

    A passage and its windows come together, and padding the windows to the passage would triple their cost.
    """
    batch: list[int] = []
    tokens = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        padding = lengths[place] * len(batch) - tokens
        if len(batch) == _BATCH or padding > _PADDING_MAX + tokens // _PADDING_SHARE:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += lengths[place]
    if batch:
        yield batch
