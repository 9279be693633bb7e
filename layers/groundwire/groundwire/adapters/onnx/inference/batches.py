"""Batches of texts of similar length, since each text is padded to the longest of its batch."""

from collections.abc import Iterator, Sequence
from typing import Final

from groundwire.ports.deadline import background_pause

_BATCH: Final = 32
_PADDING_MAX: Final = 64
"""Tokens of padding that cost about as much as another call of the model."""
_PADDING_SHARE: Final = 16
"""Further padding allowed: one token per so many tokens of the batch, since long batches run more efficiently."""
_BACKGROUND_TOKENS: Final = 256
"""Tokens of a batch in the background: about 50 ms on two processors, for which a phrase may wait."""


def batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indexes of the texts by rising length, one batch at a time, with little padding in each.

    A passage and its windows are embedded together; padding the windows to the passage would triple their cost. In the
    background, batches are short, and calls pass before each.
    """
    pause = background_pause()
    batch: list[int] = []
    tokens = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The texts come by rising length, so this one is the longest of the batch.
        padding = lengths[index] * len(batch) - tokens
        is_long = pause is not None and lengths[index] * (len(batch) + 1) > _BACKGROUND_TOKENS
        if batch and (is_long or len(batch) == _BATCH or padding > _PADDING_MAX + tokens // _PADDING_SHARE):
            if pause is not None:
                pause()
            yield batch
            batch, tokens = [], 0
        batch.append(index)
        tokens += lengths[index]
    if batch:
        if pause is not None:
            pause()
        yield batch
