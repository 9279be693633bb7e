"""Pooling in numpy: token vectors to one vector per text, for graphs without pooling of their own."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from groundwire.settings.model_spec import TokenPooling

Floats = NDArray[np.float32]
Mask = NDArray[np.int64]


def pool(tokens: Floats, mask: Mask, pooling: TokenPooling) -> Floats:
    """Return the pooled vectors [batch, dimension].

    Takes token vectors [batch, tokens, dimension] and a mask [batch, tokens] of ones followed by zeros.
    """
    return _POOLINGS[pooling](tokens, mask)


def truncate_and_normalise(vectors: Floats, dimension: int) -> Floats:
    """Return the first `dimension` values of each vector at unit length, little-endian."""
    cut = vectors[:, :dimension].astype(np.float32)
    lengths = np.linalg.norm(cut, axis=1, keepdims=True)
    # A vector of zeros stays one, instead of values that are no numbers.
    return (cut / np.maximum(lengths, np.finfo(np.float32).tiny)).astype("<f4", copy=False)


def _mean(tokens: Floats, mask: Mask) -> Floats:
    return (tokens * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


def _first(tokens: Floats, _mask: Mask) -> Floats:
    return tokens[:, 0]


def _largest(tokens: Floats, mask: Mask) -> Floats:
    return np.where(mask[..., None] == 1, tokens, -np.inf).max(axis=1)


def _last(tokens: Floats, mask: Mask) -> Floats:
    return tokens[np.arange(len(tokens)), mask.sum(axis=1) - 1]


_POOLINGS: Final[Mapping[TokenPooling, Callable[[Floats, Mask], Floats]]] = {
    "mean": _mean,
    "cls": _first,
    "max": _largest,
    "last": _last,
}
