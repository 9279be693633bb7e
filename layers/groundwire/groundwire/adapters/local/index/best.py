"""The best of many scores, the same ones every time."""

from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I64

_BLOCK: Final = 64


def best(scores: F32 | F64, depth: int) -> I64:
    """Where the `depth` highest scores stand, in no order; of equal ones the first."""
    if depth <= 0:
        return np.empty(0, np.int64)
    if len(scores) <= depth:
        return np.arange(len(scores))
    threshold = _threshold(scores, depth)
    above = np.flatnonzero(scores > threshold)
    return np.concatenate([above, np.flatnonzero(scores == threshold)[: depth - len(above)]])


def _threshold(scores: F32 | F64, depth: int) -> float:
    """The `depth`-th highest score."""
    blocks = len(scores) // _BLOCK
    if blocks > depth:
        # As many blocks have a maximum at least this high, so no score below it is among the best.
        maxima = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
        scores = scores[scores >= np.partition(maxima, blocks - depth)[blocks - depth]]
    return float(np.partition(scores, len(scores) - depth)[len(scores) - depth])
