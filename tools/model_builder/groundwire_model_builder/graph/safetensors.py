"""Reader of the safetensors format: a JSON header of names, types and byte ranges, then the raw tensors.

Format: https://github.com/huggingface/safetensors#format
"""

import json
import struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from groundwire.domain.errors import InvalidInput

FloatArray = NDArray[np.float32]

_HEADER_LENGTH: Final = struct.Struct("<Q")
_FLOAT_TYPES: Final = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


def read_tensors(content: bytes) -> dict[str, FloatArray]:
    """Return the floating-point tensors of a safetensors file by name; other types are left out.

    Raises:
        InvalidInput: the bytes are no safetensors file, or are cut short.
    """
    try:
        (header_length,) = _HEADER_LENGTH.unpack_from(content)
        start = _HEADER_LENGTH.size + header_length
        header: dict[str, Any] = json.loads(content[_HEADER_LENGTH.size : start])
        return {
            name: _tensor(content, start, entry) for name, entry in header.items() if entry.get("dtype") in _FLOAT_TYPES
        }
    except (struct.error, ValueError, KeyError, AttributeError, TypeError) as error:
        raise InvalidInput("the weights are not a whole safetensors file: fetch them again") from error


def _tensor(content: bytes, start: int, entry: dict[str, Any]) -> FloatArray:
    first, last = entry["data_offsets"]
    dtype = _FLOAT_TYPES[entry["dtype"]]
    flat = np.frombuffer(content, dtype, (last - first) // dtype.itemsize, start + first)
    return flat.reshape(entry["shape"]).astype(np.float32, copy=False)
