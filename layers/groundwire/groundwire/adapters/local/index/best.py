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
    near = np.flatnonzero(scores >= _floor(scores, depth))
    values = scores[near]
    threshold = np.partition(values, len(values) - depth)[len(values) - depth]
    above = near[values > threshold]
    return np.concatenate([above, near[values == threshold][: depth - len(above)]])


def _floor(scores: F32 | F64, depth: int) -> float:
    """A bound that at least `depth` scores reach: as many blocks have a maximum that high."""
    blocks = len(scores) // _BLOCK
    if blocks <= depth:
        return -np.inf
    maxima = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    return float(np.partition(maxima, blocks - depth)[blocks - depth])
