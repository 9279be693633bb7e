"""Batches of texts of similar length, since each text is padded to the longest of its batch."""

from collections.abc import Iterator, Sequence
from typing import Final

_BATCH: Final = 32
_PADDING_MAX: Final = 64
"""Tokens of padding that cost about as much as another call of the model."""
_PADDING_SHARE: Final = 16
"""Further padding allowed: one token per so many tokens of the batch, since long batches run more efficiently."""


def batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indexes of the texts by rising length, one batch at a time, with little padding in each.

    A passage and its windows are embedded together; padding the windows to the passage would triple their cost.
    """
    batch: list[int] = []
    tokens = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The texts come by rising length, so this one is the longest of the batch.
        padding = lengths[index] * len(batch) - tokens
        if len(batch) == _BATCH or padding > _PADDING_MAX + tokens // _PADDING_SHARE:
            yield batch
            batch, tokens = [], 0
        batch.append(index)
        tokens += lengths[index]
    if batch:
        yield batch
