"""Matrices of four-bit weights in blocks of 32 that share a scale, as llama.cpp's type Q4_0 defines them.

Format: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (`block_q4_0`)
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from groundwire_model_builder.graph.safetensors import FloatArray

BLOCK_VALUES: Final = 32
BLOCK_BYTES: Final = 18
"""Two bytes of scale, then 16 bytes of two values each."""
_SCALE_BYTES: Final = 2
_ZERO_POINT: Final = 8


@dataclass(frozen=True, slots=True)
class FourBitMatrix:
    """A matrix of weights `(value - 8) * scale`.

    Attributes:
        values: uint8 [rows, columns / 2]: two neighbours a byte, the first in the low half; each from 0 to 15.
        scales: float16 [rows, columns / 32].
    """

    values: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def from_blocks(cls, content: bytes, rows: int, columns: int) -> Self:
        """Return the matrix of these blocks, row by row.

        In a block, byte j holds value j in its low half and value j + 16 in its high half.

        Raises:
            ValueError: the size is another one, or a scale is no number.
        """
        blocks = np.frombuffer(content, np.uint8).reshape(rows, columns // BLOCK_VALUES, BLOCK_BYTES)
        # A view as another type needs bytes that follow one another.
        scales = np.ascontiguousarray(blocks[:, :, :_SCALE_BYTES]).view("<f2")[:, :, 0]
        if not np.isfinite(scales).all():
            raise ValueError
        packed = blocks[:, :, _SCALE_BYTES:]
        values = np.concatenate([packed & 15, packed >> 4], axis=2).reshape(rows, columns)
        return cls((values[:, 0::2] | values[:, 1::2] << 4).astype(np.uint8, copy=False), scales)

    def dequantise(self) -> FloatArray:
        """Return the weights [rows, columns]."""
        rows = len(self.values)
        values = np.stack([self.values & 15, self.values >> 4], axis=2).reshape(rows, -1, BLOCK_VALUES)
        weights = (values.astype(np.float32) - _ZERO_POINT) * self.scales[:, :, None].astype(np.float32)
        return weights.reshape(rows, -1)
